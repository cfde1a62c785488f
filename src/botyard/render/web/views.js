// Whose view a viewer shows: what everyone may see, or what one seat saw. The film of a seat may be long on its way, and
// until it is here whoever asked may change their mind.
export class Views {
  constructor(viewer) {
    this.viewer = viewer;
    this.asked = null; // the seat that was asked for last
    this._films = new WeakSet(); // those of seats that are followed
  }

  // Shows what one seat saw; null: what everyone may see.
  async show(seat) {
    const { viewer } = this;
    const wanted = viewer.source.seats && seat in viewer.whole.head.names ? seat : null;
    if (wanted === this.asked) return;
    this.asked = wanted;
    try {
      const film = wanted === null ? viewer.whole : await this._filmOf(wanted);
      await this._caughtUp(film);
      if (this.asked === wanted && viewer.seat !== wanted) viewer.showFilm(wanted, film);
    } catch (error) {
      if (this.asked !== wanted) return;
      this.asked = viewer.seat;
      viewer.announce(`This view cannot be shown: ${error.message}`, true);
    }
  }

  toggle(seat) {
    if (!this.viewer.source.seats) this.viewer.announce("This film shows what everyone can see; it has no views of seats.");
    return this.show(seat === this.asked ? null : seat);
  }

  async _filmOf(seat) {
    const { viewer } = this;
    const film = await viewer.source.film(seat);
    // It may grow later than what everyone sees.
    if (!this._films.has(film)) film.addEventListener("grow", () => viewer.film === film && viewer.goTo(viewer.tick));
    this._films.add(film);
    return film;
  }

  // Resolves when a film has the tick that is shown, which may go on meanwhile.
  async _caughtUp(film) {
    let tick;
    do {
      tick = this.viewer.tick;
      await film.ready(tick);
    } while (tick !== this.viewer.tick);
  }
}
