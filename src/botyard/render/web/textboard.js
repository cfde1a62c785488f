// The board as text: a table whose cells can be walked with the arrow keys, each saying where it is and what lies there.
import { cellWords, glyphOf, placeWords } from "./cells.js";
import { make, setText } from "./dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class TextBoard {
  // told(cell): is called when another cell has the focus.
  constructor(slot, told) {
    this.told = told;
    this.table = make("table", { role: "grid", class: "by-table", onkeydown: (event) => this._key(event) });
    this.element = make("div", { class: "by-text", hidden: true }, this.table);
    slot.append(this.element);
    this.row = this.col = 0;
    this._at = null;
  }

  dress(head) {
    this.head = head;
    this._tiles = [];
    this._cells = Array.from({ length: head.rows }, (_, row) => Array.from({ length: head.cols }, (_, col) => this._cell(row, col)));
    const top = make("tr", {}, make("td"), ...this._cells[0].map((_, col) => make("th", { scope: "col" }, String(col))));
    const rows = this._cells.map((cells, row) => make("tr", {}, make("th", { scope: "row" }, String(row)), ...cells));
    this.table.replaceChildren(
      make("caption", { class: "by-unseen" }, "The board. Arrow keys go from cell to cell."),
      make("thead", {}, top),
      make("tbody", {}, ...rows),
    );
    this._go(Math.min(this.row, head.rows - 1), Math.min(this.col, head.cols - 1), false);
  }

  _cell(row, col) {
    const handlers = { onclick: () => this._go(row, col), onfocus: () => this.told({ row, col }) };
    // The sign is for the eye, the sentence for the ear.
    return make("td", { role: "gridcell", tabindex: "-1", ...handlers }, make("span", { "aria-hidden": "true" }), make("span", { class: "by-unseen" }));
  }

  draw(frame) {
    const stacks = new Map();
    for (const { row, col, tile } of frame.pieces) {
      const cell = row * this.head.cols + col;
      stacks.set(cell, [...(stacks.get(cell) ?? []), tile]);
    }
    frame.grid.forEach((ground, cell) => {
      const layers = [ground, ...(stacks.get(cell) ?? [])];
      if (String(this._tiles[cell]) === String(layers)) return;
      this._tiles[cell] = layers;
      this._write(Math.floor(cell / this.head.cols), cell % this.head.cols, layers);
    });
  }

  _write(row, col, layers) {
    const element = this._cells[row][col];
    const tile = layers.at(-1);
    const [, , style, , seat] = this.head.palette[tile];
    setText(element.lastChild, `${placeWords(row, col)}: ${cellWords(this.head, layers)}`);
    element.className = `by-is-${style}`;
    element.style.setProperty("--by-own", seat < 0 ? "" : `var(--by-seat-${seat % 16})`);
    setText(element.firstChild, glyphOf(this.head, tile));
  }

  get shown() {
    return !this.element.hidden;
  }

  show(shown) {
    this.element.hidden = !shown;
  }

  focus() {
    this._go(this.row, this.col);
  }

  _key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) this._go(this.row + step[0], this.col + step[1]);
    else if (event.key === "Home") this._go(this.row, 0);
    else if (event.key === "End") this._go(this.row, this.head.cols - 1);
    else if (event.key === "PageUp") this._go(0, this.col);
    else if (event.key === "PageDown") this._go(this.head.rows - 1, this.col);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _go(row, col, focused = true) {
    if (row < 0 || col < 0 || row >= this.head.rows || col >= this.head.cols) return;
    this._at?.setAttribute("tabindex", "-1");
    [this.row, this.col] = [row, col];
    this._at = this._cells[row][col];
    this._at.setAttribute("tabindex", "0");
    if (focused) this._at.focus();
  }
}
