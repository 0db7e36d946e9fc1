// What Sphinx and the theme leave out for readers with a keyboard or a screen reader.
"use strict";

document.querySelectorAll(".caption[role=heading]").forEach((caption) => {
  caption.setAttribute("aria-level", "2");
});
// A link to what is folded unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", unfold);
unfold();
document.querySelectorAll("pre").forEach((code) => {
  if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
});
