// The vote: open, discuss, vote again, reveal, close; cancelled, nobody saw an answer.

import { make, say, table } from "./dom.js";
import { send } from "./link.js";
import { bar, haveVoted, headline } from "./question.js";

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
let chosen = null; // a question stays chosen, wherever the room goes

/** Ask the service for a step; the page shows what comes of it. */
export async function step(action, number) {
  const answer = await send("step", { method: "POST", body: JSON.stringify({ action, number }) })
    .catch(() => null);
  say(told, answer?.ok ? "" : "That did not work. The page shows how things stand.");
}

/** Show the vote as it stands, or a choice of questions. */
export function showVote(state, texts) {
  const vote = state.vote;
  const question = vote && (vote.own ?? texts[vote.number].question);
  say(document.getElementById("vote-title"), vote ? `Vote: ${vote.title}` : "Vote");
  document.querySelector("main").classList.toggle("voting", Boolean(vote)); // the vote gets the width
  address.hidden = vote?.phase === "revealed";
  document.getElementById("ask").hidden = Boolean(vote);
  say(asked, vote ? question.text : "");
  const all = state.learners + state.phones;
  say(stateLine, vote ? PHASES[vote.phase](vote, all) : "No question is open.");
  showButtons(state, texts);
  const key = JSON.stringify([vote?.number, vote?.phase, vote?.counts, vote?.shown, vote?.counts && vote.voted]);
  if (key === shownBody) return;
  shownBody = key;
  body.replaceChildren(...(vote ? content(vote, question) : []));
}

function showButtons(state, texts) {
  const vote = state.vote;
  const key = JSON.stringify(vote ? [vote.phase, vote.shown] : [chosen ?? state.now, state.own]);
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
    made.push(make("button", { type: "button", "data-action": "cancel", onclick: () => step("cancel") }, "Cancel: forget this vote"));
  }
  return made;
}

function chooser(state, texts) {
  const asked = Object.entries(texts).filter(([, notebook]) => notebook.question)
    .sort(([one], [other]) => one.localeCompare(other));
  const own = Object.entries(state.own).map(([number, text]) => [number, `Yours: ${text}`]);
  const all = [...asked.map(([number, notebook]) => [number, `${number} · ${notebook.title}`]), ...own];
  const select = make("select", { id: "vote-choice" }, all.map(([number, words]) =>
    make("option", { value: number, selected: number === (chosen ?? state.now) }, words)));
  select.addEventListener("change", () => { chosen = select.value; });
  return [
    make("label", { htmlFor: "vote-choice" }, "Question"),
    select,
    make("button", { type: "button", className: "main", "data-action": "open", onclick: () => { step("open", select.value); chosen = null; } }, "Open the vote"),
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
  const rows = question.bars.map((each) => [answer(each, question, revealed),
    ...rounds.map(([round, word]) => {
      const votes = bar(round, vote.counts[round][each.key], most);
      votes.dataset.round = word;
      return votes;
    })]);
  return [make("div", { className: "wide answers", tabIndex: 0, role: "region", ariaLabel: "Answers" },
    table(revealed ? headline(vote, question) : "The votes so far", [question.ticks ? "Tick" : "Answer", ...heads], rows))];
}

function answer(each, question, revealed) {
  const truth = question.ticks ? (each.right ? " ✓ yes" : " – no") : (each.right ? " ✓ right" : "");
  return make("span", { className: revealed && each.right && !question.ticks ? "right-answer" : "" },
    `${each.key}. `, each.label, revealed ? make("b", {}, truth) : "",
    revealed && each.comment ? make("span", { className: "comment" }, each.comment) : "");
}
