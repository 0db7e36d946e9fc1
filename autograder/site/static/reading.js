// What Sphinx and the theme leave out for readers with a keyboard or a screen reader.
"use strict";

document.querySelectorAll(".caption[role=heading]").forEach((caption) => {
  caption.setAttribute("aria-level", "2");
});
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
// A link to what is folded unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", unfold);
unfold();
// Longer than a line of code may be: a message, whose end should be seen.
const LONGEST = 95;
document.querySelectorAll("pre").forEach((text) => {
  const longest = Math.max(...text.textContent.split("\n").map((line) => line.length));
  text.classList.toggle("a-message", longest > LONGEST);
});
// Rows of texts stand below each other on a small screen: each says what its parts are.
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TH: "columnheader", TD: "cell" };
document.querySelectorAll(".table-wrapper table").forEach((table) => {
  const cells = [...table.querySelectorAll("tbody td")];
  if (table.querySelector("tbody").textContent.length < 25 * cells.length) return;
  table.classList.add("of-texts");
  const columns = [...table.querySelectorAll("thead th")].map((each) => each.textContent);
  cells.forEach((cell) => (cell.dataset.column = columns[cell.cellIndex] ?? ""));
  [table, ...table.querySelectorAll("*")]
    .filter((each) => each.tagName in ROLES)
    .forEach((each) => each.setAttribute("role", ROLES[each.tagName])); // display: block takes them
});
// What is wider than the page can be moved by keyboard, also after it was turned.
const reach = () =>
  document.querySelectorAll("pre, .table-wrapper").forEach((each) => {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    else each.removeAttribute("tabindex");
  });
addEventListener("resize", reach);
reach();
