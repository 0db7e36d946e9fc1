// A question of the instructor's own.

import { say } from "./dom.js";
import { send } from "./link.js";

const form = document.getElementById("ask-form");
const told = document.getElementById("ask-told");
const text = document.getElementById("ask-text");
const options = document.getElementById("ask-options");
const STAR = /^\s*\*\s*/;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const lines = options.value.split("\n").filter((line) => line.trim());
  const starred = lines.findIndex((line) => STAR.test(line));
  const answer = await send("ask", {
    method: "POST",
    body: JSON.stringify({
      text: text.value,
      options: lines.map((line) => line.replace(STAR, "")),
      right: starred < 0 ? null : String.fromCharCode(65 + starred),
    }),
  }).catch(() => null);
  if (answer?.ok) {
    form.reset();
    say(told, "");
  } else {
    const why = await answer?.json().catch(() => null);
    say(told, why?.error ? `Not opened: ${why.error}.` : "That did not work. Try again.");
  }
});
