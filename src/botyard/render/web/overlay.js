// What is drawn over the board without touching its tiles: numbers beside pieces, notes of bots, the chosen cell.
import { colourOf } from "./theme.js";

const SMALLEST_TEXT = 9; // pixels; smaller numbers cannot be read
const LONGEST_TEXT = 24; // signs of a note on a cell

export function drawOverlay(context, size, theme, { numbers, annotations, chosen }) {
  for (const note of annotations) {
    if (note.kind === "line") drawLine(context, size, theme, note);
    else drawCell(context, size, theme, note);
  }
  for (const { row, col, number } of numbers) {
    if (0.4 * size >= SMALLEST_TEXT) write(context, theme, String(number), (col + 0.98) * size, (row + 0.98) * size, 0.4 * size, "right");
  }
  if (chosen) outline(context, size, colourOf(theme, "focus", -1), chosen);
}

function drawCell(context, size, theme, { row, col, colour, text }) {
  if (colour || !text) outline(context, size, colour || colourOf(theme, "accent", -1), { row, col }, true);
  if (text) {
    const height = Math.max(SMALLEST_TEXT, 0.4 * size);
    write(context, theme, String(text).slice(0, LONGEST_TEXT), (col + 0.5) * size, (row + 0.5) * size + height / 2, height, "center");
  }
}

function outline(context, size, colour, { row, col }, filled = false) {
  const width = Math.max(2, size / 10);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.strokeRect(col * size + width / 2, row * size + width / 2, size - width, size - width);
  if (!filled) return;
  context.globalAlpha = 0.3;
  context.fillRect(col * size, row * size, size, size);
  context.globalAlpha = 1;
}

function drawLine(context, size, theme, { from, to, colour }) {
  context.strokeStyle = colour || colourOf(theme, "accent", -1);
  [context.lineWidth, context.lineCap] = [Math.max(2, size / 8), "round"];
  context.beginPath();
  context.moveTo((from[1] + 0.5) * size, (from[0] + 0.5) * size);
  context.lineTo((to[1] + 0.5) * size, (to[0] + 0.5) * size);
  context.stroke();
}

// Text with a rim, so that it can be read on anything; x and y are its lower corner, or the middle of its foot.
function write(context, theme, text, x, y, height, align) {
  context.font = `700 ${height}px system-ui, sans-serif`;
  [context.textAlign, context.textBaseline] = [align, "bottom"];
  [context.lineWidth, context.lineJoin] = [Math.max(2, height / 4), "round"];
  context.strokeStyle = colourOf(theme, "paper", -1);
  context.fillStyle = colourOf(theme, "ink", -1);
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
