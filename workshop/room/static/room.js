// The instructor's page: what the stream says goes to its place.

import "./ask.js";
import { count, make, say } from "./dom.js";
import { listen } from "./link.js";
import { showNeeded } from "./needed.js";
import { showNow, showOthers, showPeople } from "./notebooks.js";
import { fetchTexts } from "./question.js";
import { showVote, step } from "./vote.js";

const { notebooks: texts, now } = await fetchTexts();
const ahead = now - Date.now() / 1000; // the service's clock counts
const connection = document.getElementById("connection");
const pin = document.getElementById("pin");
let people = [];

pin.append(make("option", { value: "" }, "the notebook that most are in"),
  ...Object.entries(texts).sort(([one], [other]) => one.localeCompare(other))
    .map(([number, { title }]) => make("option", { value: number }, `${number} · ${title}`)));
pin.addEventListener("change", () => step(pin.value ? "pin" : "unpin", pin.value || null));

listen("stream", (data) => {
  const state = JSON.parse(data);
  const phones = state.phones ? `, ${count(state.phones, "phone", "phones")}` : "";
  say(document.getElementById("people-count"), `${count(state.learners, "learner", "learners")}${phones}`);
  people = state.people;
  showNeeded(people, Date.now() / 1000 + ahead);
  if (document.activeElement !== pin) pin.value = state.pinned ? state.now : "";
  showNow(state, texts);
  showVote(state, texts);
  showOthers(state, texts);
  showPeople(state);
}, (yes) => say(connection, yes ? "Live" : "Connecting again …"));

setInterval(() => showNeeded(people, Date.now() / 1000 + ahead), 15_000);
document.getElementById("me-link").textContent = document.getElementById("me-link").href;
