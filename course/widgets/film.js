// A picture whose parts say what they are, moved through without the kernel.
// `model.get("shown")`: {svg, moments, said, width}. Parts: course/pictures/parts.py.

const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const FRAME_MS = 400; // between two moments of a film that plays
const REACH = 5; // pixels around the pointer in which a part is found
const POINT = "Point at a part of the picture, or use Tab and the arrow keys: it says what it is.";

function make(parent, tag, className, attributes = {}) {
  const node = parent.appendChild(document.createElement(tag));
  node.className = className;
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  return node;
}

function render({ model, el }) {
  const root = make(el, "div", "course-film");
  const gone = make(root, "p", "course-film-gone", { role: "status" });
  const picture = make(root, "div", "course-film-picture", {
    tabindex: "0",
    role: "group",
    "aria-label": "Picture: arrow keys go from part to part",
  });
  const says = make(root, "p", "course-film-says", { "aria-live": "polite" });
  const controls = make(root, "div", "course-film-controls");
  const button = make(controls, "button", "course-film-play", { type: "button" });
  const slider = make(controls, "input", "", {
    type: "range",
    min: "0",
    "aria-label": "moment",
  });
  const position = make(controls, "output", "");
  const said = make(root, "div", "course-film-said");
  let timer = null;

  const visible = () =>
    [...picture.querySelectorAll(".part")].filter(
      (part) => part.dataset.says && part.style.display !== "none",
    );

  function choose(part) {
    picture.querySelectorAll(".now").forEach((node) => node.classList.remove("now"));
    part?.classList.add("now");
    says.textContent = part ? part.dataset.says : POINT;
  }

  function move(moment) {
    const { moments } = model.get("shown");
    slider.value = moment;
    slider.setAttribute("aria-valuetext", moments[moment] ?? "");
    position.textContent = moments[moment] ?? "";
    picture.querySelectorAll(".part").forEach(({ style, dataset }) => {
      const over = dataset.until !== "" && moment >= Number(dataset.until);
      style.display = moment < Number(dataset.since) || over ? "none" : "";
    });
    [...said.children].forEach((line, k) =>
      line.classList.toggle("now", k === Math.min(moment, said.children.length - 1)),
    );
    if (picture.querySelector(".now")?.style.display === "none") choose(null);
  }

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(next, FRAME_MS) : null;
    button.textContent = on ? "❚❚" : "▶";
    button.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  function next() {
    if (Number(slider.value) >= Number(slider.max)) play(false);
    else move(Number(slider.value) + 1);
  }

  function show() {
    const { svg, moments, said: sentences, width } = model.get("shown");
    const first = !picture.firstChild;
    const atEnd = first || slider.value === slider.max;
    play(false);
    picture.innerHTML = svg;
    picture.style.maxWidth = `${width}px`;
    picture.firstChild.setAttribute("aria-hidden", "true");
    said.replaceChildren();
    sentences.forEach((text) => (make(said, "p", "").textContent = text));
    slider.max = Math.max(moments.length - 1, 0);
    controls.hidden = moments.length < 2;
    requestAnimationFrame(() => tend(el.closest(".jp-OutputArea-output, .output_area")));
    choose(null);
    move(atEnd ? Number(slider.max) : Math.min(Number(slider.value), Number(slider.max)));
  }

  function under({ clientX, clientY }) {
    for (const [dx, dy] of [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const node = document.elementFromPoint(clientX + dx * REACH, clientY + dy * REACH);
      const part = node?.closest(".part");
      if (part?.dataset.says && picture.contains(part)) return part;
    }
    return null;
  }

  picture.addEventListener("pointermove", (event) => choose(under(event)));
  picture.addEventListener("pointerleave", () => choose(null));
  picture.addEventListener("keydown", (event) => {
    const turn = KEYS[event.key];
    const parts = visible();
    if (!turn || !parts.length) return;
    event.preventDefault();
    const at = parts.findIndex((part) => part.classList.contains("now"));
    const to = at < 0 && turn < 0 ? parts.length - 1 : at + turn;
    choose(parts[(to + parts.length) % parts.length]);
  });
  slider.addEventListener("input", () => (play(false), move(Number(slider.value))));
  button.addEventListener("click", () => {
    if (timer === null && slider.value === slider.max) move(0);
    play(timer === null);
  });
  const fade = () => root.classList.toggle("course-film-stale", model.get("stale"));
  model.on("change:shown", show);
  model.on("change:stale", fade);
  model.on("comm_live_update", () => {
    if (model.get("alone") || gone.firstChild) return;
    gone.append("The kernel was restarted, so the knobs above do nothing any more. ");
    const again = make(gone, "button", "", { type: "button" });
    again.textContent = "Run this cell again";
    again.addEventListener("click", () => runCell(el.closest(".jp-Cell")));
  });
  show();
  fade();
  return () => clearInterval(timer);
}

// JupyterLab takes arrow keys for commands, unless what has the focus says not to; and
// the sliders of ipywidgets have a label for the eye only.
function tend(output) {
  output?.querySelectorAll("button, select, input, [tabindex]").forEach((node) => {
    node.setAttribute("data-lm-suppress-shortcuts", "true");
  });
  output?.querySelectorAll(".widget-slider").forEach((slider) => {
    const label = slider.querySelector(".widget-label")?.textContent ?? "";
    slider.querySelector("[role=slider]")?.setAttribute("aria-label", label);
  });
}

// The keys of "run this cell" work in each notebook application; its commands do not.
function runCell(cell) {
  cell.focus();
  const keys = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true };
  cell.dispatchEvent(new KeyboardEvent("keydown", keys));
}

export default { render };
