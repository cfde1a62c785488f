// A film that grows while its game is played: match/live_film.py says what comes over the socket.
import { Film } from "./film.js";

const AGAIN_MS = 1000; // before a lost connection is tried again
const TRIES = 20; // in a row without an answer
const GONE = 4404; // how a socket is closed if there is nothing to watch any more: links/viewing/sockets.py

// Resolves with a Film as soon as its first frame is there; it grows until the game is over. loadBlock(number) gives a block that
// was missed. tell(sentence) hears what a person should know: that the film is withheld until the game is over, or lost. A game
// may be over before its first frame came: instead() then gives its film, or null while there is none. Where the server says
// that there is nothing to watch any more, a film ends with what is here; if nothing is here, this resolves with null.
export function liveFilm(address, loadBlock, tell = () => {}, instead = async () => null) {
  return new Promise((resolve) => new Stream(address, loadBlock, resolve, tell, instead).open());
}

class Stream {
  constructor(address, loadBlock, first, tell, instead) {
    Object.assign(this, { address, loadBlock, first, tell, instead, film: null, tries: 0 });
  }

  open() {
    const socket = new WebSocket(this.address);
    socket.onmessage = ({ data }) => {
      this.tries = 0;
      this.take(JSON.parse(data));
    };
    socket.onclose = async ({ code }) => {
      if (this.film && !this.film.growing) return; // it is over, and all was told
      if (code === GONE) {
        this.end();
        return;
      }
      const film = this.film ? null : await this.instead();
      if (film) {
        this.first(film);
        return;
      }
      this.tries += 1;
      if (this.tries > TRIES) this.tell("The connection to the match is lost.");
      else setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  end() {
    if (this.film) this.film.amend({ last: this.film.last });
    else this.first(null);
  }

  take({ head, marks, parts, withheld }) {
    if (withheld) {
      this.tell(withheld);
      return;
    }
    if (!this.film) {
      this.film = new Film({ ...head, last: null }, parts, this.loadBlock);
      if (head.last !== null) this.film.amend(head);
      this.first(this.film);
      return;
    }
    for (const part of parts ?? []) this.add(part);
    if (head) this.film.amend(head);
    else if (marks) this.film.amend({ marks: [...this.film.head.marks, ...marks] });
  }

  // A block that is here already comes again after a lost connection: it may have got longer meanwhile.
  add(part) {
    const known = Array.isArray(part) ? null : this.film.blocks.find((block) => block.at === part.at);
    if (!known) this.film.append(part);
    else for (const tick of part.ticks.slice(known.ticks.length)) this.film.append(tick);
  }
}
