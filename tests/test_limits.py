"""Solution notebooks run clean, with full points, within the limits of time and memory.

The limits are printed beside what was measured; only three times a limit fails.
"""

from datetime import datetime
from pathlib import Path

import pytest
from rich.console import Console

from autograder.check import run_copy
from autograder.executed import PEAK, executed
from autograder.places import course_places
from autograder.source import read_source
from course.checks.verdicts import MIME_TYPE

ROOT = Path(__file__).resolve().parent.parent
PLACES = course_places(ROOT)
WITHIN_ONE = 30, 10, 5  # seconds of the notebook, a cell, a check
WITH_WORKERS = 60, 20, 20  # the same in Part 3, where clusters start
MEMORY_GB = 1.6
SLACK = 3


def seconds(cell):
    """How long a code cell ran."""
    times = cell.metadata["execution"]
    begin, end = (
        datetime.fromisoformat(times[key].replace("Z", "+00:00"))
        for key in ("iopub.execute_input", "shell.execute_reply")
    )
    return (end - begin).total_seconds()


def verdicts(notebook):
    """exercise -> outcome, of every verdict in the outputs."""
    return {
        data["exercise"]: data["outcome"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if (data := output.get("data", {}).get(MIME_TYPE))
    }


def complaints(notebook):
    """What the kernel wrote to stderr, or printed of TensorFlow's own logs."""
    return [
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream"
        and (output.name == "stderr" or "INFO:tensorflow" in output.text)
    ]


@pytest.mark.prove
@pytest.mark.xdist_group("limits")
@pytest.mark.parametrize("name", PLACES.names())
def test_a_solution_notebook_is_right_quick_and_small(name, record_property):
    notebook = executed(PLACES, name, Console(), again=True)
    part = read_source(PLACES.source(name)).header.part
    whole, cell, check = WITH_WORKERS if part == 3 else WITHIN_ONE
    peak = notebook.metadata[PEAK]
    cells = {c.id: seconds(c) for c in notebook.cells if c.cell_type == "code"}
    checks = {k: s for k, s in cells.items() if k.endswith("-check")}
    slowest = max(cells, key=cells.get)
    slowest_check = max(checks, key=checks.get)
    record_property(
        "measured",
        f"{name}: {sum(cells.values()):.1f} s of {whole}, slowest cell "
        f"{slowest} {cells[slowest]:.1f} s of {cell}, slowest check "
        f"{slowest_check} {checks[slowest_check]:.1f} s of {check}, "
        f"kernel {peak / 2**30:.2f} GB of {MEMORY_GB}",
    )
    expected = notebook.metadata["course"]["exercises"]
    assert verdicts(notebook) == dict.fromkeys(expected, "RIGHT")
    assert complaints(notebook) == []
    assert sum(cells.values()) < SLACK * whole
    assert cells[slowest] < SLACK * cell
    assert checks[slowest_check] < SLACK * check
    assert peak < SLACK * MEMORY_GB * 2**30


@pytest.mark.prove
@pytest.mark.xdist_group("limits")
@pytest.mark.parametrize("name", PLACES.names())
def test_a_learners_notebook_reaches_the_end(name):
    notebook = run_copy(PLACES.learner(name), Console())
    expected = notebook.metadata["course"]["exercises"]
    assert verdicts(notebook) == dict.fromkeys(expected, "NOT ATTEMPTED")
    assert complaints(notebook) == []
    assert all(
        cell.execution_count for cell in notebook.cells if cell.cell_type == "code"
    )
