"""The page of all probes, docs/triage.md: words of a template, code of notebooks."""

from __future__ import annotations

import ast
from pathlib import Path

import jinja2

from autograder.places import CourseError, Places
from autograder.source import Source

TEMPLATE = Path(__file__).with_name("triage.md.jinja")


def render_triage(places: Places, sources: list[Source]) -> str:
    """The page's text; the template says where each notebook's probe stands.

    Raises CourseError where the template leaves a probe out or asks for one that no
    notebook has.
    """
    known = {each.header.number: each for each in sources}
    left = {number for number, each in known.items() if _probe_cells(each)}

    def probe(number: str) -> str:
        if number not in left:
            raise CourseError(
                f"{TEMPLATE} asks for the probe of notebook {number}, which has no "
                "cell with the id `probe`, or stands on the page already."
            )
        left.remove(number)
        return probe_code(known[number])

    def notebook(number: str) -> str:
        source = known[number]
        link = f"../notebooks/{source.name}/{source.name}.ipynb"
        return f"[{number} {source.header.title}]({link})"

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = template.render(probe=probe, notebook=notebook)
    if left:
        raise CourseError(
            f"{TEMPLATE} leaves out the probe of notebook {', '.join(sorted(left))}: "
            "add a section with {{ probe(...) }}."
        )
    return text


def probe_code(source: Source) -> str:
    """A notebook's probe as it is pasted: its imports and its function, no example."""
    (cell,) = _probe_cells(source)
    last = [
        each for each in ast.parse(cell.text).body if isinstance(each, ast.FunctionDef)
    ]
    return "\n".join(cell.text.splitlines()[: last[-1].end_lineno])


def _probe_cells(source: Source) -> list:
    return [cell for cell in source.cells if cell.id == "probe"]
