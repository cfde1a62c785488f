// The page that needs no network: the films lie in it, packed.
import { Film, unpacked } from "./film.js";
import { timesIn } from "./playback.js";
import { applyTheme } from "./theme.js";
import { mount } from "./viewer.js";

async function packedIn(id) {
  const element = document.getElementById(id);
  return element && unpacked(element.textContent);
}

async function filmIn(id) {
  const { head, blocks } = await packedIn(id);
  return new Film(head, blocks);
}

// Shows the films of this page in an element; panels: factories of what stands beside the board.
export function showFilms(element, panels = []) {
  const films = new Map();
  const source = {
    seats: document.getElementById("by-film-0") !== null,
    film(seat) {
      const id = seat === null ? "by-film" : `by-film-${seat}`;
      if (!films.has(id)) films.set(id, filmIn(id));
      return films.get(id);
    },
  };
  if (document.getElementById("by-turns")) {
    source.turns = () => (films.turns ??= packedIn("by-turns"));
    source.times = source.turns().then(timesIn);
  }
  const viewer = mount(element, source, { heading: "h1", panels });
  viewer.addEventListener("state", () => applyTheme(document.documentElement, viewer.theme)); // what lies beside it, too
  return viewer;
}
