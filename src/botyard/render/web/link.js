// The link to a tick: #t=120&seat=0&speed=4, kept up to date without adding to the history.
import { REAL, SPEEDS } from "./playback.js";

const PAUSE_MS = 300; // between two changes of the address; browsers refuse many of them

export class Link {
  constructor(viewer) {
    this.viewer = viewer;
    this._timer = null;
    this._read = false; // what the address asks for comes before what is written to it
    this._changed = () => this.follow();
    addEventListener("hashchange", this._changed);
  }

  end() {
    removeEventListener("hashchange", this._changed);
    clearTimeout(this._timer);
  }

  // Goes where the address says.
  async follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    this._read = true;
    const number = (name) => (/^\d+(\.\d+)?$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null);
    const speed = asked.get("speed") === REAL ? REAL : number("speed");
    if (speed === REAL || SPEEDS.includes(speed)) this.viewer.setSpeed(speed);
    if (asked.has("t") || asked.has("seat")) await this.viewer.show(number("seat"));
    if (number("t") !== null) await this.viewer.seek(number("t"));
  }

  // The address of what is shown now; what others keep in it stays.
  get hash() {
    const { tick, seat, speed } = this.viewer;
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const name of ["t", "seat", "speed"]) kept.delete(name);
    kept.set("t", String(tick));
    if (seat !== null) kept.set("seat", String(seat));
    if (speed !== 1) kept.set("speed", String(speed));
    return `#${kept}`;
  }

  get address() {
    return location.href.split("#")[0] + this.hash;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.address);
      this.viewer.announce("The link is copied.", true);
    } catch {
      this.viewer.announce(`The link: ${this.address}`, true); // a browser may keep its clipboard to itself
    }
  }

  update() {
    if (this._timer !== null || !this._read) return;
    if (!this.viewer.playing) this._write();
    this._timer = setTimeout(() => {
      this._timer = null;
      this._write();
    }, PAUSE_MS);
  }

  _write() {
    if (location.hash === this.hash) return;
    try {
      history.replaceState(history.state, "", this.hash);
    } catch {
      // a page without an address of its own has no link
    }
  }
}
