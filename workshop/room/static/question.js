// What the control view and the wall both say of a question and its votes.

import { make } from "./dom.js";
import { send } from "./link.js";

/** Return the texts of the course, and what time it is at the service. */
export async function fetchTexts() {
  for (;;) {
    const answer = await send("texts").catch(() => null);
    if (answer?.ok) return answer.json();
    await new Promise((again) => setTimeout(again, 1000));
  }
}

/** Return "3 of 4 have voted". */
export const haveVoted = (some, all) => `${some} of ${all} ${some === 1 ? "has" : "have"} voted`;

/** Return a bar, as long as its share of the votes, and its number. */
export function bar(round, number, most) {
  const shape = make("span", { className: `bar is-${round}` });
  shape.style.setProperty("--share", number / most);
  return make("span", { className: "votes" }, shape, String(number));
}

/** Return one sentence: what the two votes say. */
export function headline(vote, question) {
  if (question.ticks) return "How many ticked what; ✓ stands where a run shows yes.";
  const right = question.bars.find((each) => each.right)?.key;
  if (!right) return "This is what the room says.";
  const chose = (round) => `${vote.counts[round][right]} of ${vote.voted[round]}`;
  return vote.counts.second
    ? `${right} is right. First ${chose("first")} chose it, after the discussion ${chose("second")}.`
    : `${right} is right: ${chose("first")} chose it.`;
}
