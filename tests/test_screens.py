"""Each beat of a notebook fits its screen: 15 lines of code, 88 columns, 120 words."""

import re
from pathlib import Path

import pytest

from autograder.build import solution_notebook
from autograder.careful_minutes import code_in, core_minutes, words_in
from autograder.places import course_places
from autograder.preprocessors import make_learner_version
from autograder.source import read_source

ROOT = Path(__file__).resolve().parent.parent
LINES, COLUMNS, WORDS = 15, 88, 120
A_JOB = 80  # lines of a whole program, which is to be read as one reads it at work
PLACES = course_places(ROOT) if (ROOT / "solutions").is_dir() else None
NAMES = PLACES.names() if PLACES else []


def beats(notebook):
    """The beats of a notebook: (name, its cells), in order."""
    found = []
    for cell in notebook.cells:
        if "beat" in cell.metadata:
            found.append((cell.metadata["beat"], []))
        if found:
            found[-1][1].append(cell)
    return found


def size(cells):
    """Lines of code, the longest of them, and words of text that a screen shows."""
    code = code_in(cells)
    text = [cell for cell in cells if cell.metadata.get("role") != "claims"]
    return len(code), max(map(len, code), default=0), words_in(text)


@pytest.mark.parametrize("version", ["learner", "solution"])
@pytest.mark.parametrize("name", NAMES)
def test_each_beat_fits_its_screen(name, version):
    notebook = solution_notebook(read_source(PLACES.source(name)), PLACES.claims)
    if version == "learner":
        make_learner_version(notebook)
    else:
        notebook.cells = [
            c for c in notebook.cells if "solution_only" not in c.metadata
        ]
    too_large = []
    for beat, cells in beats(notebook):
        lines, columns, words = size(cells)
        print(f"{name} {beat}: {lines} lines, {columns} columns, {words} words")
        a_job = "mystery_jobs" in name and any("_job_" in c.source for c in cells)
        most = A_JOB if a_job else LINES
        if lines > most or columns > COLUMNS or words > WORDS:
            too_large.append(f"{beat}: {lines} lines, {columns} columns, {words} words")
    assert not too_large, f"{name}: " + "; ".join(too_large)


@pytest.mark.parametrize("name", NAMES)
def test_every_notebook_has_its_beats(name):
    notebook = solution_notebook(read_source(PLACES.source(name)), PLACES.claims)
    order = [beat for beat, _ in beats(notebook) if beat not in ("aside", "further")]
    assert order, f"{name}: no cell has a beat"
    if name[3:] not in (
        "start_here",
        "mystery_jobs",
    ):  # these have a shape of their own
        wanted = ["symptom", "predict", "observe", "locate", "fix", "confirm"]
        assert order == wanted, f"{name}: beats are {order}, wanted {wanted}"


@pytest.mark.parametrize("name", NAMES)
def test_the_header_states_a_careful_reader_s_minutes(name):
    source = read_source(PLACES.source(name))
    notebook = solution_notebook(source, PLACES.claims)
    make_learner_version(notebook)
    minutes = core_minutes(notebook, source.header)
    assert source.header.core == minutes, (
        f"{name}: the header states {source.header.core} minutes for the core; its "
        f"words, code and exercises make {minutes}"
    )


def test_minutes_grow_with_words_code_and_exercises():
    from types import SimpleNamespace

    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    def cell(text, **metadata):
        make = new_code_cell if metadata.pop("code", False) else new_markdown_cell
        return make(text, metadata=metadata)

    def minutes(*cells, part=1):
        return core_minutes(new_notebook(cells=cells), SimpleNamespace(part=part))

    words, code = cell("word " * 1000), cell("a = 1\n" * 100, code=True)
    check = cell("check()", code=True, role="check")
    further = cell("word " * 1000, beat="further")
    assert minutes() == 10 and minutes(words) == 20 and minutes(words, further) == 20
    assert minutes(code) == 20 and minutes(words, code, check) == 35
    assert minutes(words, code, part=3) == 35
    assert minutes(cell("<details>" + "word " * 1000 + "</details>")) == 10
    hidden = cell("a = 1\n" * 100, code=True, jupyter={"source_hidden": True})
    assert minutes(hidden) == 10


def test_the_size_of_a_screen_is_measured():
    from nbformat.v4 import new_code_cell, new_markdown_cell

    cells = [
        new_code_cell("a = 1\n\nb = 22"),
        new_markdown_cell("Four words stand here. <details>\n\nnot\nthese</details>"),
    ]
    assert size(cells) == (2, 6, 4)


@pytest.mark.parametrize("name", NAMES)
def test_further_headings_have_the_header_s_minutes(name):
    source = read_source(PLACES.source(name))
    text = "\n".join(each.text for each in source.cells if each.kind == "markdown")
    said = re.findall(r"^## Further\b.*\((\d+) minutes\)$", text, re.M)
    assert [int(each) for each in said] == list(source.header.further)
