// The build log of a version grows on its page while it is built; when the version has come on, the page is made anew.
const log = document.querySelector("pre[data-progress]");
const state = document.querySelector("[data-state]")?.dataset.state;
const PAUSE = 1000;

async function look() {
  const answer = await fetch(`${log.dataset.progress}?at=${log.dataset.at}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) return answer.status >= 500 || answer.status === 429;
  const told = await answer.json();
  if (told.text) {
    const below = log.scrollHeight - log.scrollTop - log.clientHeight < 24; // whoever reads further up stays there
    log.append(told.text);
    log.dataset.at = told.at;
    if (below) log.scrollTop = log.scrollHeight;
  }
  const waits = document.querySelector("[data-waits] span");
  if (waits && told.why) waits.textContent = `${told.why.charAt(0).toUpperCase()}${told.why.slice(1)}. ${told.queue}`;
  if (told.state !== state) {
    location.reload();
    return false;
  }
  return told.unfinished;
}

async function follow() {
  for (let on = true; on; ) {
    await new Promise((done) => setTimeout(done, document.hidden ? 4 * PAUSE : PAUSE));
    try {
      on = await look();
    } catch {
      // the server is away for a moment
    }
  }
}
if (log) follow();
