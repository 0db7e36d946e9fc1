// The learner's page: forms that stay on the page, and news of the vote.

import { listen, send } from "./link.js";

const part = document.getElementById("part");
const told = document.getElementById("told");

async function show(answer) {
  const text = await answer.text();
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  if (fresh.innerHTML === part.dataset.shown) return;
  const focused = document.activeElement?.name; // a vote by keyboard stays where it was
  const before = part.querySelector("h1").textContent;
  part.dataset.shown = fresh.innerHTML;
  part.replaceChildren(...fresh.childNodes);
  if (part.querySelector("h1").textContent !== before) told.textContent = "";
  if (focused) part.querySelector(`[name="${CSS.escape(focused)}"]:checked`)?.focus();
}

async function refresh() {
  const answer = await send("me/part");
  if (answer.ok) await show(answer);
}

async function submit(form, button) {
  const answer = await send(form.getAttribute("action").split("/").slice(-2).join("/"), {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
    redirect: "manual",
  });
  const done = answer.type === "opaqueredirect" || answer.ok;
  told.textContent = done ? (button ? "Your vote is in." : "Saved.") : "That did not arrive. Try again.";
  await refresh();
  if (button) part.querySelector("button.main")?.focus();
}

part.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-live]")) return;
  event.preventDefault();
  submit(event.target, event.submitter).catch(() => {
    told.textContent = "The room cannot be reached. Try again.";
  });
});
part.addEventListener("change", (event) => {
  event.target.closest("[data-at-once]")?.requestSubmit();
});

listen("me/stream", () => refresh().catch(() => {}), (yes) => {
  if (!yes) told.textContent = "Connecting again …";
  else if (told.textContent.startsWith("Connecting")) told.textContent = "";
});
