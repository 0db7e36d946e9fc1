// A prediction's form: says what was right, and why, without a kernel.
"use strict";

{
  const told = (form) => {
    const inputs = [...form.querySelectorAll("input")];
    if (inputs.some(({ type }) => type === "checkbox")) {
      if (!form.dataset.asked && !inputs.some((box) => box.checked)) {
        form.dataset.asked = "yes"; // no to all can be meant
        return "Tick what is yes. If it is no everywhere, answer once more.";
      }
      const right = inputs.filter((box) => box.checked === box.hasAttribute("data-right"));
      inputs.forEach((box) => {
        const cell = box.closest("td");
        cell.classList.toggle("missed", !right.includes(box));
        cell.querySelector(".mark")?.remove();
        if (!right.includes(box)) {
          const mark = cell.appendChild(document.createElement("span"));
          mark.className = "mark";
          mark.textContent = box.hasAttribute("data-right") ? " it is yes" : " it is no";
        }
      });
      return `${right.length} of ${inputs.length} are right. The run below shows all of them.`;
    }
    const chosen = inputs.find((input) => input.checked);
    if (!chosen) return "Choose one first.";
    const right = inputs.find((input) => input.hasAttribute("data-right"));
    if (chosen === right) return `${right.value} is right. ${right.dataset.comment}`;
    return (
      `You said ${chosen.value}; it is ${right.value}. ${chosen.dataset.comment} ` +
      right.dataset.comment
    );
  };

  document.querySelectorAll("form.prediction").forEach((form) =>
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.querySelector(".answer").textContent = told(form);
      const after = [...document.querySelectorAll(".tag_hide-output details")];
      const below = (node) => form.compareDocumentPosition(node) & 4; // it follows
      if (form.querySelector("input:checked")) after.find(below)?.setAttribute("open", "");
    }),
  );
}
