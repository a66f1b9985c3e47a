// The 48 dominoes as buttons. One event a tap; arrow keys move, Enter or the space bar taps.
const PICTURES = /*PICTURES*/{};

export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".dominoes");
  const holder = parentElement.activeElement === undefined ? document : parentElement;
  const focused = holder.activeElement && list.contains(holder.activeElement) ? holder.activeElement.dataset.number : null;
  list.setAttribute("aria-label", data.label);
  list.replaceChildren();
  const buttons = data.dominoes.map((domino) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.number = domino.number;
    button.setAttribute("role", "option");
    button.setAttribute("aria-selected", String(domino.number === data.chosen));
    button.setAttribute("aria-label", domino.label);
    button.title = domino.label;
    const picture = document.createElement("img");
    picture.src = PICTURES[domino.number];
    picture.alt = "";
    const number = document.createElement("span");
    number.textContent = domino.number;
    button.append(picture, number);
    button.tabIndex = -1;
    button.addEventListener("click", () => setTriggerValue("tapped", domino.number));
    list.append(button);
    return button;
  });
  // One stop of the tab key for all of them; the arrow keys move inside.
  const stop =
    buttons.find((button) => button.dataset.number === focused) ||
    buttons.find((button) => button.getAttribute("aria-selected") === "true") ||
    buttons[0];
  stop.tabIndex = 0;
  if (focused) stop.focus({ preventScroll: true });
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
