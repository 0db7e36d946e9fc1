// What Sphinx and the theme leave out for readers with a keyboard or a screen reader.
"use strict";

document.querySelectorAll(".caption[role=heading]").forEach((caption) => {
  caption.setAttribute("aria-level", "2");
});
document.querySelectorAll("pre").forEach((code) => {
  if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
});
