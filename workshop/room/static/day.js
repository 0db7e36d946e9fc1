// The page of the instructor's day: buttons, the command beside each, what came of it.

import { make, say } from "./dom.js";
import { send } from "./link.js";
import { openMarks, showMark } from "./marks.js";
import { quoted, showStep } from "./step.js";
import { chosen, showSubmissions } from "./submissions.js";

const BUSY_MS = 1000, IDLE_MS = 5000;
const find = (id) => document.getElementById(id);
const connection = find("connection");
const release = find("release-notebook"), part = find("part"), seed = find("seed");
let state = null, timer, asking = false, stopping = false, gone = false;

/** Start a command; the page shows it at once. */
async function run(kind, more = {}) {
  const answer = await send("day/run", { method: "POST", body: JSON.stringify({ kind, ...more }) })
    .catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok) {
    state.jobs[kind] = told;
    show();
    look(BUSY_MS);
  } else {
    const refused = told?.error ?? "that did not work; try again";
    kind === "mark" ? showMark({ refused }) : showStep(find(kind), { refused });
  }
}

async function halt(kind) {
  await send("day/halt", { method: "POST", body: JSON.stringify({ kind }) }).catch(() => null);
  look(BUSY_MS);
}

function look(ms) {
  clearTimeout(timer);
  timer = setTimeout(ask, ms);
}

async function ask() {
  if (asking) return;
  asking = true;
  const answer = await send("day/state").catch(() => null);
  asking = false;
  if (answer?.status === 403) return location.reload(); // signed out, or in again
  if (!answer && stopping && !gone) stopped();
  if (answer?.ok && gone) return location.reload(); // started again
  if (!answer?.ok) {
    if (gone) return look(IDLE_MS);
    say(connection, stopping ? "Stopping …" : "Connecting again …");
    return look(stopping ? BUSY_MS : IDLE_MS);
  }
  const old = state;
  state = await answer.json();
  say(connection, "Live");
  show();
  const ended = (kind) => state.jobs[kind]?.ended !== old?.jobs[kind]?.ended;
  // a terminal's commands end unseen, and change what is there
  const known = (one) => JSON.stringify([one?.notebooks, one?.tables]);
  const other = known(state) !== known(old);
  if (other || ["collect", "grade", "again", "mark"].some(ended)) showSubmissions(state, actions);
  const busy = Object.values(state.jobs).some((job) => job.code === null);
  look(busy ? BUSY_MS : IDLE_MS);
}

function stopped() {
  gone = true;
  say(connection, "The workshop has stopped.");
  for (const each of document.querySelectorAll("main button")) each.disabled = true;
  find("stop").replaceChildren(make("p", { role: "status" }, "Stopped. The next start finds all files and passwords:"),
    make("code", {}, "course workshop start"));
}

const actions = {
  again: (student) => run("again", { notebook: chosen(), student }),
  marks: (student, shown) => openMarks({ number: chosen(), student, shown, run: (more) => run("mark", more) }),
};

function show() {
  const { commands, jobs, oneAtATime, waiting, notebooks } = state;
  const label = ({ number, title, released }) => `${number} · ${title}${released ? " (out)" : ""}`;
  fill(release, notebooks.filter(({ name }) => name), label, notebooks.find((each) => !each.released));
  fill(find("notebook"), notebooks.filter((each) => each.handedIn || each.graded), ({ number, title }) => `${number} · ${title}`);
  const command = {
    collect: commands.collect,
    grade: commands.grade,
    feedback: commands.feedback,
    stop: commands.stop,
    release: commands.release.replace("NN", release.value),
    practice: commands.practice.replace("PART", part.value).replace("SEED", seed.value),
    approve: `course workshop approve ${waiting.map(quoted).join(" ")}`,
  };
  const classIsBusy = oneAtATime.some((kind) => jobs[kind]?.code === null);
  const step = (kind, words, press, disabled = false) => showStep(find(kind), {
    words, press, command: command[kind], job: jobs[kind], disabled, blocked: classIsBusy && oneAtATime.includes(kind), halt: () => halt(kind),
  });
  step("collect", "Collect", () => run("collect"));
  step("grade", "Grade", () => run("grade"));
  step("feedback", "Give feedback", () => run("feedback"));
  step("release", "Hand out", () => run("release", { notebook: release.value }));
  step("practice", "Hand out two jobs", () => run("practice", { part: Number(part.value), seed: Number(seed.value) }));
  step("stop", "Stop the workshop", () => find("sure").showModal());
  if (find("approve")) {
    say(find("waiting"), waiting.length ? `${waiting.length} wait: ${waiting.join(", ")}.` : "Nobody waits.");
    step("approve", "Let them in", () => run("approve", { names: waiting }), !waiting.length);
  }
  if (jobs.again) showStep(find("again"), { job: jobs.again, told: true });
  if (jobs.mark) showMark({ job: jobs.mark });
  counts(notebooks);
}

function counts(notebooks) {
  const rows = notebooks.filter((each) => each.handedIn || each.graded);
  const box = find("counts"), key = JSON.stringify(rows);
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  const cells = rows.map(({ number, title, handedIn, graded }) => make("tr", {},
    make("th", { scope: "row" }, `${number} · ${title}`),
    make("td", { className: "number" }, String(handedIn)), make("td", { className: "number" }, String(graded))));
  box.replaceChildren(rows.length ? make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Notebook"),
      make("th", { scope: "col", className: "number" }, "handed in by"), make("th", { scope: "col", className: "number" }, "graded"))),
    make("tbody", {}, cells)) : make("p", { className: "quiet" }, "Nothing was handed in yet."));
}

/** Fill a list without losing what is chosen. */
function fill(list, items, label, first) {
  const key = JSON.stringify(items.map((each) => [each.number, each.released]));
  if (list.dataset.shown === key) return;
  list.dataset.shown = key;
  const before = list.value || first?.number;
  list.replaceChildren(...items.map((each) => make("option", { value: each.number }, label(each))));
  if (items.some(({ number }) => number === before)) list.value = before;
}

for (const input of [release, part, seed]) input.addEventListener("input", () => state && show());
find("notebook").addEventListener("change", () => showSubmissions(state, actions));
find("sure").addEventListener("close", () => {
  if (find("sure").returnValue !== "stop") return;
  stopping = true;
  find("sure").returnValue = "";
  run("stop");
});
ask();
