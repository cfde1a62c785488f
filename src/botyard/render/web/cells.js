// What lies on a cell, in words. Rows and columns count from 0, as most games tell them to bots.

const [GLYPH, NAME, STYLE, SEAT, LISTED] = [0, 1, 2, 4, 6]; // of a palette's row

export function tileName(head, tile) {
  const row = head.palette[tile];
  return row[SEAT] < 0 ? row[NAME] : `${row[NAME]} of ${head.names[row[SEAT]] || "(no name)"}`;
}

export function glyphOf(head, tile) {
  return head.palette[tile][GLYPH].trim();
}

// The tiles on a cell from the ground up: that of the grid, then the pieces in the order they are stamped.
export function layersAt(head, frame, row, col) {
  const pieces = frame.pieces.filter((piece) => piece.row === row && piece.col === col);
  return [frame.grid[row * head.cols + col], ...pieces.map((piece) => piece.tile)];
}

export function cellWords(head, layers) {
  const [ground, ...pieces] = layers;
  const names = pieces.reverse().map((tile) => tileName(head, tile));
  if (!names.length || !["empty", "unknown"].includes(head.palette[ground][STYLE])) names.push(tileName(head, ground));
  return names.join(", over ");
}

export function placeWords(row, col) {
  return `row ${row}, column ${col}`;
}

// One tile of each name, as a legend explains them; what is just empty needs no explanation.
export function legendTiles(head) {
  const first = new Map();
  head.palette.forEach((row, tile) => {
    const plain = ["empty", "unknown"].includes(row[STYLE]);
    if (row[LISTED] && !plain && !first.has(row[NAME])) first.set(row[NAME], tile);
  });
  return [...first.values()];
}
