"""What a notebook's outputs become where there is no kernel: pictures, films, notes."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from course.widgets import film

VIEW = film.VIEW
STATE = "application/vnd.jupyter.widget-state+json"
REFERENCE = "IPY_MODEL_"
NEEDS_A_KERNEL = "Here the notebook has something to click on; it needs a kernel."
EXPORT = "export default { render };"
# A film takes what it shows from a model; here from the text beside it.
DRAW = """
for (const el of document.querySelectorAll(".film-here")) {
  const shown = JSON.parse(el.querySelector("script").textContent);
  const known = { shown, alone: true, stale: false };
  el.replaceChildren();
  render({ model: { get: (name) => known[name], on: () => {} }, el });
}
"""


@dataclass(frozen=True)
class Widgets:
    """The states of a notebook's widgets, by their ids."""

    states: Mapping[str, dict]

    @classmethod
    def of(cls, notebook: NotebookNode) -> Widgets:
        """Read what nbclient wrote into the notebook's metadata."""
        known = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
        return cls({name: model["state"] for name, model in known.items()})

    def below(self, name: str) -> Iterator[dict]:
        """Yield a widget's state, then those of all in it."""
        state = self.states.get(name, {})
        yield state
        for child in state.get("children", ()):
            yield from self.below(child.removeprefix(REFERENCE))


def as_html(data: Mapping[str, object], widgets: Widgets) -> str | None:
    """Return an output's data as HTML; None for one that is not HTML."""
    view = data.get(VIEW)
    if view is None:
        return data.get("text/html")
    states = list(widgets.below(view["model_id"]))
    films = [state["shown"] for state in states if "shown" in state]
    if not films:
        return f'<p class="needs-a-kernel">{NEEDS_A_KERNEL}</p>'
    return "".join(map(film_here, films)) + _knobs(states)


def film_here(shown: Mapping[str, object]) -> str:
    """Return a film as HTML; the page's script moves it, and without one it is told."""
    data = json.dumps(shown).replace("</", "<\\/")
    said = html.escape(shown["said"][-1])
    return (
        f'<div class="film-here"><script type="application/json">{data}</script>'
        f"<noscript><p>{said}</p></noscript></div>"
    )


def _knobs(states: list[dict]) -> str:
    """Say what can be turned in the notebook."""
    knobs = [f"<li>{html.escape(knob)}</li>" for knob in map(_knob, states) if knob]
    told = "In the notebook, you turn the knobs:"
    named = f'<div class="needs-a-kernel">{told}<ul>{"".join(knobs)}</ul></div>'
    return named if knobs else ""


def _knob(state: Mapping[str, object]) -> str:
    """A knob's label and what it can be; "" for what is no knob."""
    label, options = state.get("description"), state.get("_options_labels", ())
    if not label or len(options) == 1:
        return ""
    if options:
        return f"{label}: {' or '.join(f'“{each}”' for each in options)}"
    if "min" in state:
        return f"{label}: {state['min']} to {state['max']}"
    return label if isinstance(state.get("value"), bool) else ""


def script() -> str:
    """Return the script that draws all films of a page: the widget's own, as one."""
    text = Path(film.__file__).with_suffix(".js").read_text(encoding="utf-8")
    if EXPORT not in text:
        raise ValueError(f"film.js does not end with {EXPORT!r}")
    return "(() => {\n" + text.replace(EXPORT, DRAW) + "})();\n"


def style() -> str:
    """Return the widget's own style."""
    return Path(film.__file__).with_suffix(".css").read_text(encoding="utf-8")
