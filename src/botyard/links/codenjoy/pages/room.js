// The page of a room keeps itself up to date: it asks for itself again, and takes over what may have changed. The page is
// not loaded anew, which would take the focus from whoever reads it with keys or by ear.
const AGAIN_MS = 5000;
const CHANGING = ["words", "rows", "nobody"]; // ids

async function refresh() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) CHANGING.forEach((id) => take(document.getElementById(id), page.getElementById(id)));
  } catch {
    // the server may come back
  }
  setTimeout(refresh, AGAIN_MS);
}

function take(shown, news) {
  if (shown.innerHTML !== news.innerHTML && !shown.contains(document.activeElement)) shown.replaceWith(news);
}

setTimeout(refresh, AGAIN_MS);
