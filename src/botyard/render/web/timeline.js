// The timeline: a slider over all ticks, and above it the curves of a figure and the marks.
import { make, setText } from "./dom.js";
import { colourOf } from "./theme.js";

const EDGE = 8; // pixels at both ends: half of the slider's thumb
const LANE = 16; // pixels for marks
const NEAR = 7; // pixels within which a mark is meant
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]]; // curves differ in more than colour

export class Timeline {
  constructor(slot, viewer) {
    this.viewer = viewer;
    this.extra = []; // marks that others added
    this.canvas = make("canvas", { class: "by-curves", "aria-hidden": "true" });
    this.head = make("div", { class: "by-playhead" });
    this.tip = make("div", { class: "by-tip", hidden: true });
    this.figure = make("select", { class: "by-select", "aria-label": "Curves show", onchange: () => this.draw() });
    this.track = make("div", { class: "by-track" }, this.canvas, this.head, this.tip);
    this.slider = make("input", { type: "range", class: "by-slider", min: "0", step: "1", "aria-label": "Tick", oninput: () => viewer.seek(Number(this.slider.value)) });
    // After the mouse has let go, arrow keys mean what they mean elsewhere.
    this.slider.addEventListener("pointerup", () => this.slider.blur());
    this.track.addEventListener("pointerdown", (event) => this._down(event));
    this.track.addEventListener("pointermove", (event) => this._move(event));
    this.track.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    slot.append(this.track, this.slider); // the controls take the choice of a figure
  }

  // Shows a film anew: it is another one, or has grown, or its head has changed.
  dress() {
    const { head } = this.viewer.whole;
    this.figure.replaceChildren(...head.numbers.map((name, at) => make("option", { value: String(at) }, name)));
    this.figure.hidden = head.numbers.length < 2;
    this.draw();
  }

  // All marks in order: [tick, seat, kind, text].
  get marks() {
    const last = this.viewer.last;
    return [...this.viewer.whole.head.marks, ...this.extra].filter(([tick]) => tick <= last).sort((one, other) => one[0] - other[0]);
  }

  addMarks(marks) {
    this.extra = [...this.extra, ...marks];
    this.draw();
  }

  // The next mark after a tick, or the one before it; undefined if there is none.
  nextMark(tick, direction, wanted = () => true) {
    const marks = this.marks.filter(wanted);
    return direction > 0 ? marks.find(([at]) => at > tick) : marks.findLast(([at]) => at < tick);
  }

  // Goes to the next mark, or the one before.
  async go(direction, wanted) {
    const mark = this.nextMark(this.viewer.tick, direction, wanted);
    if (mark) await this.viewer.seek(mark[0]);
    else this.viewer.announce(direction > 0 ? "No such mark comes after this tick." : "No such mark comes before this tick.", true);
  }

  draw() {
    const width = this.track.clientWidth;
    const height = this.track.clientHeight;
    if (!width || !height || !this.viewer.whole) return;
    const ratio = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [width * ratio, height * ratio];
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    this._drawCurves(context, height - LANE);
    for (const mark of this.marks) drawMark(context, this.viewer.theme, mark, this._x(mark[0]), height);
    this.update();
  }

  _drawCurves(context, height) {
    const curves = this.viewer.whole.series(Number(this.figure.value || 0));
    const values = curves.flat().map(([, value]) => value);
    const [low, high] = [values.reduce((a, b) => Math.min(a, b), 0), values.reduce((a, b) => Math.max(a, b), 1)];
    const y = (value) => 3 + (1 - (value - low) / (high - low)) * (height - 7);
    context.strokeStyle = colourOf(this.viewer.theme, "border", -1);
    context.strokeRect(EDGE, Math.round(y(0)) + 0.5, this.track.clientWidth - 2 * EDGE, 0);
    curves.forEach((curve, seat) => {
      if (!curve.length) return;
      context.beginPath();
      context.strokeStyle = colourOf(this.viewer.theme, "own", seat);
      context.lineWidth = 2;
      context.lineJoin = "round";
      context.setLineDash(DASHES[Math.floor(seat / 4) % DASHES.length]);
      for (const [tick, value] of curve) {
        const x = this._x(tick);
        if (tick !== curve[0][0]) context.lineTo(x, this._lastY);
        this._lastY = y(value);
        context.lineTo(x, this._lastY);
      }
      context.lineTo(this._x(this.viewer.last), this._lastY);
      context.stroke();
    });
    context.setLineDash([]);
  }

  _x(tick) {
    return EDGE + (tick / Math.max(1, this.viewer.last)) * (this.track.clientWidth - 2 * EDGE);
  }

  update() {
    const { tick, last, words } = this.viewer;
    this.slider.max = String(Math.max(1, last));
    this.slider.value = String(tick);
    this.slider.setAttribute("aria-valuetext", `tick ${tick} of ${last}${words?.headline ? `, ${words.headline}` : ""}`);
    this.head.style.transform = `translateX(${this._x(tick)}px)`;
  }

  _tickAt(event) {
    const x = event.clientX - this.track.getBoundingClientRect().left;
    const mark = this._markAt(x);
    const tick = Math.round(((x - EDGE) / (this.track.clientWidth - 2 * EDGE)) * this.viewer.last);
    return mark && event.type === "pointerdown" ? mark[0] : tick;
  }

  _markAt(x) {
    const distance = ([tick]) => Math.abs(this._x(tick) - x);
    const near = this.marks.filter((mark) => distance(mark) <= NEAR);
    return near.sort((one, other) => distance(one) - distance(other))[0];
  }

  _down(event) {
    this.track.setPointerCapture(event.pointerId);
    this.viewer.seek(this._tickAt(event));
  }

  _move(event) {
    if (event.buttons === 1) this.viewer.seek(this._tickAt(event));
    const x = event.clientX - this.track.getBoundingClientRect().left;
    const mark = this._markAt(x);
    this.tip.hidden = !mark;
    if (!mark) return;
    setText(this.tip, `${mark[0]}: ${markWords(this.viewer.whole.head, mark)}`);
    const right = x > this.track.clientWidth / 2;
    this.tip.style.left = right ? "" : `${this._x(mark[0])}px`;
    this.tip.style.right = right ? `${this.track.clientWidth - this._x(mark[0])}px` : "";
  }
}

export function markWords(head, [, seat, , text]) {
  return seat >= 0 ? `${head.names[seat] || "(no name)"} ${text}` : text;
}

const SHAPES = {
  won: [0, -4, 4.5, 4, -4.5, 4],
  paid: [0, 4, 4.5, -4, -4.5, -4],
  event: [0, -5, 5, 0, 0, 5, -5, 0],
  turn: [-4, -4, 4, -4, 4, 4, -4, 4],
};

function drawMark(context, theme, [, seat, kind], x, height) {
  const y = height - LANE / 2;
  const colour = seat >= 0 ? colourOf(theme, "own", seat) : colourOf(theme, "faint", -1);
  context.fillStyle = context.strokeStyle = kind === "turn" ? colourOf(theme, "bad", -1) : colour;
  context.beginPath();
  if (kind === "round") context.rect(x - 1, 0, 2, height);
  else if (kind in SHAPES) for (let at = 0; at < SHAPES[kind].length; at += 2) context.lineTo(x + SHAPES[kind][at], y + SHAPES[kind][at + 1]);
  else if (kind === "out") {
    for (const side of [-4, 4]) {
      context.moveTo(x - side, y - 4);
      context.lineTo(x + side, y + 4);
    }
    context.lineWidth = 2.5;
    context.stroke();
    return;
  } else context.arc(x, y, 4, 0, 2 * Math.PI);
  context.fill();
}
