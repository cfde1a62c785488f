// The atlas: every tile of a palette as a small picture at the cell's size, made when it is first needed.
import { EMBLEMS } from "./themes.js";
import { colourOf } from "./theme.js";

const SIDE = 64; // units of a sprite's square
const GLYPH_SIZE = 44;
const [GLYPH, STYLE, SPRITE, SEAT] = [0, 2, 3, 4]; // of a palette's row

// Draws a sprite into a square of 64 units.
export function drawSprite(context, sprite, theme, seat, turns = 0, style = "") {
  context.save();
  turn(context, turns);
  for (const [kind, ...rest] of sprite) {
    if (kind === "emblem") {
      if (seat >= 0) drawEmblem(context, theme, seat, ...rest, turns);
    } else drawShape(context, kind, colourOf(theme, rest[0], seat, style), rest.slice(1));
  }
  context.restore();
}

// Draws the sign of a seat. It is turned back, so that it stands upright on a sprite that turns.
export function drawEmblem(context, theme, seat, x, y, radius, turns = 0) {
  context.save();
  context.translate(x, y);
  context.scale((2 * radius) / SIDE, (2 * radius) / SIDE);
  context.translate(-SIDE / 2, -SIDE / 2);
  turn(context, (4 - turns) % 4);
  for (const [kind, colour, ...rest] of EMBLEMS[seat % EMBLEMS.length]) {
    drawShape(context, kind, colourOf(theme, colour, seat), rest);
  }
  context.restore();
}

function turn(context, turns) {
  context.translate(SIDE / 2, SIDE / 2);
  context.rotate((turns * Math.PI) / 2);
  context.translate(-SIDE / 2, -SIDE / 2);
}

function drawShape(context, kind, colour, rest) {
  context.beginPath();
  context.fillStyle = context.strokeStyle = colour;
  if (kind === "circle") {
    context.arc(rest[0], rest[1], rest[2], 0, 2 * Math.PI);
    context.fill();
  } else if (kind === "line") {
    [context.lineWidth, context.lineCap, context.lineJoin] = [rest[0], "round", "round"];
    follow(context, rest[1]);
    context.stroke();
  } else {
    follow(context, rest[0]);
    context.closePath();
    context.fill();
  }
}

function follow(context, points) {
  for (let at = 0; at < points.length; at += 2) context.lineTo(points[at], points[at + 1]);
}

export class Atlas {
  // size: of a cell in device pixels.
  constructor(palette, sprites, theme, size) {
    Object.assign(this, { palette, sprites, theme, size });
    this._cells = new Map();
    this._stamps = new Map();
  }

  // A tile over the plain ground, as the grid shows it.
  cell(tile) {
    if (!this._cells.has(tile)) {
      this._cells.set(tile, this._picture((context) => {
        context.fillStyle = colourOf(this.theme, "ground", -1);
        context.fillRect(0, 0, this.size, this.size);
        this._draw(context, tile);
      }));
    }
    return this._cells.get(tile);
  }

  // A tile alone, as a piece is stamped on what lies under it.
  stamp(tile) {
    if (!this._stamps.has(tile)) this._stamps.set(tile, this._picture((context) => this._draw(context, tile)));
    return this._stamps.get(tile);
  }

  _picture(draw) {
    const canvas = canvasOf(this.size, this.size);
    // Drawn once, by the processor: a tile then has the same pixels wherever it is stamped.
    draw(canvas.getContext("2d", { willReadFrequently: true }));
    return canvas;
  }

  _draw(context, tile) {
    const row = this.palette[tile];
    const [name, turns] = row[SPRITE].split("/");
    context.save();
    context.scale(this.size / SIDE, this.size / SIDE);
    if (Object.hasOwn(this.sprites, name)) {
      drawSprite(context, this.sprites[name], this.theme, row[SEAT], Number(turns || 0), row[STYLE]);
    } else drawGlyph(context, row[GLYPH].trim(), colourOf(this.theme, row[SEAT] < 0 ? "text" : "own", row[SEAT]));
    context.restore();
  }

  // What a cell must look like whose grid holds the first tile and on which the others are stamped in order: RGBA bytes.
  pixels(tile, ...pieces) {
    const canvas = canvasOf(this.size, this.size);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(this.cell(tile), 0, 0);
    // Pieces are laid on one another before they are laid on the ground, as on the board: rounding depends on it.
    const stack = this._picture((above) => pieces.forEach((piece) => above.drawImage(this.stamp(piece), 0, 0)));
    context.drawImage(stack, 0, 0);
    return context.getImageData(0, 0, this.size, this.size).data;
  }
}

function drawGlyph(context, text, colour) {
  context.fillStyle = colour;
  context.font = `bold ${GLYPH_SIZE}px ui-monospace, "DejaVu Sans Mono", monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, SIDE / 2, SIDE / 2 + 2, SIDE - 4);
}

export function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  return canvas;
}

// The sign of a seat on its colour, for lists of names; nobody needs to hear of it.
export function emblemPicture(theme, seat, size) {
  const canvas = canvasOf(size, size);
  const context = canvas.getContext("2d");
  context.scale(size / SIDE, size / SIDE);
  context.fillStyle = colourOf(theme, "own", seat);
  context.beginPath();
  context.roundRect(0, 0, SIDE, SIDE, 14);
  context.fill();
  drawEmblem(context, theme, seat, SIDE / 2, SIDE / 2, 20);
  canvas.setAttribute("aria-hidden", "true");
  canvas.className = "by-emblem";
  return canvas;
}
