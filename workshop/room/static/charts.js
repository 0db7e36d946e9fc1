// A chart: how far the room is in a notebook.
/* global Plot */

import { make } from "./dom.js";

const GROUPS = ["solved", "tried", "started", "absent"];
const em = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Draw `draw(width)` into a box of its own, and again whenever width or text size changes. */
export function chart(label, draw) {
  const box = make("div", { className: "chart", role: "img", ariaLabel: label });
  let drawn = "";
  new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (!width || drawn === `${width} ${em()}`) return;
    drawn = `${width} ${em()}`;
    const figure = draw(width);
    figure.querySelector("style")?.remove(); // the page's own style says it all
    figure.setAttribute("aria-hidden", "true");
    box.replaceChildren(figure);
  }).observe(box, { box: "border-box" }); // its border grows with the text
  return box;
}

/** Bars as long as the room: solved, tried, started, not yet, for each exercise. */
export function progressChart(exercises, started, learners) {
  const pieces = exercises.flatMap((exercise) => {
    const counts = {
      solved: exercise.solved,
      tried: exercise.tried - exercise.solved,
      started: started - exercise.tried,
      absent: learners - started,
    };
    let end = 0;
    return GROUPS.map((group) => ({ ...exercise, group, from: end, to: (end += counts[group]) }))
      .filter((piece) => piece.to > piece.from);
  });
  const label = exercises.map((e) => `${e.title}: ${e.solved} of ${learners} solved, ${e.tried} tried`);
  const made = chart(`${label.join(". ")}.`, (width) => {
    const text = em();
    const row = 3.1 * text;
    const bars = GROUPS.map((group) => Plot.barX(pieces.filter((p) => p.group === group), {
      x1: "from", x2: "to", y: "name", className: `is-${group}`, insetTop: 1.45 * text, insetBottom: 2,
    }));
    return Plot.plot({
      width,
      height: row * exercises.length + 4,
      marginLeft: 2, marginRight: 2, marginTop: 2, marginBottom: 2,
      x: { domain: [0, Math.max(learners, 1)], axis: null },
      y: { domain: exercises.map((e) => e.name), axis: null, padding: 0.06 },
      marks: [
        ...bars,
        Plot.text(exercises, {
          x: 0, y: "name", text: (e) => (e.title.length * 0.56 * text < width ? e.title : e.heading), textAnchor: "start", lineAnchor: "middle",
          dy: -0.78 * text, textOverflow: "ellipsis-end", lineWidth: width / text,
        }),
        Plot.text(pieces, {
          x: (p) => (p.from + p.to) / 2, y: "name", text: (p) => p.to - p.from,
          dy: 0.72 * text, fontWeight: 600, className: "on-bar",
        }),
      ],
    });
  });
  made.style.setProperty("--rows", exercises.length); // its height is known before it is drawn
  return made;
}
