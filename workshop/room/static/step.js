// One step of the day: a button, its command, how far it is, what it said.

import { make } from "./dom.js";

const PAUSED = 130; // as a shell reports a program that Ctrl-C ended
const COUNTED = /^(\d+) of (\d+) graded$/;
const NEEDLESS = /^(\/|Feedback: \/|grading |Now grade them: )/; // this page has a link or a button for it

/** Return a word as a shell takes it. */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

const at = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Draw a step into `box`; only what changed is drawn again, and the focus stays. */
export function showStep(box, { words, press, command, job, disabled, blocked, halt, told, refused }) {
  if (refused) {
    for (const old of box.querySelectorAll(":scope > :is(p, pre)")) old.remove();
    box.append(make("p", { role: "status" }, `Not done: ${refused}.`));
    return;
  }
  const busy = job?.code === null;
  const key = JSON.stringify([command, job, disabled, blocked]);
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  if (words && !box.querySelector("button")) {
    box.append(make("button", { type: "button" }, words), make("code", {}, ""));
  }
  const button = box.querySelector("button");
  if (button && words) {
    const unavailable = busy || Boolean(blocked);
    button.onclick = unavailable ? null : press;
    button.disabled = Boolean(disabled);
    button.setAttribute("aria-disabled", String(unavailable)); // keeps the focus
    box.querySelector("code").textContent = command;
  }
  for (const old of box.querySelectorAll(":scope > :is(p, pre, progress, .halt)")) old.remove();
  if (!job) return;
  if (told) box.append(make("p", {}, make("code", {}, job.command)));
  const last = job.lines.at(-1) ?? "";
  if (busy) {
    const [, done, all] = COUNTED.exec(last) ?? [];
    box.append(make("progress", { "aria-label": `${words ?? "The command"} is at work`, ...(all ? { max: Number(all), value: Number(done) } : {}) }),
      make("p", { role: "status" }, last || "At work …"));
    if (halt && words === "Grade") {
      box.append(make("button", { type: "button", className: "halt", onclick: halt }, "Pause: what is graded stays"));
    }
    return;
  }
  const fine = [0, PAUSED].includes(job.code);
  const said = job.lines.filter((line) => !(fine && (NEEDLESS.test(line) || COUNTED.test(line))));
  const outcome = job.code === 0 ? "Done at TIME." : job.code === PAUSED ? "Paused at TIME." : "Ended at TIME with an error.";
  box.append(make("p", { role: "status" }, outcome.replace("TIME", at(job.ended))),
    make("pre", { className: fine ? "" : "failed" }, said.join("\n") || "It said nothing."));
}
