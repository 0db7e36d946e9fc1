
"use strict";
const field = document.getElementById("filter");
const matches = document.getElementById("matches");
const items = [...document.querySelectorAll(".who > *")].map((item) =>
  [item, item.querySelector("bdi").textContent.toLowerCase()]);
const holders = [...document.querySelectorAll(".holder")];
const folds = [...document.querySelectorAll("details")].filter((fold) => fold.querySelector(".who"));
const FEW = 12; // students: for more of them the folds stay as they are
const everyone = new Set(items.map(([, name]) => name)).size;
let before = null; // which folds were open

function show() {
  const wanted = field.value.trim().toLowerCase();
  const found = new Set();
  for (const [item, name] of items) {
    item.hidden = !name.includes(wanted);
    if (!item.hidden) found.add(name);
  }
  for (const holder of holders) holder.hidden = !holder.querySelector(".who > :not([hidden])");
  const few = wanted && found.size <= FEW;
  if (few) before ??= folds.map((fold) => fold.open);
  if (before) folds.forEach((fold, number) => { fold.open = few || before[number]; });
  if (!few) before = null;
  matches.textContent = wanted ? `${found.size} of ${everyone} students` : "";
}

field.addEventListener("input", show);
document.getElementById("finding").hidden = false;
show();
