// Points and a comment by hand, for each exercise of one submission.

import { make, say } from "./dom.js";
import { send } from "./link.js";
import { quoted, showStep } from "./step.js";

const dialog = document.getElementById("marks");
const body = document.getElementById("marks-body");
let saved = null; // where the last answer belongs

/** Open the dialog; `run` starts the command with what was written in it. */
export async function openMarks({ number, student, shown, run }) {
  say(document.getElementById("marks-title"), `${shown}, notebook ${number}`);
  body.replaceChildren(make("p", { role: "status" }, "Reading the gradebook …"));
  dialog.showModal();
  const asked = new URLSearchParams({ notebook: number, student });
  const answer = await send(`day/marks?${asked}`).catch(() => null);
  const told = await answer?.json().catch(() => null);
  body.replaceChildren(...(answer?.ok
    ? told.marks.map((mark) => form(mark, { number, student, run }))
    : [make("p", { role: "status" }, told?.error ?? "That did not work. Close, and try again.")]));
}

/** Show what came of the last one that was saved. */
export function showMark(what) {
  if (!saved?.isConnected) return;
  if (what.refused) saved.closest("fieldset").dataset.changed = "yes";
  showStep(saved, { told: false, ...what });
}

const unsaved = () => [...body.querySelectorAll("fieldset[data-changed] legend")].map((each) => each.textContent.split(":")[0]);
const mayClose = (event) => {
  const left = unsaved();
  if (left.length && !confirm(`Not saved: ${left.join(", ")}. Close, and forget it?`)) event.preventDefault();
};
dialog.addEventListener("cancel", mayClose); // Escape
dialog.querySelector("form").addEventListener("submit", mayClose);

function form(mark, { number, student, run }) {
  const points = make("input", { type: "number", min: 0, max: mark.most, step: "any", value: mark.by_hand ?? "", placeholder: String(mark.automatic ?? 0) });
  const comment = make("textarea", { rows: 2, maxLength: 4000, value: mark.comment });
  const command = make("code");
  const outcome = make("div", { className: "step" });
  const save = () => {
    saved = outcome;
    delete saved.closest("fieldset").dataset.changed;
    saved.replaceChildren();
    delete saved.dataset.shown;
    run({
      notebook: number, student, exercise: mark.exercise,
      points: points.value === "" ? null : Number(points.value), comment: comment.value.trim(),
    });
  };
  const write = () => {
    const words = ["course", "mark", student, number, mark.exercise.split("/")[1]];
    words.push("--points", points.value || "check", "--comment", comment.value.trim());
    command.textContent = words.map(quoted).join(" ");
  };
  for (const each of [points, comment]) {
    each.addEventListener("input", () => { write(); each.closest("fieldset").dataset.changed = "yes"; });
  }
  write();
  return make("fieldset", {},
    make("legend", {}, `${mark.exercise}${mark.core ? "" : " (further)"}: its check gave ${mark.automatic ?? 0} of ${mark.most}`),
    make("div", { className: "buttons" },
      make("label", {}, "Points ", points),
      make("label", { className: "wide" }, "Comment for the learner", comment),
      make("button", { type: "button", onclick: save }, "Save")),
    make("div", { className: "step" }, command), outcome);
}
