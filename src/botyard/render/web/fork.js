// What if: the game is played on from the tick that is shown, by hand or by house bots (links/viewing/forks.py).
import { make, nameOf, setText } from "./dom.js";

// A panel of a viewer. offered() → Promise of {names, bots}; ask({tick, seats}) → Promise, which goes to the new match.
export function fork(viewer, offered, ask) {
  const fields = make("div", { class: "by-fork-seats" });
  const says = make("p", { class: "by-fork-says", role: "status" });
  const button = make("button", { type: "button", class: "by-fork-go" });
  const details = make("details", { class: "by-fork" }, make("summary", {}, "What if …"), fields, button, says);
  let choices = null;

  button.addEventListener("click", async () => {
    button.disabled = true;
    setText(says, "");
    try {
      await ask({ tick: viewer.tick, seats: choices.map((choice) => choice.value) });
    } catch (error) {
      setText(says, error.message);
      update(viewer.tick);
    }
  });
  details.addEventListener("toggle", async () => {
    if (!details.open || choices) return;
    choices = [];
    const { names, bots } = await offered();
    choices = names.map((name, seat) => chooser(bots, name, seat));
    fields.replaceChildren(...choices.map((choice, seat) => make("label", { class: "by-fork-seat" }, nameOf(names[seat]), choice)));
  });

  function update(tick) {
    button.disabled = tick >= viewer.last;
    setText(button, tick >= viewer.last ? "Go to a tick before the end" : `Play on from tick ${tick}`);
  }
  update(viewer.tick);
  return { element: details, update };
}

// Who plays a seat on: the first by hand, the others by the bot of their name if there is one.
function chooser(bots, name, seat) {
  const same = bots.indexOf(`house:${name}`);
  const chosen = seat === 0 ? 0 : Math.max(same, 1);
  const options = bots.map((bot, at) => make("option", { value: bot, selected: at === chosen }, bot === "human" ? "you, by hand" : bot));
  return make("select", { class: "by-select" }, ...options);
}
