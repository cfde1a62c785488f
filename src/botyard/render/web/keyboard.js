// The keys of the viewer. They are silent while somebody writes, and a page with several viewers has one that listens.
import { make } from "./dom.js";

const KEYS = [
  [["Space", "k"], "play or pause", [" ", "k"], (viewer) => viewer.toggle()],
  [["←", "→"], "one tick back or on; with shift ten", ["ArrowLeft", "ArrowRight"], (viewer, event) => viewer.step((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1))],
  [["↑", "↓"], "faster or slower", ["ArrowUp", "ArrowDown"], (viewer, event) => viewer.playback.changeSpeed(event.key === "ArrowUp" ? 1 : -1)],
  [["Home", "End"], "first or last tick", ["Home", "End"], (viewer, event) => viewer.seek(event.key === "Home" ? 0 : viewer.last)],
  [["n", "p"], "next mark or the one before", ["n", "p"], (viewer, event) => viewer.toMark(event.key === "n" ? 1 : -1)],
  [["f"], "next lost turn", ["f"], (viewer) => viewer.nextLost()],
  [["0–9"], "what this seat saw; again for everyone", [..."0123456789"], (viewer, event) => viewer.toggleSeat(Number(event.key))],
  [["g"], "go to a tick", ["g"], (viewer) => viewer.controls.askTick()],
  [["l"], "loop", ["l"], (viewer) => viewer.setLoop(!viewer.loop)],
  [["r"], "real time, as the clocks ran", ["r"], (viewer) => viewer.playback.toggleReal()],
  [["t"], "text board", ["t"], (viewer) => viewer.setText(!viewer.text, true)],
  [["m"], "next theme", ["m"], (viewer) => viewer.nextTheme()],
  [["+", "−"], "nearer or farther", ["+", "=", "-"], (viewer, event) => viewer.zoom.by(event.key === "-" ? -1 : 1)],
  [["c"], "copy a link to this tick", ["c"], (viewer) => viewer.copyLink()],
  [["x"], "full screen", ["x"], (viewer) => viewer.fullScreen()],
  [["?"], "this list", ["?"], (viewer) => viewer.help()],
  [["Esc"], "close, and show what everyone sees", ["Escape"], (viewer) => viewer.escape()],
];
const ACTIONS = new Map(KEYS.flatMap(([, , keys, act]) => keys.map((key) => [key, act])));
const EMBEDDED = new Set([" ", "k", "ArrowLeft", "ArrowRight", "Home", "End"]);
const SLIDER_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

let listening = null; // the viewer that was used last

export class Keyboard {
  constructor(viewer) {
    this.viewer = viewer;
    this.enabled = true; // false: somebody else has the keys, such as a person who plays
    listening ??= viewer;
    for (const use of ["pointerdown", "focusin"]) viewer.element.addEventListener(use, () => { listening = viewer; });
    this._heard = (event) => this._key(event);
    document.addEventListener("keydown", this._heard);
  }

  end() {
    document.removeEventListener("keydown", this._heard);
    if (listening === this.viewer) listening = null;
  }

  _key(event) {
    if (!this.enabled || listening !== this.viewer || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey || writes(event) || this.viewer.dialog?.open) return;
    const act = ACTIONS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!act || (this.viewer.options.embed && !EMBEDDED.has(event.key))) return;
    event.preventDefault();
    act(this.viewer, event);
  }
}

// Whether a key belongs to the element that has the focus.
function writes({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=range]")) return SLIDER_KEYS.has(key);
  if (target.matches("button, summary, a")) return key === " " || key === "Enter";
  return target.matches("input, textarea, select") || target.isContentEditable;
}

export function keyList() {
  const rows = KEYS.map(([keys, words]) => make("div", {}, make("dt", {}, ...keys.map((key) => make("kbd", {}, key))), make("dd", {}, words)));
  return make("dl", { class: "by-keys" }, ...rows);
}
