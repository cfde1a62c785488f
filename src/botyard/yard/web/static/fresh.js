// Parts of a page that change by themselves: whatever has an id and data-fresh="SECONDS" is asked for again while somebody looks.
const places = [...document.querySelectorAll("[data-fresh][id]")];

async function freshen(seconds) {
  const wanted = places.filter((place) => Number(place.dataset.fresh) === seconds);
  if (document.hidden || wanted.some((place) => place.contains(document.activeElement))) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const place of wanted) {
    const fresh = page.getElementById(place.id);
    if (!fresh || fresh.dataset.state !== place.dataset.state) {
      location.reload(); // the page is another one by now
      return;
    }
    if (fresh.innerHTML !== place.innerHTML) place.innerHTML = fresh.innerHTML; // scripts in it do not run
  }
}

for (const seconds of new Set(places.map((place) => Number(place.dataset.fresh)))) {
  setInterval(() => freshen(seconds).catch(() => {}), 1000 * seconds); // a server that is away is asked again
}
