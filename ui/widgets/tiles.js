// A grid of square buttons: the board of a kingdom, or the squares to choose from. One event a tap.
// Arrow keys move, Enter or the space bar taps. Only data is shown here; what a tap means is decided in Python.
const DRAWINGS = /*DRAWINGS*/{};
const SIDE = 64;
const SVG = "http://www.w3.org/2000/svg";

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

export default function ({ data, parentElement, setTriggerValue }) {
  const grid = parentElement.querySelector(".grid");
  const holder = parentElement.activeElement === undefined ? document : parentElement;
  const focused = holder.activeElement && grid.contains(holder.activeElement) ? holder.activeElement.dataset.at : null;
  const columns = data.cells[0].length;
  grid.className = `grid ${data.kind}`;
  grid.setAttribute("aria-label", data.label);
  grid.setAttribute("aria-rowcount", data.cells.length);
  grid.setAttribute("aria-colcount", columns);
  grid.style.setProperty("--columns", columns);
  grid.replaceChildren();
  const buttons = new Map();
  if (data.numbers) {
    const line = document.createElement("div");
    line.className = "row";
    line.setAttribute("aria-hidden", "true");
    line.append(document.createElement("span"));
    for (let column = 1; column <= columns; column++) {
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = column;
      line.append(number);
    }
    grid.append(line);
  }
  data.cells.forEach((cells, row) => {
    const line = document.createElement("div");
    line.className = "row";
    line.setAttribute("role", "row");
    if (data.numbers) {
      const number = document.createElement("span");
      number.className = "number";
      number.setAttribute("aria-hidden", "true");
      number.textContent = row + 1;
      line.append(number);
    }
    cells.forEach((cell, column) => {
      const holderCell = document.createElement("div");
      holderCell.className = "cell";
      holderCell.setAttribute("role", "gridcell");
      if (cell) {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.at = `${row},${column}`;
        button.dataset.symbol = cell.symbol;
        button.className = cell.marks.join(" ");
        button.setAttribute("aria-label", cell.label);
        button.title = cell.label;
        if (cell.marks.includes("open")) button.setAttribute("aria-pressed", "true");
        button.tabIndex = -1;
        button.append(picture(cell.symbol, cell.edges));
        button.addEventListener("click", () => setTriggerValue("tapped", [row, column]));
        holderCell.append(button);
        buttons.set(button.dataset.at, button);
      }
      line.append(holderCell);
    });
    grid.append(line);
  });
  // One stop of the tab key for the whole grid; the arrow keys move inside.
  const open = [...buttons.values()].find((button) => button.classList.contains("open"));
  const stop = buttons.get(focused) || open || buttons.values().next().value;
  if (stop) stop.tabIndex = 0;
  if (focused && stop) stop.focus({ preventScroll: true });
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
}
