"""The page of all probes, docs/triage.md: words of a template, code of notebooks."""

from __future__ import annotations

import ast
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.places import CourseError, Places
from autograder.source import Source

TEMPLATE = Path(__file__).with_name("triage.md.jinja")


def render_triage(places: Places, sources: list[Source]) -> str:
    """The page's text; its template says where each probe stands.

    Raises CourseError where the template leaves a probe out, or asks for one twice or
    for one that no notebook has.
    """
    known = {each.header.number: each for each in sources}
    left = [
        (source.header.number, cell.id)
        for source in sources
        for cell in source.cells
        if cell.kind == "code" and cell.id in ("probe", "probe-reads")
    ]

    def code(number: str, cell_id: str = "probe") -> str:
        if (number, cell_id) not in left:
            raise CourseError(
                f"{TEMPLATE} asks for the cell {cell_id!r} of notebook {number}, which "
                "is not there or stands on the page already."
            )
        left.remove((number, cell_id))
        return f"```python\n{probe_code(known[number], cell_id)}\n```"

    def notebook(number: str) -> str:
        source = known[number]
        link = f"../notebooks/{source.name}/{source.name}.ipynb"
        return f"[{number} {source.header.title}]({link})"

    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = template.render(code=code, notebook=notebook)
    if left:
        number, cell_id = left[0]
        raise CourseError(
            f"{TEMPLATE} leaves out the cell {cell_id!r} of notebook {number}. Give it "
            "a section, with what it prints."
        )
    return text


def probe_code(source: Source, cell_id: str = "probe") -> str:
    """A probe as it is pasted: its imports and its function, without the example."""
    (cell,) = (each for each in source.cells if each.id == cell_id)
    functions = [
        node for node in ast.parse(cell.text).body if isinstance(node, ast.FunctionDef)
    ]
    return "\n".join(cell.text.splitlines()[: functions[-1].end_lineno])
