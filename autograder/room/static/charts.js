// Two charts: how far the room is in a notebook, and how it voted.
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
  return chart(`${label.join(". ")}.`, (width) => {
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
}

/** For each answer, the first vote above the second. */
export function voteChart(bars, counts, voted) {
  const rounds = ["first", "second"].filter((round) => counts[round]);
  const most = Math.max(1, ...rounds.map((round) => voted[round]));
  const votes = bars.flatMap((bar) => rounds.map((round) => ({
    key: bar.key, round, count: counts[round][bar.key], name: bar.name, right: bar.shownRight,
  })));
  const label = votes.map((v) => `${v.name}, ${v.round} vote: ${v.count}`).join(". ");
  return chart(`${label}.`, (width) => {
    const text = em();
    const thick = 1.55 * text;
    return Plot.plot({
      width,
      height: bars.length * (rounds.length * thick + 0.6 * text) + 6,
      marginLeft: 2.6 * text, marginRight: 3.2 * text, marginTop: 2, marginBottom: 2,
      x: { domain: [0, most], axis: null },
      y: { domain: rounds, axis: null, padding: 0.08 },
      fy: { domain: bars.map((b) => b.key), axis: null, padding: 0.16 },
      marks: [
        ...rounds.map((round) => Plot.barX(votes.filter((v) => v.round === round), {
          x: "count", y: "round", fy: "key", className: `is-${round}`,
        })),
        Plot.ruleX([0]),
        Plot.text(votes, { x: "count", y: "round", fy: "key", text: "count", dx: 0.45 * text, textAnchor: "start", fontWeight: 600 }),
        Plot.text(bars, {
          fy: "key", text: (b) => `${b.shownRight ? "✓ " : ""}${b.key}`, frameAnchor: "left",
          dx: -0.5 * text, textAnchor: "end", fontWeight: 600,
        }),
      ],
    });
  });
}
