// The viewer: one film on a page, with everything to look at it by mouse, touch, keyboard and ear.
//   const viewer = mount(element, source, options);
//   source   {film(seat | null) → Promise<Film>, seats?: bool, turns?: () → Promise, times?: Promise<ms per tick>}
//   options  {theme, autoplay, embed, glide, link, heading, panels: [panelFactory], vacancies (nameless seats are not listed)}
//   panel    panelFactory(viewer) → {element, update(tick)}
// Events: "tick"; "state" when playing, speed, loop, seat, text or theme changed; "cell" (detail {row, col}) when one is chosen.
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { setText } from "./dom.js";
import { Keyboard } from "./keyboard.js";
import { drawLegend, fillScreen, keyDialog, say, slots } from "./layout.js";
import { Link } from "./link.js";
import { Pointer } from "./pointer.js";
import { Playback, REAL, SPEEDS } from "./playback.js";
import { Strip } from "./strip.js";
import { TextBoard } from "./textboard.js";
import { THEME_LABELS, THEME_NAMES, applyTheme, chosenTheme, rememberTheme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { Views } from "./views.js";
import { headlineWords, stepWords } from "./words.js";
import { Zoom } from "./zoom.js";

export function mount(element, source, options = {}) {
  return new Viewer(element, source, options);
}

export class Viewer extends EventTarget {
  constructor(host, source, options) {
    super();
    Object.assign(this, { source, options, tick: 0, playing: false, speed: 1, loop: false, seat: null, text: false });
    this.theme = chosenTheme(options.theme); // the page may change its size before the film is here
    this.film = this.whole = this.frame = this.words = null; // whole: what everyone may see; words: what is said of its tick
    this.parts = slots(host, options);
    this.element = this.parts.viewer;
    this.playback = new Playback(this);
    this.board = new Board(this.parts.board);
    this.textBoard = new TextBoard(this.parts.board, (cell) => this.pointer.point(cell));
    this.zoom = new Zoom(this.board, () => this.controls.update());
    this.pointer = new Pointer(this);
    this.timeline = new Timeline(this.parts.timeline, this);
    this.strip = new Strip(this.parts.strip, this);
    this.controls = new Controls(this.parts.controls, this);
    this.keyboard = new Keyboard(this);
    this.link = options.embed || options.link === false ? null : new Link(this);
    this.panels = [];
    this.views = new Views(this);
    this._turn = 0; // counts the ticks that were asked for, so that what comes too late is not shown
    this._watch();
    this.ready = this._open().catch((error) => {
      this.announce(`The film cannot be shown: ${error.message}`, true);
      throw error;
    });
  }

  get last() {
    return this.whole?.last ?? 0;
  }

  get atlas() {
    return this.board.atlas;
  }

  get over() {
    return this.whole.head.outcome !== null && !this.whole.growing && this.tick >= this.last;
  }

  async _open() {
    this.whole = this.film = await this.source.film(null);
    await this.whole.ready(0);
    this.frame = this.words = this.whole.frame(0);
    setText(this.parts.title, this.whole.head.title);
    this.whole.addEventListener("grow", () => this._grown());
    this.whole.addEventListener("head", () => this._dress());
    this.setTheme(chosenTheme(this.options.theme));
    this.panels = (this.options.panels ?? []).map((factory) => factory(this));
    this.parts.panels.append(...this.panels.map((panel) => panel.element));
    this.element.classList.toggle("by-has-panels", this.panels.length > 0);
    this._takeTimes();
    await this.seek(this.whole.growing ? this.last : 0);
    await this.link?.follow();
    if (this.options.autoplay) this.play();
    return this;
  }

  async _takeTimes() {
    this.playback.times = (await this.source.times) ?? null;
    this.controls.dressSpeeds(this.playback.times !== null);
  }

  // Going somewhere

  // Shows a tick; resolves when it is to be seen.
  async seek(tick) {
    const wanted = Math.max(0, Math.min(Math.round(tick) || 0, this.last));
    const turn = ++this._turn;
    while (!this.has(wanted)) {
      const { film } = this;
      await Promise.all([film.ready(wanted), this.whole.ready(wanted)]);
      if (turn !== this._turn) return;
      if (film === this.film) break; // what is missing now cannot be had
    }
    this.playback.spent = 0;
    this.goTo(wanted);
    if (!this.playing) this.announce(stepWords(this));
  }

  has(tick) {
    return this.film.has(tick) && this.whole.has(tick);
  }

  step(ticks) {
    this.pause();
    return this.seek(this.tick + ticks);
  }

  toMark(direction, wanted) {
    return this.timeline.go(direction, wanted);
  }

  nextLost() {
    return this.toMark(1, ([, , kind]) => kind === "turn");
  }

  // Shows a tick that is here, its pieces part of the way to their places.
  goTo(tick, part = 1, elapsed = 0) {
    const before = this.frame?.tick === tick - 1 ? this.frame : null;
    this.tick = tick;
    this.frame = this.film.frame(tick);
    this.words = this.film === this.whole ? this.frame : this.whole.frame(tick);
    this._before = before;
    if (before && part < 1) this.board.glide(this.frame, before, part, elapsed);
    else this.draw();
    this._update();
    this.dispatchEvent(new CustomEvent("tick", { detail: { tick } }));
  }

  glide(part, elapsed) {
    if (this._before) this.board.glide(this.frame, this._before, part, elapsed);
  }

  // Playing

  play() {
    if (!this.playing) this.playback.start();
  }

  pause() {
    if (this.playing) this.playback.stop();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed) {
    this.speed = speed === REAL || SPEEDS.includes(speed) ? speed : 1;
    this.changed();
  }

  setLoop(loop) {
    this.loop = loop;
    this.changed();
  }

  // Shows what one seat saw; null: what everyone may see.
  show(seat) {
    return this.views.show(seat);
  }

  toggleSeat(seat) {
    return this.views.toggle(seat);
  }

  showFilm(seat, film) {
    [this.seat, this.film] = [seat, film];
    this._dressBoards();
    this.goTo(this.tick);
    this.changed();
    this.announce(seat === null ? "What everyone can see." : `What ${film.head.names[seat]} saw.`);
  }

  setTheme(theme, chosen = false) {
    this.theme = theme;
    if (chosen) rememberTheme(theme);
    applyTheme(this.element, theme);
    this._dress();
    this.changed();
  }

  nextTheme() {
    this.setTheme(THEME_NAMES[(THEME_NAMES.indexOf(this.theme) + 1) % THEME_NAMES.length], true);
    this.announce(`Theme: ${THEME_LABELS[this.theme] ?? this.theme}.`);
  }

  setText(text, focused = false) {
    this.text = text;
    this.textBoard.show(text);
    this.board.scroll.hidden = text;
    this._dressBoards();
    this.draw();
    if (text && focused) this.textBoard.focus();
    this.changed();
  }

  copyLink() {
    return this.link?.copy();
  }

  fullScreen() {
    return fillScreen(this.element).catch(() => this.announce("This page may not fill the screen."));
  }

  help() {
    this.dialog ??= keyDialog(this);
    this.dialog.showModal();
  }

  escape() {
    this.pointer.point(null);
    this.show(null);
  }

  // Says a sentence to whoever listens; a shown one can be seen for a while, too.
  announce(sentence, shown = false) {
    say(this.parts.live, sentence, shown);
  }

  // Takes the viewer off the page.
  end() {
    this.pause();
    this.keyboard.end();
    this.link?.end();
    this._sizes.disconnect();
    this.element.remove();
  }

  // Behind the scenes

  _watch() {
    this._sizes = new ResizeObserver(() => {
      this.board.fit();
      this.timeline.draw();
    });
    this._sizes.observe(this.parts.board);
    this._sizes.observe(this.parts.timeline);
  }

  _grown() {
    const followed = this.tick >= (this._reached ?? 0);
    this._reached = this.last;
    this.timeline.draw();
    if (followed && this.whole.growing && !this.playing) this.seek(this.last);
    else this.controls.update();
  }

  _dress() {
    this._dressBoards();
    this.strip.dress();
    this.timeline.dress();
    this.controls.dress();
    if (!this.options.embed) drawLegend(this.parts.legend, this.whole.head, this.theme);
    this.draw();
    this._update();
  }

  _dressBoards() {
    if (this.text) this.textBoard.dress(this.film.head);
    else this.board.dress(this.film.head, this.theme);
  }

  draw() {
    if (this.text) this.textBoard.draw(this.frame);
    else this.board.draw(this.frame);
  }

  _update() {
    setText(this.parts.headline, headlineWords(this));
    this.parts.headline.classList.toggle("by-over", this.over);
    this.board.stage.setAttribute("aria-label", `The board at tick ${this.tick}. The text board (key t) says what lies on every cell.`);
    this.strip.update();
    this.timeline.update();
    this.controls.update();
    this.pointer.tell();
    for (const panel of this.panels) panel.update(this.tick);
    this.link?.update();
  }

  changed() {
    this.controls.update();
    if (this.words) this.link?.update();
    this.dispatchEvent(new Event("state"));
  }
}
