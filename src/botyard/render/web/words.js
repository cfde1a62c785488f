// Sentences about a game, made the same way for every game.
import { markWords } from "./timeline.js";

// What is said when somebody goes to a tick while the film stands still.
export function stepWords(viewer) {
  const { head } = viewer.whole;
  const marks = viewer.timeline.marks.filter(([tick]) => tick === viewer.tick).map((mark) => markWords(head, mark));
  const told = viewer.over ? outcomeWords(head) : viewer.words.headline;
  return [`Tick ${viewer.tick} of ${viewer.last}`, told, ...marks].filter(Boolean).join(". ") + ".";
}

// What stands above the board.
export function headlineWords(viewer) {
  const { head } = viewer.whole;
  const seen = viewer.seat === null ? "" : `What ${head.names[viewer.seat] || "(no name)"} saw · `;
  return seen + (viewer.over ? outcomeWords(head) : viewer.words.headline);
}

// How a game ended: "Bob wins, 18 to 16".
export function outcomeWords(head) {
  const { groups, scores } = head.outcome;
  const names = groups[0].map((seat) => head.names[seat] || "(no name)");
  if (groups[0].length === head.names.length && names.length > 1) return `A draw at ${scores[groups[0][0]]}`;
  const others = groups.slice(1).flat();
  const points = [groups[0][0], ...others].map((seat) => scores[seat]);
  const told = points.length > 1 && points.length <= 4 ? `, ${points.slice(0, 1)} to ${points.slice(1).join(", ")}` : `, with ${points[0]}`;
  return `${names.join(" and ")} ${names.length > 1 ? "win" : "wins"}${told}`;
}
