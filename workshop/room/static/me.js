// The learner's page: forms that stay on the page, and news of the vote.

import { listen, send } from "./link.js";

const { page } = document.body.dataset; // "me", or "phone"
const part = document.getElementById("part");
const told = document.getElementById("told");

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
const parsed = (text) => new DOMParser().parseFromString(text, "text/html").body;
part.dataset.shown = parsed(part.innerHTML).innerHTML;
let requests = 0; // for the part

/** Which question in which phase is asked; "" where none is. */
const asked = () => [...part.querySelectorAll("[name=number], [name=phase]")].map((e) => e.value).join();

function show(text) {
  const fresh = parsed(text);
  if (fresh.innerHTML === part.dataset.shown) return;
  const question = asked();
  const marked = part.querySelector("[data-marked]") // chosen, and not sent yet
    && [...part.querySelectorAll("fieldset :checked")].map((e) => e.value);
  const focused = document.activeElement?.name; // a vote by keyboard stays where it was
  const before = part.querySelector("h1").textContent;
  part.dataset.shown = fresh.innerHTML;
  part.replaceChildren(...fresh.childNodes);
  if (part.querySelector("h1").textContent !== before) told.textContent = "";
  if (marked && question && asked() === question) {
    part.querySelector("fieldset").dataset.marked = "yes";
    for (const e of part.querySelectorAll("fieldset input")) e.checked = marked.includes(e.value);
  }
  if (focused) part.querySelector(`[name="${CSS.escape(focused)}"]:checked`)?.focus();
}

async function refresh() {
  const request = ++requests;
  const answer = await send(`${page}/part`);
  const text = answer.ok && await answer.text();
  if (text && request === requests) show(text); // responses may arrive out of order
}

async function submit(form, button) {
  const path = form.getAttribute("action").split("/").slice(-2).join("/");
  const body = new URLSearchParams(new FormData(form, button));
  const post = () => send(path, { method: "POST", body, redirect: "manual" });
  // a busy machine cuts a line now and then, and what was said twice counts once
  const answer = await post().catch(() => pause(1000).then(post));
  const done = answer.type === "opaqueredirect" || answer.ok;
  if (done) form.querySelector("[data-marked]")?.removeAttribute("data-marked");
  const words = form.matches(".hand") ? "" : button ? "Your vote is in." : "Saved.";
  told.textContent = done ? words : "That did not arrive. Try again.";
  await refresh();
  if (button) part.querySelector(form.matches(".hand") ? ".hand button" : "button.main")?.focus();
}

part.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-live]")) return;
  event.preventDefault();
  submit(event.target, event.submitter).catch(() => {
    told.textContent = "The room cannot be reached. Try again.";
  });
});
part.addEventListener("change", (event) => {
  const answers = event.target.closest("fieldset");
  if (answers) answers.dataset.marked = "yes";
  event.target.closest("[data-at-once]")?.requestSubmit();
});

listen(`${page}/stream`, () => refresh().catch(() => {}), (yes) => {
  if (!yes) told.textContent = "Connecting again …";
  else if (told.textContent.startsWith("Connecting")) told.textContent = "";
});
