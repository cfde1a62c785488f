// The controls below the board. All of them are buttons and inputs with a name, and each has a key, too.
import { icon, iconButton, make, rename, setText } from "./dom.js";
import { REAL, SPEEDS } from "./playback.js";
import { THEME_LABELS, THEME_NAMES } from "./theme.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  back: "M15 5l-8 7 8 7z",
  on: "M9 5l8 7-8 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  markBack: "M12 6l-7 6 7 6M19 6l-7 6 7 6",
  markOn: "M12 6l7 6-7 6M5 6l7 6-7 6",
  lost: "M12 3l10 18H2zM12 10v5M12 18v.5",
  loop: "M4 12V9a3 3 0 0 1 3-3h11l-3-3M20 12v3a3 3 0 0 1-3 3H6l3 3",
  text: "M4 6h16M4 12h16M4 18h10",
  nearer: "M11 4a7 7 0 1 0 .01 0M16 16l5 5M8 11h6M11 8v6",
  farther: "M11 4a7 7 0 1 0 .01 0M16 16l5 5M8 11h6",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.4-1 1-1 2.2M12 18v.5",
};

export class Controls {
  constructor(slot, viewer) {
    this.viewer = viewer;
    this.slot = slot;
    // A button that the mouse pressed does not keep the focus: the space bar still plays.
    slot.addEventListener("mousedown", (event) => {
      if (event.target.closest("button")) event.preventDefault();
    });
    this.play = iconButton("Play", ICONS.play, () => viewer.toggle(), { class: "by-button by-play" });
    if (viewer.options.embed) slot.append(this.play);
    else slot.append(this._transport(), this._place(), this._rest());
  }

  _transport() {
    const { viewer } = this;
    const button = (name, picture, press) => iconButton(name, ICONS[picture], press);
    this.lost = button("Next lost turn", "lost", () => viewer.nextLost());
    return make(
      "div", { class: "by-group by-transport" },
      button("First tick", "first", () => viewer.seek(0)),
      button("Mark before", "markBack", () => viewer.toMark(-1)),
      button("Step back", "back", () => viewer.step(-1)),
      this.play,
      button("Step forward", "on", () => viewer.step(1)),
      button("Next mark", "markOn", () => viewer.toMark(1)),
      button("Last tick", "last", () => viewer.seek(viewer.last)),
      this.lost,
    );
  }

  _place() {
    const { viewer } = this;
    this.tick = make("input", { type: "number", class: "by-input", min: "0", "aria-label": "Go to tick", inputmode: "numeric" });
    this.tick.addEventListener("keydown", (event) => this._typed(event));
    this.tick.addEventListener("change", () => viewer.seek(Number(this.tick.value)));
    this.of = make("span", { class: "by-of" });
    this.speed = make("select", { class: "by-select", "aria-label": "Speed", onchange: () => viewer.setSpeed(this.speed.value === REAL ? REAL : Number(this.speed.value)) });
    this.loop = iconButton("Loop", ICONS.loop, () => viewer.setLoop(!viewer.loop), { "aria-pressed": "false" });
    this.dressSpeeds(false);
    return make("div", { class: "by-group" }, make("span", { class: "by-of" }, "Tick"), this.tick, this.of, this.speed, this.loop, viewer.timeline.figure);
  }

  dressSpeeds(real) {
    if (!this.speed) return;
    const options = SPEEDS.map((speed) => make("option", { value: String(speed) }, `${speed}×`));
    if (real) options.push(make("option", { value: REAL }, "real time"));
    this.speed.replaceChildren(...options);
    this.speed.value = String(this.viewer.speed);
  }

  _rest() {
    const { viewer } = this;
    this.text = iconButton("Text board", ICONS.text, () => viewer.setText(!viewer.text), { "aria-pressed": "false" });
    this.theme = make(
      "select", { class: "by-select", "aria-label": "Theme", onchange: () => viewer.setTheme(this.theme.value, true) },
      ...THEME_NAMES.map((name) => make("option", { value: name }, THEME_LABELS[name] ?? name)),
    );
    this.nearer = iconButton("Zoom in", ICONS.nearer, () => viewer.zoom.by(1));
    this.farther = iconButton("Zoom out", ICONS.farther, () => viewer.zoom.by(-1));
    this.link = iconButton("Copy link to this tick", ICONS.link, () => viewer.copyLink());
    this.full = iconButton("Full screen", ICONS.full, () => viewer.fullScreen());
    const help = iconButton("Keys", ICONS.help, () => viewer.help());
    return make("div", { class: "by-group by-rest" }, this.theme, this.text, this.farther, this.nearer, this.link, this.full, help);
  }

  _typed(event) {
    if (event.key === "Enter") this.viewer.seek(Number(this.tick.value));
    if (event.key === "Enter" || event.key === "Escape") {
      this.tick.blur();
      this.update();
      event.preventDefault();
    }
    event.stopPropagation();
  }

  askTick() {
    this.tick?.focus();
    this.tick?.select();
  }

  update() {
    const { viewer } = this;
    const name = viewer.playing ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== name) {
      rename(this.play, name);
      this.play.replaceChildren(icon(viewer.playing ? ICONS.pause : ICONS.play));
    }
    if (viewer.options.embed) return;
    if (document.activeElement !== this.tick) this.tick.value = String(viewer.tick);
    setText(this.of, `of ${viewer.last}`);
    this.speed.value = String(viewer.speed);
    this.loop.setAttribute("aria-pressed", String(viewer.loop));
    this.text.setAttribute("aria-pressed", String(viewer.text));
    this.theme.value = viewer.theme;
    this.nearer.disabled = viewer.text;
    this.farther.disabled = viewer.text || viewer.board.zoom <= 1;
    this.full.hidden = !document.fullscreenEnabled;
  }

  // What there is to go to depends on the film.
  dress() {
    if (this.lost) this.lost.hidden = !this.viewer.timeline.marks.some(([, , kind]) => kind === "turn");
  }
}
