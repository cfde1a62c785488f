// The parts of a viewer on the page: slots, legend, the list of keys.
import { Atlas, canvasOf } from "./atlas.js";
import { legendTiles } from "./cells.js";
import { make, setText } from "./dom.js";
import { keyList } from "./keyboard.js";

const PICTURE = 40; // device pixels of a legend's picture; shown at half of that

// Puts the slots into an element and returns them by name.
export function slots(host, { embed, heading = "h2" }) {
  const parts = {
    title: make(heading, { class: "by-title" }),
    headline: make("p", { class: "by-headline" }),
    strip: make("div", { class: "by-strip" }),
    panels: make("div", { class: "by-panels" }),
    legend: make("div", { class: "by-legend" }),
    board: make("div", { class: "by-board" }),
    cell: make("p", { class: "by-cell", hidden: true }),
    timeline: make("div", { class: "by-timeline" }),
    controls: make("div", { class: "by-controls" }),
    live: make("p", { class: "by-live by-unseen", "aria-live": "polite" }),
  };
  const label = { role: "group", "aria-label": "Game viewer" };
  parts.top = make("div", { class: "by-top" }, parts.title, parts.headline);
  parts.side = make("div", { class: "by-side" }, parts.strip, parts.panels, embed ? null : parts.legend);
  parts.frame = make(
    "div", { class: "by-frame" },
    embed ? null : parts.top, make("div", { class: "by-middle" }, parts.board, parts.cell), parts.side, embed ? null : parts.timeline, parts.controls, parts.live,
  );
  parts.viewer = make("div", { class: embed ? "by-viewer by-embed" : "by-viewer", ...label }, parts.frame);
  host.append(parts.viewer);
  return parts;
}

export function drawLegend(slot, head, theme) {
  const atlas = new Atlas(head.palette, head.sprites, theme, PICTURE);
  const items = legendTiles(head).map((tile) => {
    const canvas = canvasOf(PICTURE, PICTURE);
    canvas.getContext("2d").drawImage(atlas.cell(tile), 0, 0);
    canvas.setAttribute("aria-hidden", "true");
    return make("li", {}, canvas, head.palette[tile][1]);
  });
  const open = slot.firstChild?.open ?? slot.closest(".by-frame").clientWidth > 720;
  slot.replaceChildren(make("details", { open }, make("summary", {}, "What is what"), make("ul", {}, ...items)));
}

export function keyDialog(viewer) {
  const close = make("button", { type: "button", class: "by-close", onclick: () => dialog.close() }, "Close");
  const dialog = make("dialog", { class: "by-dialog", "aria-label": "Keys" }, make("h2", {}, "Keys"), keyList(), close);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside it
  });
  viewer.element.append(dialog);
  return dialog;
}

const SHOWN_MS = 2500;
const shownUntil = new WeakMap();

// Says a sentence in a live region; a shown one can be seen for a while, too.
export function say(region, sentence, shown) {
  setText(region, sentence);
  if (!shown) return;
  region.classList.remove("by-unseen");
  clearTimeout(shownUntil.get(region));
  shownUntil.set(region, setTimeout(() => region.classList.add("by-unseen"), SHOWN_MS));
}

export async function fillScreen(element) {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element.requestFullscreen();
}
