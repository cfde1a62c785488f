// Playing a film: ticks go by at a speed, or as the clocks ran, and between two of them pieces may glide.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
export const REAL = "real"; // a speed: every tick lasts as long as it did
const USUAL_PACE = 8; // ticks a second at speed 1, for games that have no slower pace of their own
const GLIDING_PACE = 12; // ticks a second up to which pieces glide
const LONGEST_MS = 250; // that may have gone by: after a pause of the browser nothing is made up for
const LONGEST_TICK_MS = 10000;

// Milliseconds of each tick as the clocks ran, from a turn sheet; null if nobody measured them.
export function timesIn(sheet) {
  return Array.isArray(sheet?.ms) && sheet.ms.some((ms) => ms > 0) ? sheet.ms : null;
}

export class Playback {
  constructor(viewer) {
    this.viewer = viewer;
    this.spent = 0; // milliseconds that this tick has been shown
    this.times = null; // milliseconds of each tick, as the clocks ran
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  // Milliseconds that a tick is shown.
  lasts(tick) {
    const { speed, whole } = this.viewer;
    if (speed === REAL && this.times) return Math.max(1, Math.min(this.times[tick] ?? 0, LONGEST_TICK_MS));
    return 1000 / (Math.min(whole.head.ticks_per_s || USUAL_PACE, USUAL_PACE) * (speed === REAL ? 1 : speed));
  }

  // How far pieces are on their way to where they stand in this tick.
  get part() {
    return Math.min(1, this.spent / this.lasts(this.viewer.tick));
  }

  get gliding() {
    const { viewer } = this;
    const wanted = viewer.options.glide !== false && !this.still.matches && !viewer.board.tooSlow && !viewer.text;
    return wanted && this.lasts(viewer.tick) >= 1000 / GLIDING_PACE;
  }

  // Some steps faster, or slower.
  changeSpeed(steps) {
    const { viewer } = this;
    const at = SPEEDS.indexOf(viewer.speed === REAL ? 1 : viewer.speed) + steps;
    viewer.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))]);
    viewer.announce(`Speed ${viewer.speed}.`);
  }

  toggleReal() {
    const { viewer } = this;
    if (this.times) viewer.setSpeed(viewer.speed === REAL ? 1 : REAL);
    else viewer.announce("Nobody measured the time of this game.", true);
  }

  start() {
    const { viewer } = this;
    if (viewer.tick >= viewer.last && !viewer.whole.growing) viewer.goTo(0);
    viewer.playing = true;
    this.spent = this.lasts(viewer.tick);
    this._then = null;
    this._request = requestAnimationFrame((now) => this._frame(now));
    viewer.changed();
  }

  stop() {
    cancelAnimationFrame(this._request);
    this.viewer.playing = false;
    this.viewer.draw(); // the pieces where they belong
    this.viewer.changed();
  }

  _frame(now) {
    const { viewer } = this;
    const elapsed = this._then === null ? 0 : Math.min(now - this._then, LONGEST_MS);
    this._then = now;
    this._request = requestAnimationFrame((then) => this._frame(then));
    const tick = this._advance(elapsed);
    if (tick === null) return;
    if (tick !== viewer.tick) viewer.goTo(tick, this.gliding ? Math.min(1, this.spent / this.lasts(tick)) : 1, elapsed);
    else if (this.gliding) viewer.glide(this.part, elapsed);
  }

  // The tick that is due; null if there is nothing to show yet, or no more.
  _advance(elapsed) {
    const { viewer } = this;
    let { tick } = viewer;
    this.spent += elapsed;
    while (tick < viewer.last && this.spent >= this.lasts(tick)) {
      this.spent -= this.lasts(tick);
      tick += 1;
    }
    if (tick === viewer.tick && tick >= viewer.last && this.part >= 1) return this._end();
    if (viewer.has(tick) || !viewer.whole.loads) return tick;
    viewer.film.ready(tick);
    viewer.whole.ready(tick);
    this.spent = this.lasts(viewer.tick);
    return null;
  }

  _end() {
    const { viewer } = this;
    if (viewer.whole.growing) return null; // more will come
    this.spent = 0;
    if (viewer.loop) return 0;
    viewer.pause();
    return null;
  }
}
