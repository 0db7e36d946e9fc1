"use strict";

// Words that say nothing about a failure.
const EMPTY = new Set(
  ("a an the and or of to in on is are it its with for by as at be not no my me i do does has " +
    "have was were from that this than then so but if into per each all only when while after " +
    "before which who what how why where there here they them their one two use used using " +
    "can could job jobs training").split(" "),
);
// Words that people use for the same thing; the first stands for all.
const ALIKE = new Map(
  [
    "gpu card device cuda",
    "hang hung stuck stall freeze freezes frozen wait still deadlock block lockup",
    "slow slower speed throughput fast faster utilization idle",
    "memory oom exhausted",
    "seed reproducible reproducibility random determinism nondeterministic",
    "replica tower",
    "worker node host machine task",
    "restore load checkpoint",
    "nan inf infinite",
    "differ different other another mismatch",
    "refuse refused unavailable connection connect reach response timeout",
    "evaluate evaluation validation val test metric accuracy",
    "drop lower worse decrease",
    "begin start init initial",
    "sum add aggregate average mean reduce reduction",
    "shard split",
    "crash die kill preempt fail",
  ].flatMap((line) => {
    const [first, ...others] = line.split(" ").map(stem);
    return others.map((other) => [other, first]);
  }),
);
// A claim is about a text, not about a job; a thread speaks of one job, a case of many.
const WEIGHT = { claim: 0.6, probe: 0.7, thread: 0.7, case: 1.2, advice: 1.5 };
const FADE = 0.7; // of a notebook's second best entry, its third, ...
// what stands without a notebook has other causes each: it counts by its best entry mostly
const FADE_WITHOUT = { page: 0.6, "": 0.3 };
const MOST_ENTRIES = 6;
const SHOWN = { notebooks: 8, entries: 3 };

/** Return the stem of an English word, roughly: what stands before its ending. */
function stem(word) {
  const endings = "ization ations ation ings ing ized edly ed ers er ies es s ly".split(" ");
  const ending = endings.find((e) => word.endsWith(e) && word.length - e.length >= 4);
  return ending ? word.slice(0, -ending.length) : word;
}

/** Return the words of a text that count, without what differs from run to run. */
function words(text) {
  const plain = text
    .replace(/\/job:\S+/g, " device ") // /job:worker/replica:0/task:1/device:GPU:0
    .replace(/0x[0-9a-f]+/gi, " ")
    .replace(/\[[\d, ?x]*\]/g, " shape ")
    .replace(/\b\d+(\.\d+)+(:\d+)?\b/g, " ") // versions, addresses and ports
    .replace(/\b([rg]tx[- ]?\d{3,4}|[ahvpl]\d{2,3}|t4)\b/gi, " gpu ")
    .replace(/\bMultiWorkerMirrored/gi, "multi worker ") // whose failures are other ones
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase();
  const all = plain.match(/[a-z]+[0-9]*/g) ?? [];
  return all
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stem)
    .map((word) => ALIKE.get(word) ?? word);
}

/** Okapi BM25 over entries {lesson, kind, key, text}; a notebook counts by its best ones. */
class Index {
  constructor(entries) {
    this.entries = entries.map((entry) => ({ ...entry, counts: counted(words(entry.text)) }));
    this.in = new Map(); // word -> how many entries have it
    let total = 0;
    for (const { counts } of this.entries) {
      for (const [word, n] of counts) {
        this.in.set(word, (this.in.get(word) ?? 0) + 1);
        total += n;
      }
    }
    this.usual = total / this.entries.length;
  }

  /** Return [{lesson, score, best}], the best first; `without`: a key that is left out. */
  find(query, without = null) {
    const asked = [...new Set(words(query))];
    const lessons = new Map();
    this.entries.forEach((entry, place) => {
      if (without !== null && entry.key === without) return;
      const score = this.score(asked, entry.counts) * (WEIGHT[entry.kind] ?? 1);
      if (!score) return;
      if (!lessons.has(entry.lesson)) lessons.set(entry.lesson, []);
      lessons.get(entry.lesson).push({ place, score });
    });
    const found = [...lessons].map(([lesson, hits]) => {
      const best = hits.sort((a, b) => b.score - a.score).slice(0, MOST_ENTRIES);
      const fade = FADE_WITHOUT[lesson] ?? FADE;
      const score = best.reduce((sum, hit, k) => sum + hit.score * fade ** k, 0);
      return { lesson, score, best: best.map((hit) => hit.place) };
    });
    return found.sort((a, b) => b.score - a.score);
  }

  score(asked, counts) {
    const length = [...counts.values()].reduce((sum, n) => sum + n, 0);
    let score = 0;
    for (const word of asked) {
      const n = counts.get(word) ?? 0;
      if (!n) continue;
      const known = this.in.get(word);
      const rare = Math.log(1 + (this.entries.length - known + 0.5) / (known + 0.5));
      score += (rare * n * 2.2) / (n + 1.2 * (0.4 + (0.6 * length) / this.usual));
    }
    return score;
  }
}

function counted(list) {
  const counts = new Map();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const items = [...document.querySelectorAll("#found li")];
const index = new Index(
  items.map((item) => ({
    lesson: item.closest("section").dataset.lesson,
    kind: item.dataset.kind,
    key: item.dataset.key ?? null,
    text: `${item.querySelector("span").textContent} ${item.querySelector("small")?.textContent ?? ""}`,
  })),
);
const sections = [...document.querySelectorAll("#found section")];
const query = document.getElementById("query");
const told = document.getElementById("told");
const examples = document.getElementById("examples");
const pages = document.getElementById("pages"); // the search in all texts, on the site

/** Show what fits what is asked; without a question nothing, for some of it would answer
 * what a notebook asks its reader. */
function show() {
  const asked = query.value.trim();
  const found = asked ? index.find(asked).slice(0, SHOWN.notebooks) : [];
  const order = new Map(found.map((hit, place) => [hit.lesson, { ...hit, place }]));
  const shown = new Set(found.flatMap((hit) => hit.best.slice(0, SHOWN.entries)));
  for (const section of sections) {
    section.hidden = !order.has(section.dataset.lesson);
  }
  items.forEach((item, place) => {
    item.hidden = !shown.has(place);
  });
  const sorted = [...sections].sort(
    (a, b) =>
      (order.get(a.dataset.lesson)?.place ?? sections.indexOf(a)) -
      (order.get(b.dataset.lesson)?.place ?? sections.indexOf(b)),
  );
  document.getElementById("found").append(...sorted);
  examples.hidden = Boolean(asked);
  if (pages) pages.search = new URLSearchParams({ q: asked });
  if (!asked) told.textContent = "";
  else if (found.length) told.textContent = "The best first:";
  else told.textContent = "Nothing fits. Try other words, or begin with triage.md.";
  const place = asked ? `#${new URLSearchParams({ q: asked })}` : "";
  history.replaceState(null, "", location.pathname + place);
}

/** Show what an address asks: one that somebody kept (#q=), or a form's (?q=). */
function open() {
  const [kept, sent] = [location.hash.slice(1), location.search];
  query.value = [kept, sent].map((each) => new URLSearchParams(each).get("q")).find(Boolean) ?? "";
  show();
}

query.addEventListener("input", show);
query.form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", open);
open();
