// The vote: open, discuss, vote again, reveal, close.

import { make, say, table } from "./dom.js";
import { send } from "./link.js";

const haveVoted = (some, all) => `${some} of ${all} ${some === 1 ? "has" : "have"} voted`;
const PHASES = {
  first: (vote, all) => `Vote is open: ${haveVoted(vote.voted.first, all)}.`,
  second: (vote, all) => `Discuss, then vote again: ${haveVoted(vote.voted.second, all)} a second time.`,
  revealed: () => "The vote is over.",
};
const BUTTONS = {
  first: [["discuss", "Discuss, then vote again"], ["reveal", "Reveal"]],
  second: [["reveal", "Reveal"]],
  revealed: [["close", "Close the question"]],
};
const ROUNDS = { first: "First", second: "Second" };
const stateLine = document.getElementById("vote-state");
const told = document.getElementById("vote-told");
const address = document.getElementById("vote-address");
const asked = document.getElementById("vote-question");
const body = document.getElementById("vote-body");
const buttons = document.getElementById("vote-buttons");
let shownBody = "";
let shownButtons = "";

async function step(action, number) {
  const answer = await send("step", { method: "POST", body: JSON.stringify({ action, number }) })
    .catch(() => null);
  say(told, answer?.ok ? "" : "That did not work. The page shows how things stand.");
}

/** Show the vote as it stands, or a choice of questions. */
export function showVote(state, texts) {
  const vote = state.vote;
  say(document.getElementById("vote-title"),
    vote ? `Vote on the question of ${vote.number}` : "Vote");
  document.querySelector("main").classList.toggle("voting", Boolean(vote)); // the vote gets the width
  address.hidden = vote?.phase === "revealed";
  say(asked, vote ? texts[vote.number].question.text : "");
  say(stateLine, vote ? PHASES[vote.phase](vote, state.learners) : "No question is open.");
  showButtons(state, texts);
  const key = JSON.stringify([vote?.number, vote?.phase, vote?.counts, vote?.shown, vote?.counts && vote.voted]);
  if (key === shownBody) return;
  shownBody = key;
  body.replaceChildren(...(vote ? content(vote, texts[vote.number].question) : []));
}

function showButtons(state, texts) {
  const vote = state.vote;
  const key = JSON.stringify(vote ? [vote.phase, vote.shown] : [state.now]);
  // a list that somebody is choosing from stays as it is
  if (key === shownButtons || (!vote && buttons.querySelector("select:focus"))) return;
  shownButtons = key;
  const focused = buttons.contains(document.activeElement)
    && (document.activeElement.dataset.action ?? "none");
  buttons.replaceChildren(...(vote ? steps(vote) : chooser(state, texts)));
  // the same key once more must not go a step further: what is new takes no focus
  if (focused) (buttons.querySelector(`[data-action="${focused}"]`) ?? stateLine).focus();
}

function steps(vote) {
  const made = BUTTONS[vote.phase].map(([action, words], index) =>
    make("button", { type: "button", className: index === 0 ? "main" : "", "data-action": action, onclick: () => step(action) }, words));
  if (vote.phase !== "revealed") {
    made.push(make("button", {
      type: "button", ariaPressed: String(vote.shown), "data-action": "show", onclick: () => step(vote.shown ? "hide" : "show"),
    }, "Show the votes so far"));
  }
  return made;
}

function chooser(state, texts) {
  const asked = Object.entries(texts).filter(([, notebook]) => notebook.question)
    .sort(([one], [other]) => one.localeCompare(other));
  const select = make("select", { id: "vote-choice" }, asked.map(([number, notebook]) =>
    make("option", { value: number, selected: number === state.now }, `${number} · ${notebook.title}`)));
  return [
    make("label", { htmlFor: "vote-choice" }, "Question of notebook"),
    select,
    make("button", { type: "button", className: "main", "data-action": "open", onclick: () => step("open", select.value) }, "Open the vote"),
  ];
}

/** The answers: alone while nobody should be swayed, else with the votes for each. */
function content(vote, question) {
  if (!vote.counts) {
    return [make("ul", { className: "options" },
      question.bars.map((bar) => make("li", {}, make("b", {}, `${bar.key}.`), ` ${bar.label}`)))];
  }
  const revealed = vote.phase === "revealed";
  const rounds = Object.entries(ROUNDS).filter(([round]) => vote.counts[round]);
  const most = Math.max(1, ...rounds.map(([round]) => vote.voted[round]));
  const heads = rounds.map(([round, word]) => `${word} (${vote.voted[round]})`);
  const rows = question.bars.map((bar) => [answer(bar, question, revealed),
    ...rounds.map(([round, word]) => votes(round, word, vote.counts[round][bar.key], most))]);
  return [make("div", { className: "wide answers", tabIndex: 0, role: "region", ariaLabel: "Answers" },
    table(revealed ? headline(vote, question) : "The votes so far", [question.ticks ? "Tick" : "Answer", ...heads], rows))];
}

/** A bar, as long as its share of the votes, and its number. */
function votes(round, word, number, most) {
  const bar = make("span", { className: `bar is-${round}` });
  bar.style.setProperty("--share", number / most);
  return make("span", { className: "votes", "data-round": word }, bar, String(number));
}

function answer(bar, question, revealed) {
  const truth = question.ticks ? (bar.right ? " ✓ yes" : " – no") : (bar.right ? " ✓ right" : "");
  return make("span", { className: revealed && bar.right && !question.ticks ? "right-answer" : "" },
    `${bar.key}. `, bar.label, revealed ? make("b", {}, truth) : "",
    revealed && bar.comment ? make("span", { className: "comment" }, bar.comment) : "");
}

/** One sentence: what the two votes say. */
function headline(vote, question) {
  if (question.ticks) return "How many ticked what; ✓ stands where a run shows yes.";
  const right = question.bars.find((bar) => bar.right).key;
  const count = (round) => `${vote.counts[round][right]} of ${vote.voted[round]}`;
  return vote.counts.second
    ? `${right} is right. First ${count("first")} chose it, after the discussion ${count("second")}.`
    : `${right} is right: ${count("first")} chose it.`;
}
