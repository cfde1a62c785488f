// What bots drew on their boards: over the board at its tick, as marks on the timeline, and in words for those who listen.
//
// Notes come from bots. Python has checked them; they are checked again here, against the board they are drawn on.

const COLOUR = /^#[0-9a-f]{6}$/i;
const LONGEST = 400; // characters: 40 of a bot's, each of which may be shown as an escape of ten
const MOST = 64; // at one tick

export class Notes {
  // seats: those of a turn sheet.
  constructor(viewer, seats) {
    this.viewer = viewer;
    this.odd = seats.map(() => 0); // notes of each seat that cannot be drawn
    const { head } = viewer.whole;
    this.byTick = seats.map(({ notes }, seat) => placed(notes, head, () => { this.odd[seat] += 1; }));
    this._shown = null;
    const marks = this.byTick.flatMap((ticks, seat) => [...ticks].flatMap(([tick, notes]) => notes.filter(({ kind }) => kind === "mark").map(({ text }) => [tick, seat, "note", `notes: ${text}`])));
    if (marks.length) viewer.timeline.addMarks(marks);
  }

  at(tick, seat) {
    return this.byTick[seat]?.get(tick) ?? [];
  }

  // Draws the notes of a seat at a tick; null: of nobody.
  show(tick, seat) {
    const drawn = seat === null ? [] : this.at(tick, seat).filter(({ kind }) => kind !== "mark");
    if (drawn.length === 0 && !this._shown) return;
    this._shown = drawn.length > 0;
    this.viewer.board.annotate(drawn);
  }
}

// The notes of a seat by tick; `drop` is called for each that is none.
function placed(notes, head, drop) {
  const ticks = new Map();
  for (const entry of Array.isArray(notes) ? notes : []) {
    const [tick, given] = Array.isArray(entry) ? entry : [];
    const note = Number.isInteger(tick) && tick >= 0 ? checked(given, head) : null;
    const there = ticks.get(tick) ?? [];
    if (note === null || there.length >= MOST) drop();
    else ticks.set(tick, [...there, note]);
  }
  return ticks;
}

// A note as the board draws it; null if it is none.
export function checked(note, head) {
  if (typeof note !== "object" || note === null) return null;
  const { cell, line, mark, colour, text } = note;
  if (colour !== undefined && !(typeof colour === "string" && COLOUR.test(colour))) return null;
  if (text !== undefined && !isText(text)) return null;
  if (isText(mark)) return { kind: "mark", text: mark };
  if (isCell(cell, head)) return { kind: "cell", row: cell[0], col: cell[1], colour, text };
  if (Array.isArray(line) && line.length === 2 && line.every((end) => isCell(end, head))) return { kind: "line", from: line[0], to: line[1], colour };
  return null;
}

function isText(text) {
  return typeof text === "string" && text.length > 0 && text.length <= LONGEST;
}

function isCell(cell, { rows, cols }) {
  return Array.isArray(cell) && cell.length === 2 && isWithin(cell[0], rows) && isWithin(cell[1], cols);
}

function isWithin(number, size) {
  return Number.isInteger(number) && number >= 0 && number < size;
}

// A note as a sentence.
export function noteWords(note) {
  if (note.kind === "mark") return `mark: ${note.text}`;
  if (note.kind === "line") return `line from row ${note.from[0]}, column ${note.from[1]} to row ${note.to[0]}, column ${note.to[1]}`;
  return `row ${note.row}, column ${note.col}${note.text === undefined ? "" : `: ${note.text}`}`;
}
