// The instructor's page: what the stream says goes to its place.

import { count, say } from "./dom.js";
import { listen, send } from "./link.js";
import { showNow, showOthers, showPeople } from "./notebooks.js";
import { showVote } from "./vote.js";

async function fetchTexts() {
  for (;;) {
    const answer = await send("texts").catch(() => null);
    if (answer?.ok) return (await answer.json()).notebooks;
    await new Promise((again) => setTimeout(again, 1000));
  }
}

const texts = await fetchTexts();
const connection = document.getElementById("connection");
const large = document.getElementById("large");

listen("stream", (data) => {
  const state = JSON.parse(data);
  say(document.getElementById("people-count"), count(state.learners, "learner", "learners"));
  showNow(state, texts);
  showVote(state, texts);
  showOthers(state, texts);
  showPeople(state);
}, (yes) => say(connection, yes ? "Live" : "Connecting again …"));

function enlarge(yes) {
  document.documentElement.classList.toggle("large", yes);
  large.setAttribute("aria-pressed", String(yes));
  window.dispatchEvent(new Event("resize"));
}
try { enlarge(localStorage.getItem("room-large") === "yes"); } catch { /* a browser that keeps nothing */ }
large.addEventListener("click", () => {
  const yes = !document.documentElement.classList.contains("large");
  enlarge(yes);
  try { localStorage.setItem("room-large", yes ? "yes" : "no"); } catch { /* for this visit only */ }
});
document.getElementById("me-link").textContent = document.getElementById("me-link").href;
