"""The same failures in PyTorch and JAX: docs/elsewhere.md, a cell of each notebook."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.elsewhere import ANYTHING, Block, read_elsewhere, read_folder
from autograder.places import CourseError, Places
from autograder.source import Source
from autograder.toml_files import read_toml

TEMPLATE = Path(__file__).with_name("elsewhere.md.jinja")
# package -> the version that all programs ran on; the tests compare
VERSIONS = Path(__file__).with_name("elsewhere_versions.toml")


def versions() -> dict[str, str]:
    """Return framework -> package and version that its programs ran on."""
    return read_toml(VERSIONS)


def render_elsewhere_page(places: Places, sources: Sequence[Source]) -> str:
    """The whole page, as Markdown that GitHub and JupyterLab show alike.

    Raises CourseError where a room's files are not as they should be.
    """
    rooms = [(each, read_elsewhere(places, each.name)) for each in sources]
    rooms = [(source, blocks) for source, blocks in rooms if blocks]
    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    page = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = page.render(
        rooms=rooms,
        versions=versions(),
        cannot=[
            (source, block)
            for source, blocks in rooms
            for block in blocks.values()
            if block.cannot
        ],
        anything=ANYTHING,
        text=block_text,
    )
    return text.rstrip() + "\n"


def render_elsewhere(source: Source) -> str:
    """The folded cell of one notebook.

    Raises CourseError where its room has no folder elsewhere/, or that is not as it
    should be.
    """
    blocks = read_folder(source.path.parent / "elsewhere")
    if not blocks:
        raise CourseError(
            f"{source.path}: it has a cell for PyTorch and JAX, and no elsewhere/ "
            "beside it. Write that, or remove the cell."
        )
    parts = [
        "<details><summary>The same in PyTorch and JAX</summary>",
        "How to run them, and all other failures: [in one page]"
        "(../../docs/elsewhere.md).",
        *map(block_text, blocks.values()),
        "</details>",
    ]
    return "\n\n".join(parts)


def block_text(block: Block) -> str:
    """What there is to say of a failure in one framework."""
    see = f" ([{block.name}'s documentation]({block.see}))" if block.see else ""
    if block.cannot:
        return f"**{block.name}: not this way.** {_line(block.cannot)}{see}"
    started = "two processes" if block.processes > 1 else "one process"
    started += " that are started again once" if block.restarts else ""
    parts = [
        f"**{block.name}.** {_line(block.words)}{see}",
        _fence("python", block.broken),
        f"With {versions()[block.framework]}, in {started}, it prints:",
        _fence("text", block.broken_prints),
        "Mended:",
        _fence("diff", changed_lines(block.broken, block.mended)),
        _fence("text", block.mended_prints),
        f"**Probe**, {_place(block)}:",
        _fence("python", block.probe),
        "It prints, broken and mended:",
        _fence("text", "\n\n".join(each.strip() for each in block.probe_prints)),
    ]
    return "\n\n".join(parts)


def changed_lines(old: str, new: str) -> str:
    """The lines that go, each behind a minus, and those that come, behind a plus.

    Where lines only come, the one before them tells where.
    """
    compared = difflib.ndiff(old.splitlines(), new.splitlines())
    kept = [line.rstrip() for line in compared if line[0] != "?"]
    shown = [
        line
        for line, following in zip(kept, [*kept[1:], ""], strict=True)
        if line[:1] in ("+", "-") or following.startswith("+")
    ]
    return "\n".join(shown)


def _place(block: Block) -> str:
    if not block.probe_before:
        return "at the end"
    (line,) = [x.strip() for x in block.broken.splitlines() if _begins(x, block)]
    return f"before `{line}`"


def _begins(line: str, block: Block) -> bool:
    return line.lstrip().startswith(block.probe_before)


def _line(text: str) -> str:
    return " ".join(text.split())


def _fence(language: str, text: str) -> str:
    return "\n".join([f"```{language}", text.strip("\n"), "```"])
