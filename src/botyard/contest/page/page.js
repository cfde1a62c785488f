// The games of the report, in the viewer that shows all games. An address such as #game=17&t=120 leads to a game and a tick of
// it; an address of a bot or a pair is none of the viewer's business, and is left alone.
import { make } from "./dom.js";
import { Film, unpacked } from "./film.js";
import { Link } from "./link.js";
import { mount } from "./viewer.js";

const slot = document.getElementById("viewer");
const choice = document.getElementById("choice");
const known = choice ? [...choice.options].map((option) => option.value) : [];
let viewer = null;
let shown = "";

function source(number) {
  let film = null;
  const open = async () => {
    const { head, blocks } = await unpacked(document.getElementById(`film-${number}`).textContent);
    return new Film(head, blocks);
  };
  return { seats: false, film: () => (film ??= open()) };
}

// Shows a game; resolves when it can be seen.
async function choose(number) {
  if (number === shown) return viewer.ready;
  shown = choice.value = number;
  viewer?.end();
  const host = make("div", {});
  slot.replaceChildren(host);
  const own = mount(host, source(number), { heading: "h3", link: false });
  viewer = globalThis.viewer = own;
  own.keyboard.enabled = false; // the page has keys of its own, until somebody uses the viewer
  await own.ready;
  return own;
}

function asked() {
  const number = new URLSearchParams(location.hash.slice(1)).get("game");
  return known.includes(number) ? number : null;
}

// Lets the address follow the viewer, or leaves it alone.
function follow(wanted) {
  if (!wanted) viewer.link?.end();
  else if (!viewer.link) {
    if (asked() !== shown) history.replaceState(history.state, "", `#game=${shown}`);
    viewer.link = new Link(viewer);
  }
  if (!wanted) viewer.link = null;
}

async function goToAddress() {
  const number = asked();
  if (number === null) {
    if (viewer) follow(false);
    return;
  }
  const own = await choose(number);
  choice.scrollIntoView();
  slot.focus({ preventScroll: true }); // from now on keys are for the viewer
  follow(true);
  await own.link.follow();
}

function used(event) {
  const inside = event.target instanceof Node && slot.contains(event.target);
  if (viewer) viewer.keyboard.enabled = inside;
  if (inside && event.type !== "focusin") follow(true);
}

if (choice) {
  choice.addEventListener("change", async () => {
    history.replaceState(history.state, "", `#game=${choice.value}`);
    await goToAddress();
  });
  for (const use of ["pointerdown", "keydown", "focusin"]) document.addEventListener(use, used, true);
  addEventListener("hashchange", goToAddress);
  choose(asked() ?? known[0]).then(goToAddress);
}
