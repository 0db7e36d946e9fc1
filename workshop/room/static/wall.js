// The wall: one question or one notebook, as large as the screen lets it be.

import { count, legend, make, say, table } from "./dom.js";
import { listen } from "./link.js";
import { notebookOnWall } from "./notebooks.js";
import { bar, fetchTexts, haveVoted, headline } from "./question.js";

const LARGEST = 44, SMALLEST = 14; // pixels of a letter's height, about

const texts = (await fetchTexts()).notebooks;
const box = document.getElementById("body");
const join = document.getElementById("join");
const root = document.documentElement;
let shown = "";

/** Take the largest letters at which everything is on the screen. */
function fit() {
  let size = LARGEST;
  const fits = () => root.scrollHeight <= innerHeight
    && [document.body, ...box.querySelectorAll("*")].every((e) => e.scrollWidth <= e.clientWidth + 1 || !e.clientWidth);
  do { root.style.fontSize = `${size}px`; } while (!fits() && --size >= SMALLEST);
}

const STATES = {
  first: (vote, all) => `${haveVoted(vote.voted.first, all)}.`,
  second: (vote, all) => `Discuss, then vote again: ${haveVoted(vote.voted.second, all)} again.`,
  revealed: () => "The vote is over.",
};

/** A question with its answers; their votes where the instructor shows them. */
function question(vote, asked, all) {
  const revealed = vote.phase === "revealed";
  const rounds = vote.counts ? Object.keys(vote.counts) : [];
  const most = Math.max(1, ...rounds.map((round) => vote.voted[round]));
  const votes = (key) => rounds.map((round) => bar(round, vote.counts[round][key], most));
  const told = revealed ? headline(vote, asked) : STATES[vote.phase](vote, all);
  return [
    make("p", { className: "asked" }, asked.text),
    asked.ticks ? ticks(asked, votes, revealed) : options(asked, votes, revealed),
    make("p", { className: "state" }, told),
    rounds.length > 1 ? legend([["bar is-first", "first vote"], ["bar is-second", "second"]]) : null,
  ].filter(Boolean);
}

function options(asked, votes, revealed) {
  return make("ul", { className: "options" }, asked.bars.map((each) =>
    make("li", { className: revealed && each.right ? "right-answer" : "" },
      make("b", {}, `${each.key}. `), each.label, ...votes(each.key),
      revealed && each.right && each.comment ? make("span", { className: "comment" }, each.comment) : null)));
}

function ticks(asked, votes, revealed) {
  const wide = asked.columns.length;
  const cell = (each) => make("span", { className: revealed && each.right ? "right-answer" : "" },
    ...votes(each.key), revealed ? (each.right ? "✓ yes" : "no") : votes(each.key).length ? "" : "☐");
  return table("", ["", ...asked.columns], asked.rows.map((row, place) =>
    [row, ...asked.bars.slice(place * wide, (place + 1) * wide).map(cell)]));
}

listen("wall/stream", (data) => {
  const state = JSON.parse(data);
  const { vote } = state;
  const phones = state.phones ? `, ${count(state.phones, "phone", "phones")}` : "";
  say(document.getElementById("count"), `${count(state.learners, "learner", "learners")}${phones}`);
  const key = JSON.stringify(vote ?? [state.notebook, state.learners, state.atNow]);
  if (key === shown) return;
  shown = key;
  join.hidden = !vote || vote.phase === "revealed" || !join.childElementCount;
  const title = vote ? vote.title : state.now ? `${state.now} · ${texts[state.now].title}` : "The room";
  say(document.getElementById("title"), title);
  box.replaceChildren(...(vote
    ? question(vote, vote.own ?? texts[vote.number].question, state.learners + state.phones)
    : state.notebook ? notebookOnWall(state, texts[state.now]) : [make("p", { className: "asked" }, "Nobody has begun a notebook yet")]));
  fit();
}, (yes) => say(document.getElementById("connection"), yes ? "Live" : "Connecting again …"));

addEventListener("resize", fit);
document.getElementById("full").addEventListener("click", () => root.requestFullscreen().catch(() => {}));
