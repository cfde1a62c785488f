// A film in the browser: render/film.py says what it looks like as JSON. This module gives back its frames.

export const BLOCK = 100; // ticks from one key frame to the next
const PIECE = 5; // numbers of a piece in a key frame, and of a change
const NEW = [0, 0, 0, 0]; // where a piece comes from that was not there one tick before

// One block being played: the frame of its first tick, then what changed.
class Reel {
  constructor(block, head) {
    this.block = block;
    this.tick = block.at;
    this.grid = new Uint16Array(head.rows * head.cols);
    let cell = 0;
    for (let at = 0; at < block.grid.length; at += 2) {
      this.grid.fill(block.grid[at], cell, cell + block.grid[at + 1]);
      cell += block.grid[at + 1];
    }
    this.order = [];
    this.placed = new Map();
    for (let at = 0; at < block.pieces.length; at += PIECE) {
      const id = block.pieces[at];
      this.order.push(id);
      this.placed.set(id, block.pieces.slice(at + 1, at + PIECE));
    }
    const [headline, conditions, numbers] = block.words || ["", [], head.numbers.map(() => [])];
    this.headline = headline;
    this.conditions = [...conditions];
    this.numbers = numbers.map((values) => [...values]);
  }

  advance() {
    const [cells, order, changes, headline, conditions, numbers] = this.block.ticks[this.tick - this.block.at];
    for (let at = 0, cell = 0; cells && at < cells.length; at += 2) {
      cell += cells[at];
      this.grid[cell] = cells[at + 1];
    }
    if (order) {
      this.order = order;
      this.placed = new Map(order.map((id) => [id, this.placed.get(id) ?? NEW]));
    }
    for (let at = 0; changes && at < changes.length; at += PIECE) {
      const [which, down, right, tile, number] = changes.slice(at, at + PIECE);
      const [row, col] = this.placed.get(this.order[which]);
      this.placed.set(this.order[which], [row + down, col + right, tile, number]);
    }
    if (headline) this.headline = headline;
    for (let at = 0; conditions && at < conditions.length; at += 2) this.conditions[conditions[at]] = conditions[at + 1];
    for (let at = 0; numbers && at < numbers.length; at += 3) this.numbers[numbers[at]][numbers[at + 1]] += numbers[at + 2];
    this.tick += 1;
  }

  frame() {
    const pieces = this.order.map((id) => {
      const [row, col, tile, number] = this.placed.get(id);
      return { id, row, col, tile, number };
    });
    return {
      tick: this.tick,
      grid: this.grid.slice(),
      pieces,
      headline: this.headline,
      conditions: [...this.conditions],
      numbers: this.numbers.map((values) => [...values]),
    };
  }
}

// A film sends "grow" when ticks were appended, and "head" when its head changed (marks, names, its end).
export class Film extends EventTarget {
  // blocks: those that are here already, in order; loadBlock(number) → Promise of the block that begins at number × BLOCK.
  constructor(head, blocks, loadBlock = null) {
    super();
    this.head = head;
    this.blocks = blocks.filter(Boolean).sort((one, other) => one.at - other.at);
    this._loadBlock = loadBlock;
    this._loading = new Map();
    this._reel = null;
  }

  // The last tick; of a film that grows, the last one that is here.
  get last() {
    return this.head.last ?? this._end;
  }

  get growing() {
    return this.head.last === null || this.head.last === undefined;
  }

  // Whether ticks that are not here can be had.
  get loads() {
    return this._loadBlock !== null;
  }

  get _end() {
    const block = this.blocks.at(-1);
    return block ? lastOf(block) : 0;
  }

  // Appends what FilmStock.add made of a tick: what changed, or a whole block that begins with it. A block may also begin
  // later than the tick that comes next: whoever fell behind has a gap there.
  append(part) {
    if (Array.isArray(part)) this.blocks.at(-1).ticks.push(part);
    else this.blocks.push(part);
    this.dispatchEvent(new Event("grow"));
  }

  // Takes over what became of the head since: {last, outcome, marks, …}.
  amend(changes) {
    Object.assign(this.head, changes);
    this.dispatchEvent(new Event("head"));
  }

  has(tick) {
    const block = this._blockBefore(tick);
    return Boolean(block) && tick <= lastOf(block);
  }

  // Resolves when frame(tick) can be asked for.
  async ready(tick) {
    if (this.has(tick) || !this._loadBlock || tick < 0 || tick > this.last) return;
    const number = Math.floor(tick / BLOCK);
    if (!this._loading.has(number)) {
      const taken = Promise.resolve(this._loadBlock(number)).then((block) => this._insert(block));
      this._loading.set(number, taken.finally(() => this._loading.delete(number)));
    }
    await this._loading.get(number);
  }

  _insert(block) {
    if (!block || this.blocks.some((known) => known.at === block.at)) return;
    this.blocks.push(block);
    this.blocks.sort((one, other) => one.at - other.at);
    this.dispatchEvent(new Event("grow"));
  }

  // The frame of a tick; where a tick is missing, of the last one before it that is here.
  frame(tick) {
    const block = this._blockBefore(tick) ?? this.blocks[0];
    const wanted = Math.max(block.at, Math.min(tick, lastOf(block)));
    if (this._reel?.block !== block || this._reel.tick > wanted) this._reel = new Reel(block, this.head);
    while (this._reel.tick < wanted) this._reel.advance();
    return this._reel.frame();
  }

  _blockBefore(tick) {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle].at <= tick) low = middle + 1;
      else high = middle;
    }
    return this.blocks[low - 1];
  }

  // One figure through all ticks that are here: for each seat [[tick, value], …], a point where the value changes.
  series(name) {
    const curves = this.head.names.map(() => []);
    const put = (seat, tick, value) => {
      const curve = curves[seat];
      if (curve && (!curve.length || curve.at(-1)[1] !== value)) curve.push([tick, value]);
    };
    for (const block of this.blocks) {
      if (block.words) block.words[2][name]?.forEach((value, seat) => put(seat, block.at, value));
      block.ticks.forEach((entry, at) => {
        const numbers = entry[5] || [];
        for (let i = 0; i < numbers.length; i += 3) {
          const seat = numbers[i + 1];
          if (numbers[i] === name && curves[seat]) put(seat, block.at + at + 1, curves[seat].at(-1)[1] + numbers[i + 2]);
        }
      });
    }
    return curves;
  }
}

function lastOf(block) {
  return block.at + block.ticks.length;
}

// Unpacks what was packed with gzip and written as base64, such as a film in a page.
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
