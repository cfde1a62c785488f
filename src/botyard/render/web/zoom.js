// Looking closer: wheel, two fingers, buttons; and moving a board that is larger than its slot.

const STEPS = [1, 1.5, 2, 3, 4, 6, 8];
const MOVED = 4; // pixels: what goes less far was a click

export class Zoom {
  // told(): is called when the zoom has changed.
  constructor(board, told) {
    this.board = board;
    this.told = told;
    this._fingers = new Map();
    const { scroll } = board;
    scroll.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    scroll.addEventListener("pointerdown", (event) => this._down(event));
    scroll.addEventListener("pointermove", (event) => this._move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) scroll.addEventListener(end, (event) => this._up(event));
  }

  // Goes some steps closer, or farther away.
  by(steps, x, y) {
    const now = STEPS.findLastIndex((step) => step <= this.board.zoom + 0.01);
    this.to(STEPS[Math.max(0, Math.min(STEPS.length - 1, now + steps))], x, y);
  }

  // Zooms so that what lies at a place on the screen stays there; without a place, the middle.
  to(zoom, x, y) {
    const { board } = this;
    const { scroll, stage } = board;
    const box = scroll.getBoundingClientRect();
    const [left, top] = [(x ?? box.left + box.width / 2), (y ?? box.top + box.height / 2)];
    const before = stage.getBoundingClientRect();
    const [across, down] = [(left - before.left) / before.width, (top - before.top) / before.height];
    board.zoom = Math.max(STEPS[0], Math.min(STEPS.at(-1), zoom));
    board.fit();
    const after = stage.getBoundingClientRect();
    scroll.scrollLeft += after.left + across * after.width - left;
    scroll.scrollTop += after.top + down * after.height - top;
    this.told();
  }

  _wheel(event) {
    // A page that scrolls keeps its wheel: there the control key is held to zoom, as maps do it.
    const scrolls = document.documentElement.scrollHeight > innerHeight + 1;
    if (scrolls && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1 : -1, event.clientX, event.clientY);
  }

  _down(event) {
    this._fingers.set(event.pointerId, event);
    this.dragged = false;
    if (this._fingers.size === 2) this._pinch = { distance: this._distance(), zoom: this.board.zoom };
  }

  _move(event) {
    const before = this._fingers.get(event.pointerId);
    if (!before) return;
    this._fingers.set(event.pointerId, event);
    if (this._fingers.size === 2) {
      const [one, other] = [...this._fingers.values()];
      this.dragged = true;
      const zoom = (this._pinch.zoom * this._distance()) / this._pinch.distance;
      this.to(zoom, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    } else if (event.pointerType === "mouse" && event.buttons === 1) {
      const { scroll } = this.board;
      scroll.scrollLeft -= event.clientX - before.clientX;
      scroll.scrollTop -= event.clientY - before.clientY;
      if (Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY) >= MOVED) this.dragged = true;
    }
  }

  _up(event) {
    this._fingers.delete(event.pointerId);
  }

  _distance() {
    const [one, other] = [...this._fingers.values()];
    return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
  }
}
