// The build log of a version grows on its page while it is built; when the version has come on, the page is made anew.
const log = document.querySelector("pre[data-progress]");
const state = document.querySelector("[data-state]")?.dataset.state;
const PAUSE = 1000; // before a stream that broke off is asked for again

// Shows what has come; returns whether more will.
function take(told) {
  const below = log.scrollHeight - log.scrollTop - log.clientHeight < 24; // whoever reads further up stays there
  if (told.text) log.append(told.text);
  log.dataset.at = told.at;
  if (below) log.scrollTop = log.scrollHeight;
  const waits = document.querySelector("[data-waits] span");
  if (waits && told.why) waits.textContent = `${told.why.charAt(0).toUpperCase()}${told.why.slice(1)}. ${told.queue}`;
  if (told.state !== state) location.reload();
  return told.unfinished && told.state === state;
}

// Reads one answer to its end; returns whether to ask again.
async function read() {
  const answer = await fetch(`${log.dataset.progress}?follow=yes&at=${log.dataset.at}`);
  if (!answer.ok) return answer.status >= 500 || answer.status === 429;
  const words = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  for (;;) {
    const { value, done } = await words.read();
    if (done) return true;
    const lines = (line + value).split("\n");
    line = lines.pop();
    if (!lines.filter(Boolean).map(JSON.parse).every(take)) return false;
  }
}

async function follow() {
  while (await read().catch(() => true)) await new Promise((done) => setTimeout(done, PAUSE));
}
if (log) follow();
