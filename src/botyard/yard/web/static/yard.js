// On every page: the theme that was chosen in the viewer holds here, too.
let chosen = null;
try {
  chosen = localStorage.getItem("botyard-theme");
} catch {
  // this page may keep nothing
}
if (chosen) {
  const { applyTheme, chosenTheme } = await import("./theme.js");
  applyTheme(document.documentElement, chosenTheme());
}
