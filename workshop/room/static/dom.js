// Elements from plain data; text only ever becomes text.

/** Return an element; `children` are elements or texts. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

/** Return a table; a cell that is a number stands at the right. */
export function table(caption, heads, rows) {
  const cell = (kind, scope) => (content, index) =>
    make(index === 0 ? "th" : kind, {
      ...(index === 0 || scope ? { scope: scope ?? "row" } : {}),
      className: index > 0 && rows.some((row) => typeof row[index] === "number") ? "number" : "",
    }, content instanceof Node ? content : String(content ?? ""));
  const head = (content, index) => (content === "" ? make("td") : cell("th", "col")(content, index));
  return make("table", {},
    caption ? make("caption", {}, caption) : null,
    make("thead", {}, make("tr", {}, heads.map(head))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell("td"))))));
}

/** Set the text of an element only where it changes, so that nothing is read twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return "1 vote" or "2 votes": a number and the word that goes with it. */
export function count(number, one, many) {
  return `${number} ${number === 1 ? one : many}`;
}

/** Return a legend: shape and word for each class. */
export function legend(entries) {
  const svg = (className) => {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("viewBox", "0 0 24 18");
    picture.setAttribute("aria-hidden", "true");
    const box = document.createElementNS(space, "rect");
    for (const [name, value] of Object.entries({ x: 1, y: 1, width: 22, height: 16 })) {
      box.setAttribute(name, value);
    }
    box.setAttribute("class", className);
    picture.append(box);
    return picture;
  };
  return make("ul", { className: "legend" },
    entries.map(([className, word]) => make("li", {}, svg(className), word)));
}
