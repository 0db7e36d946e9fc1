// How far the room is: the notebook most are in at the top, the others folded.

import { count, legend, make, say, table } from "./dom.js";
import { progressChart } from "./charts.js";

const WORDS = [
  ["is-solved", "solved"], ["is-tried", "tried, not solved"],
  ["is-started", "notebook open, not tried"], ["is-absent", "not there yet"],
];
const titleOf = (texts, name) => {
  const title = texts.exercises[name];
  const short = name.split("/")[1];
  return title ? `${title} · ${short}` : short;
};

const MANY = 2; // before a wall full of letters speaks of one person

/** Return "the gradient is divided twice ... (11 have met it so far.)". */
function causeOf(mistake) {
  return mistake.met > mistake.now
    ? `${mistake.cause} (${count(mistake.met, "has", "have")} met it so far.)` : mistake.cause;
}

/** Return what stands under a notebook; `said`: the exercise whose mistake stands above it. */
function body(state, notebook, texts, said) {
  const exercises = notebook.exercises.map((e) => ({
    ...e, title: titleOf(texts, e.name), heading: texts.exercises[e.name] || e.name,
  }));
  const rows = exercises.map((e) => [e.title, notebook.started, e.tried, e.solved]);
  const mistaken = exercises.filter((e) => e.mistakes.length);
  const news = mistaken.some((e) => e.name !== said);
  return [
    legend(WORDS),
    progressChart(exercises, notebook.started, state.learners),
    make("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: `Numbers of notebook ${notebook.number}` },
      table(`Of ${count(state.learners, "learner", "learners")}`, ["Exercise", "Started", "Tried", "Solved"], rows)),
    ...(news ? [make("h3", {}, "Most frequent mistake in each"),
      make("dl", {}, mistaken.flatMap((e) =>
        [make("dt", {}, e.title), make("dd", {}, `${e.mistakes[0].now} of ${state.learners}: ${causeOf(e.mistakes[0])}`)]))] : []),
  ];
}

/** The most frequent mistake of a notebook that at least so many make, in a sentence. */
function worstOf(state, notebook, least = 1) {
  const worst = notebook.exercises
    .filter((e) => e.mistakes[0]?.now >= least)
    .sort((one, other) => other.mistakes[0].now - one.mistakes[0].now)[0];
  return { worst, words: worst ? [
    "Most frequent mistake, in ", make("code", {}, worst.name.split("/")[1]), ": ",
    make("b", {}, `${worst.mistakes[0].now} of ${state.learners}`), `, ${causeOf(worst.mistakes[0])}`,
  ] : [least > 1 ? "No mistake that several make right now." : "No known mistake right now."] };
}

/** Return what the wall shows of a notebook: its worst mistake, and how far all are. */
export function notebookOnWall(state, texts) {
  const exercises = state.notebook.exercises.map((e) => ({
    ...e, title: titleOf(texts, e.name), heading: texts.exercises[e.name] || e.name,
  }));
  return [
    make("p", { className: "sentence" }, ...worstOf(state, state.notebook, MANY).words),
    legend(WORDS),
    progressChart(exercises, state.notebook.started, state.learners),
  ];
}

let shown = "";

/** Show the notebook that most learners are in, or the one that is pinned. */
export function showNow(state, texts) {
  const notebook = state.notebooks.find((n) => n.number === state.now);
  const key = JSON.stringify([notebook, state.learners, state.atNow]);
  if (!notebook || key === shown) return;
  shown = key;
  say(document.getElementById("now-title"), `${notebook.number} · ${texts[state.now].title}`);
  const { worst, words } = worstOf(state, notebook);
  const here = `${state.atNow} of ${state.learners} ${state.atNow === 1 ? "is" : "are"} in this notebook now.`;
  document.getElementById("now-mistake").replaceChildren(...words);
  keepScroll("now-body", make("p", { className: "quiet" }, here), ...body(state, notebook, texts[state.now], worst?.name));
}

function keepScroll(id, ...children) {
  const box = document.getElementById(id);
  const inside = box.contains(document.activeElement);
  const left = box.querySelector(".wide")?.scrollLeft ?? 0;
  box.replaceChildren(...children);
  const region = box.querySelector(".wide");
  region.scrollLeft = left;
  if (inside) region.focus(); // it is the only place in there that takes the focus
}

const folds = new Map();

/** Show all notebooks, folded; one that is open is drawn again where it changed. */
export function showOthers(state, texts) {
  const box = document.getElementById("others-body");
  for (const notebook of state.notebooks) {
    if (!folds.has(notebook.number)) {
      const fold = make("details", {}, make("summary"), make("div"));
      folds.set(notebook.number, { fold, key: "" });
      fold.addEventListener("toggle", () => draw(folds.get(notebook.number)));
      box.append(fold);
    }
    const entry = folds.get(notebook.number);
    Object.assign(entry, { state, notebook, texts: texts[notebook.number] });
    say(entry.fold.firstChild, `${notebook.number} · ${texts[notebook.number].title} – `
      + (notebook.started
        ? `${notebook.started} started, ${notebook.solvedOne} solved an exercise, ${notebook.solvedAll} all`
        : "nobody yet"));
    draw(entry);
  }
}

function draw(entry) {
  const key = JSON.stringify([entry.notebook, entry.state.learners]);
  if (!entry.fold.open || entry.key === key) return;
  entry.key = key;
  const inside = entry.fold.lastChild.contains(document.activeElement);
  entry.fold.lastChild.replaceChildren(...body(entry.state, entry.notebook, entry.texts));
  if (inside) entry.fold.lastChild.querySelector(".wide").focus();
}

/** Show the learners one by one: names of those who agreed, numbers of the others. */
export function showPeople(state) {
  const box = document.getElementById("people-body");
  const key = JSON.stringify(state.people);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(table("Where each is now", ["Learner", "Notebook", "Tried", "Solved", "Mistake now"],
    state.people.map((p) => [
      p.label, p.at ?? "–", p.at ? `${p.tried} of ${p.of}` : "–", p.at ? `${p.solved} of ${p.of}` : "–",
      p.mistakes.join(" ") || "–",
    ])));
}
