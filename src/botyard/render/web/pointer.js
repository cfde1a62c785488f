// Pointing at a cell of the board: hovering says what lies there, a click or a tap keeps it said.
import { cellWords, layersAt, placeWords } from "./cells.js";
import { setText } from "./dom.js";

export class Pointer {
  constructor(viewer) {
    this.viewer = viewer;
    this.cell = null; // {row, col}
    this.pinned = false;
    const { scroll } = viewer.board;
    scroll.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !this.pinned) this.point(this._under(event), false);
    });
    scroll.addEventListener("pointerleave", () => {
      if (!this.pinned) this.point(null);
    });
    scroll.addEventListener("click", (event) => {
      if (!viewer.zoom.dragged) this._pin(this._under(event));
    });
  }

  _under(event) {
    return this.viewer.frame && this.viewer.board.cellAt(event.clientX, event.clientY);
  }

  _pin(cell) {
    const again = this.pinned && cell && this.cell.row === cell.row && this.cell.col === cell.col;
    this.point(again ? null : cell);
    this.pinned = Boolean(cell) && !again;
    if (cell) this.viewer.dispatchEvent(new CustomEvent("cell", { detail: cell }));
  }

  // Points a cell out, or none, and says what lies there.
  point(cell, marked = true) {
    this.cell = cell;
    this.pinned = false;
    if (!this.viewer.text) this.viewer.board.choose(marked ? cell : null);
    this.tell();
  }

  tell() {
    const { film, frame, parts } = this.viewer;
    parts.cell.hidden = !this.cell;
    if (!this.cell) return;
    const { row, col } = this.cell;
    setText(parts.cell, `${placeWords(row, col)}: ${cellWords(film.head, layersAt(film.head, frame, row, col))}`);
  }
}
