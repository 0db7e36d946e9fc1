// Who needs the instructor: raised hands first, then who is stuck.

import { make, table } from "./dom.js";
import { step } from "./vote.js";

const STUCK_MINUTES = 5; // without a new attempt
const STUCK_TIMES = 3; // with the same mistake
const body = document.getElementById("needed-body");
let shown = "";

/** Return those of `people` who need somebody, at `now` in seconds since 1970. */
export function needed(people, now) {
  return people
    .map((person) => {
      const quiet = person.last ? Math.floor((now - person.last.at) / 60) : 0;
      const why = [];
      if (person.hand) why.push(`hand raised ${minutes((now - person.hand) / 60)}`);
      if (person.last?.same >= STUCK_TIMES) why.push(`the same mistake ${person.last.same} times`);
      if (quiet >= STUCK_MINUTES) why.push(`last attempt ${minutes(quiet)} ago, number ${person.last.tries}`);
      return { ...person, why, quiet };
    })
    .filter(({ why }) => why.length)
    .sort((one, other) => (one.hand ?? Infinity) - (other.hand ?? Infinity) || other.quiet - one.quiet);
}

const minutes = (number) => (number < 1 ? "just now" : `${Math.floor(number)} min`);

/** Show them; minutes go on without news from the service. */
export function showNeeded(people, now) {
  const found = needed(people, now);
  const key = JSON.stringify(found.map((each) => [each.number, each.label, each.at, each.why, each.last?.exercise]));
  if (key === shown) return;
  shown = key;
  const focused = body.contains(document.activeElement);
  const rows = found.map((each) => [each.label, each.last?.exercise ?? each.at ?? "–", each.why.join("; "),
    each.hand ? make("button", { type: "button", onclick: () => step("lower", String(each.number)) }, "Take the hand down") : "–"]);
  body.replaceChildren(found.length
    ? table("Raised hands first", ["Learner", "Exercise", "Why", "Hand"], rows)
    : make("p", { className: "quiet", tabIndex: -1 }, "Nobody, as far as this page can tell."));
  if (focused) (body.querySelector("button") ?? body.querySelector("[tabindex]"))?.focus();
}
