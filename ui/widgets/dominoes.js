// The 48 dominoes as buttons. One event a tap; arrow keys move, Enter or the space bar taps.
// The buttons stay the same ones while the page is drawn again, so that a finger which is down on one comes up on it.
const PICTURES = /*PICTURES*/{};

function made(domino) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.number = domino.number;
  button.setAttribute("role", "option");
  button.setAttribute("aria-label", domino.label);
  button.title = domino.label;
  const picture = document.createElement("img");
  picture.src = PICTURES[domino.number];
  picture.alt = "";
  const number = document.createElement("span");
  number.textContent = domino.number;
  button.append(picture, number);
  return button;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".dominoes");
  const holder = parentElement.activeElement === undefined ? document : parentElement;
  list.setAttribute("aria-label", data.label);
  if (!list.childElementCount) list.append(...data.dominoes.map(made));
  const buttons = [...list.querySelectorAll("button")];
  const chosen = buttons.find((button) => Number(button.dataset.number) === data.chosen);
  // One stop of the tab key for all of them; the arrow keys move inside.
  const stop = buttons.find((button) => button === holder.activeElement) || chosen || buttons[0];
  for (const button of buttons) {
    button.setAttribute("aria-selected", String(button === chosen));
    button.tabIndex = button === stop ? 0 : -1;
    button.onclick = () => setTriggerValue("tapped", Number(button.dataset.number));
  }
  list.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const from = event.target.closest && event.target.closest("button");
    if (!step || !from) return;
    event.preventDefault();
    const target = buttons[buttons.indexOf(from) + step];
    if (!target) return;
    from.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
  };
}
