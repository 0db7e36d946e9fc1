// The submissions of one notebook: what each has got, its page, and what can be done.

import { make, table } from "./dom.js";
import { base, send } from "./link.js";

const list = document.getElementById("notebook");
const box = document.getElementById("submissions");

/** Return the number of the notebook that is chosen; "" for none. */
export const chosen = () => list.value;

/** Fetch and show them. */
export async function showSubmissions(state, actions) {
  const number = chosen();
  const answer = number && await send(`day/submissions?notebook=${number}`).catch(() => null);
  if (number !== chosen()) return; // another one was chosen meanwhile
  const found = answer?.ok ? (await answer.json()).submissions : [];
  const name = state.notebooks.find((each) => each.number === number)?.name;
  const rows = found.map((each) => [
    each.shown === each.student ? each.student : `${each.shown} (${each.student})`,
    each.state,
    worth(each.core, each.coreMost),
    worth(each.further, each.furtherMost),
    make("div", { className: "buttons" },
      each.page ? link(each.student, name) : null,
      each.page ? button("Points or comment", () => actions.marks(each.student, each.shown)) : null,
      button(each.page ? "Grade again" : "Grade this one", () => actions.again(each.student))),
  ]);
  box.replaceChildren(rows.length
    ? table("", ["Learner", "State", "Core", "Further", "What you can do"], rows)
    : make("p", { className: "quiet" }, "Nothing was collected yet."));
}

const worth = (points, most) => (points && most ? `${Number(points)} of ${Number(most)}` : "–");
const button = (text, onclick) => make("button", { type: "button", onclick }, text);
const link = (student, name) => make("a", {
  className: "button", target: "_blank",
  href: `${base}day/feedback/${encodeURIComponent(student)}/${name}/${name}.html`,
}, "Open the page");
