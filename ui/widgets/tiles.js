// A grid of square buttons, the board of a kingdom or the squares to choose from, and tools: buttons with words.
// Arrow keys move, Enter or the space bar taps. Only data is shown here; what a tap means is decided in Python.
//
// No tap is lost. Buttons stay the same ones while the page is drawn again, so that a finger which is down on one comes
// up on it. Taps have numbers and are sent until Python says that it took them: of two that come while it is busy
// Streamlit would hand over only the later one. Choices and tools speak through their board: all taps keep their order.
const DRAWINGS = /*DRAWINGS*/{};
const SIDE = 64;
const SVG = "http://www.w3.org/2000/svg";
// Milliseconds after which a tap without an answer is sent again, and how often.
const PATIENCE = 2000;
const ATTEMPTS = 5;

// By the name of a board: the taps that wait for an answer, oldest first, and the way to Python.
const boards = new Map();
let lastNumber = 0;

function boardOf(name) {
  if (!boards.has(name)) boards.set(name, { waiting: [], send: null, attempts: 0, timer: null });
  return boards.get(name);
}

function tap(name, ...what) {
  const board = boardOf(name);
  // Numbers grow from one visit of the page to the next, too.
  lastNumber = Math.max(lastNumber + 1, Date.now());
  board.waiting.push([lastNumber, ...what]);
  board.attempts = ATTEMPTS;
  deliver(board);
}

function deliver(board) {
  clearTimeout(board.timer);
  if (!board.waiting.length || !board.attempts) return;
  board.attempts -= 1;
  if (board.send) board.send(board.waiting);
  board.timer = setTimeout(() => deliver(board), PATIENCE);
}

function answered(name, taken, send) {
  const board = boardOf(name);
  board.waiting = board.waiting.filter((each) => each[0] > taken);
  board.send = send;
  return () => {
    if (board.send === send) board.send = null;
  };
}

// The square that a choice is meant for: the one tapped last, even if the choices do not show it yet.
function meant(name, shown) {
  const opened = boardOf(name).waiting.filter((each) => each[1] === "open");
  return opened.length ? opened[opened.length - 1].slice(2) : shown;
}

function element(kind, className, attributes = {}) {
  const made = document.createElement(kind);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function numbered(value) {
  const number = element("span", "number", { "aria-hidden": "true" });
  number.textContent = value;
  return number;
}

function picture(symbol, edges) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${SIDE} ${SIDE}`);
  svg.setAttribute("aria-hidden", "true");
  // The drawings are the project's own and part of this script.
  svg.innerHTML = DRAWINGS[symbol] || "";
  const path = document.createElementNS(SVG, "path");
  const lines = { t: `M0 0h${SIDE}`, b: `M0 ${SIDE}h${SIDE}`, l: `M0 0v${SIDE}`, r: `M${SIDE} 0v${SIDE}` };
  path.setAttribute("d", [...edges].map((edge) => lines[edge]).join(""));
  path.setAttribute("class", "edge");
  svg.append(path);
  return svg;
}

// Rows of empty buttons; what is on them comes later.
function lay(grid, data, columns) {
  grid.className = `grid ${data.kind}`;
  grid.setAttribute("aria-rowcount", data.cells.length);
  grid.setAttribute("aria-colcount", columns);
  grid.style.setProperty("--columns", columns);
  grid.replaceChildren();
  if (data.numbers) {
    const line = element("div", "row", { "aria-hidden": "true" });
    line.append(document.createElement("span"));
    for (let column = 1; column <= columns; column++) line.append(numbered(column));
    grid.append(line);
  }
  data.cells.forEach((cells, row) => {
    const line = element("div", "row", { role: "row" });
    if (data.numbers) line.append(numbered(row + 1));
    cells.forEach((cell, column) => {
      const place = element("div", "cell", { role: "gridcell" });
      if (cell) place.append(element("button", "", { type: "button", "data-at": `${row},${column}`, tabindex: -1 }));
      line.append(place);
    });
    grid.append(line);
  });
}

function paint(button, cell) {
  const looks = `${cell.symbol} ${cell.edges}`;
  if (button.looks !== looks) {
    button.looks = looks;
    button.dataset.symbol = cell.symbol;
    button.replaceChildren(picture(cell.symbol, cell.edges));
  }
  button.className = cell.marks.join(" ");
  button.setAttribute("aria-label", cell.label);
  button.title = cell.label;
  if (cell.marks.includes("open")) button.setAttribute("aria-pressed", "true");
  else button.removeAttribute("aria-pressed");
}

function drawTools(place, data) {
  const names = data.tools.map((tool) => tool.name).join(" ");
  if (place.dataset.names !== names) {
    place.dataset.names = names;
    place.replaceChildren(...data.tools.map(() => element("button", "tool", { type: "button" })));
  }
  data.tools.forEach((tool, number) => {
    const button = place.children[number];
    if (button.words !== tool.label) {
      button.words = tool.label;
      const icon = element("span", "icon", { "aria-hidden": "true" });
      icon.textContent = tool.icon;
      button.replaceChildren(...(tool.icon ? [icon] : []), tool.label);
    }
    button.disabled = tool.disabled;
    button.onclick = () => tap(data.board, "step", tool.name);
  });
}

function drawGrid(grid, data, parentElement) {
  const holder = parentElement.activeElement === undefined ? document : parentElement;
  const focused = holder.activeElement && grid.contains(holder.activeElement) ? holder.activeElement.dataset.at : null;
  const columns = data.cells[0].length;
  const shape = `${data.kind} ${data.cells.length} ${columns}`;
  if (grid.dataset.shape !== shape) {
    grid.dataset.shape = shape;
    lay(grid, data, columns);
  }
  grid.setAttribute("aria-label", data.label);
  const buttons = new Map([...grid.querySelectorAll("button")].map((button) => [button.dataset.at, button]));
  for (const [at, button] of buttons) {
    const [row, column] = at.split(",").map(Number);
    paint(button, data.cells[row][column]);
    button.onclick = () => {
      if (data.kind === "board") tap(data.board, "open", row, column);
      else tap(data.board, "put", ...meant(data.board, data.square), data.cells[row][column].symbol);
    };
  }
  // One stop of the tab key for the whole grid; the arrow keys move inside.
  const open = [...buttons.values()].find((button) => button.classList.contains("open"));
  const stop = buttons.get(focused) || open || buttons.values().next().value;
  for (const button of buttons.values()) button.tabIndex = button === stop ? 0 : -1;
  if (focused && stop && stop !== holder.activeElement) stop.focus({ preventScroll: true });
  grid.onkeydown = (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const from = event.target.closest && event.target.closest("button");
    if (!step || !from) return;
    event.preventDefault();
    let [row, column] = from.dataset.at.split(",").map(Number);
    do {
      row += step[0];
      column += step[1];
    } while (row >= 0 && column >= 0 && row < data.cells.length && column < columns && !buttons.has(`${row},${column}`));
    const target = buttons.get(`${row},${column}`);
    if (!target) return;
    from.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
  };
  if (data.kind === "picker" && !grid.dataset.seen) {
    grid.dataset.seen = "yes";
    grid.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  if (data.kind === "tools") drawTools(parentElement.querySelector(".tools"), data);
  else drawGrid(parentElement.querySelector(".grid"), data, parentElement);
  if (data.kind === "board") return answered(data.board, data.taken, (taps) => setTriggerValue("taps", taps));
}
