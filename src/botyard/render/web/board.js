// The board as a picture: the grid, the pieces above it, and on top what is written beside them.
//
// Only cells that changed are drawn again. Pieces have a canvas of their own, so that they can glide; numbers, notes and the
// chosen cell have another, so that they never touch the pixels of a tile.
import { Atlas, canvasOf } from "./atlas.js";
import { make } from "./dom.js";
import { drawOverlay } from "./overlay.js";

const LARGEST_CELL = 96; // CSS pixels, before zooming
const SMALLEST_CELL = 3; // device pixels
const LONGEST_SIDE = 4096; // device pixels of a canvas; phones refuse more
const SLOW_MS = 16.7;
const LONG_MS = 25; // from one gliding frame to the next: the machine does not keep up
const MANY = 12; // frames in a row that may be so before gliding ends
const FAR = 1; // cells that a piece glides in one tick; what goes farther jumps

export class Board {
  constructor(slot) {
    this.slot = slot;
    this.layers = ["by-ground", "by-pieces", "by-overlay"].map((name) => make("canvas", { class: name, "aria-hidden": "true" }));
    this.stage = make("div", { class: "by-stage", role: "img" }, ...this.layers);
    this.scroll = make("div", { class: "by-scroll" }, this.stage);
    slot.append(this.scroll);
    this.zoom = 1;
    this.tooSlow = false; // gliding has ended by itself
    this.annotations = [];
    this.chosen = null; // {row, col}: the cell that is pointed out
    this._late = 0;
    this.forget();
  }

  // Shows another film, or the same one in other colours.
  dress(head, theme) {
    Object.assign(this, { head, theme });
    this.fit(true);
  }

  // Finds the size of a cell, so that the board fits its slot, and draws all of it if that has changed.
  fit(anyway = false) {
    if (!this.head) return;
    const { rows, cols } = this.head;
    const ratio = devicePixelRatio || 1;
    const most = parseFloat(getComputedStyle(this.slot).maxHeight);
    const height = Number.isNaN(most) ? this.slot.clientHeight : most;
    const whole = Math.min(this.slot.clientWidth / cols, height / rows, LARGEST_CELL) * ratio;
    const wanted = Math.floor(Math.floor(whole) * this.zoom);
    const size = Math.max(SMALLEST_CELL, Math.min(wanted, Math.floor(LONGEST_SIDE / Math.max(rows, cols))));
    if (!anyway && size === this.atlas?.size && ratio === this.ratio) {
      this._settle();
      return;
    }
    this.ratio = ratio;
    this.atlas = new Atlas(this.head.palette, this.head.sprites, this.theme, size);
    for (const canvas of this.layers) [canvas.width, canvas.height] = [cols * size, rows * size];
    this.stage.style.width = `${(cols * size) / ratio}px`;
    this.stage.style.height = `${(rows * size) / ratio}px`;
    this._contexts = this.layers.map((canvas) => canvas.getContext("2d"));
    for (const context of this._contexts) context.imageSmoothingEnabled = false; // tiles are stamped pixel by pixel
    this._bound((cols * size) / ratio > this.slot.clientWidth + 1 || (rows * size) / ratio > height + 1);
    this._settle();
    const frame = this.frame;
    this.forget();
    if (frame && frame.grid.length === rows * cols) this.draw(frame);
  }

  // Has a board scroll that is larger than its slot. It must be reachable with the keyboard then, and need be no stop else.
  _bound(larger) {
    this.scroll.classList.toggle("by-larger", larger);
    if (larger) this.scroll.setAttribute("tabindex", "0");
    else this.scroll.removeAttribute("tabindex");
  }

  // Moves the stage to whole pixels of the screen: between two of them everything would be blurred.
  _settle() {
    const { style } = this.stage;
    style.left = style.top = "0";
    if (this.scroll.classList.contains("by-larger")) return;
    const { left, top } = this.stage.getBoundingClientRect();
    const off = (place) => (Math.floor(place * this.ratio) - place * this.ratio) / this.ratio;
    [style.left, style.top] = [`${off(left)}px`, `${off(top)}px`];
  }

  // Has the next frame be drawn whole.
  forget() {
    this.frame = null;
    this._grid = null; // what the grid's canvas shows
    this._stacks = null; // what stands on the cells of the pieces' canvas; null: something else
    this._written = false; // whether the overlay shows anything
  }

  // Draws a frame, the cells that changed.
  draw(frame) {
    this._drawGrid(frame.grid);
    const stacks = stacksOf(frame.pieces, this.head.cols);
    if (this._stacks === null) {
      this._clearPieces();
      this._stacks = new Map();
    }
    const cells = new Set([...this._stacks.keys(), ...stacks.keys()]);
    for (const cell of cells) {
      if (String(this._stacks.get(cell)) !== String(stacks.get(cell))) this._drawStack(cell, stacks.get(cell) ?? []);
    }
    this._stacks = stacks;
    this.frame = frame;
    this.drawOverlay();
  }

  _drawGrid(grid) {
    const [ground] = this._contexts;
    const { size } = this.atlas;
    const { cols } = this.head;
    const shown = this._grid;
    for (let cell = 0; cell < grid.length; cell += 1) {
      if (shown && shown[cell] === grid[cell]) continue;
      ground.drawImage(this.atlas.cell(grid[cell]), (cell % cols) * size, Math.floor(cell / cols) * size);
    }
    this._grid = grid;
  }

  _drawStack(cell, tiles) {
    const { size } = this.atlas;
    const [x, y] = [(cell % this.head.cols) * size, Math.floor(cell / this.head.cols) * size];
    this._contexts[1].clearRect(x, y, size, size);
    for (const tile of tiles) this._contexts[1].drawImage(this.atlas.stamp(tile), x, y);
  }

  _clearPieces() {
    this._contexts[1].clearRect(0, 0, this.layers[1].width, this.layers[1].height);
  }

  // Draws the pieces of a frame on their way: part of the way from where they stood in the frame before.
  glide(frame, before, part, elapsed) {
    const began = performance.now();
    const { size } = this.atlas;
    this._drawGrid(frame.grid);
    this._clearPieces();
    const earlier = new Map(before.pieces.map((piece) => [piece.id, piece]));
    for (const piece of frame.pieces) {
      const from = near(earlier.get(piece.id), piece) ? earlier.get(piece.id) : piece;
      const row = from.row + (piece.row - from.row) * part;
      const col = from.col + (piece.col - from.col) * part;
      this._contexts[1].drawImage(this.atlas.stamp(piece.tile), Math.round(col * size), Math.round(row * size));
    }
    this._stacks = null;
    this.frame = frame;
    this.drawOverlay();
    this.judgePace(performance.now() - began, elapsed);
  }

  // Ends gliding where drawing takes too long, or frames come too seldom.
  judgePace(drawing, elapsed) {
    this._late = elapsed > LONG_MS ? this._late + 1 : 0;
    if (drawing > SLOW_MS || this._late >= MANY) this.tooSlow = true;
  }

  // Draws notes: {kind: "cell", row, col, colour?, text?} or {kind: "line", from: [row, col], to: [row, col], colour?}.
  annotate(annotations) {
    this.annotations = annotations;
    this.drawOverlay();
  }

  choose(cell) {
    this.chosen = cell;
    this.drawOverlay();
  }

  drawOverlay() {
    if (!this.frame) return;
    const numbers = this.frame.pieces.filter((piece) => piece.number > 0);
    const some = numbers.length > 0 || this.annotations.length > 0 || this.chosen !== null;
    if (!some && !this._written) return;
    this._contexts[2].clearRect(0, 0, this.layers[2].width, this.layers[2].height);
    drawOverlay(this._contexts[2], this.atlas.size, this.theme, { numbers, annotations: this.annotations, chosen: this.chosen });
    this._written = some;
  }

  // The cell at a place on the screen; null beside the board.
  cellAt(x, y) {
    const box = this.stage.getBoundingClientRect();
    const col = Math.floor(((x - box.left) / box.width) * this.head.cols);
    const row = Math.floor(((y - box.top) / box.height) * this.head.rows);
    return row >= 0 && col >= 0 && row < this.head.rows && col < this.head.cols ? { row, col } : null;
  }

  // What is to be seen of a cell, without what is written beside it: RGBA bytes.
  cellPixels(row, col) {
    const { size } = this.atlas;
    const context = canvasOf(size, size).getContext("2d", { willReadFrequently: true });
    for (const canvas of this.layers.slice(0, 2)) context.drawImage(canvas, col * size, row * size, size, size, 0, 0, size, size);
    return context.getImageData(0, 0, size, size).data;
  }
}

function stacksOf(pieces, cols) {
  const stacks = new Map();
  for (const { row, col, tile } of pieces) {
    const cell = row * cols + col;
    if (stacks.has(cell)) stacks.get(cell).push(tile);
    else stacks.set(cell, [tile]);
  }
  return stacks;
}

function near(from, to) {
  return from !== undefined && Math.abs(from.row - to.row) <= FAR && Math.abs(from.col - to.col) <= FAR;
}
