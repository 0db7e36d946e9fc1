"""Run the course in one environment: notebooks as Colab opens them, right answers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autograder.check import results_of
from autograder.colab import colab_version
from autograder.places import Places
from course.checks.verdicts import Outcome

SECONDS = 300  # for a cell: some check in Part 3 on a busy machine
KERNEL = "tried"
FAILED = "CheckFailed"  # a check's own way to end its cell


def run_notebook(path: Path, python: Path, source: Path, folder: Path) -> list[str]:
    """Run a solution notebook with its first cell of Colab; return what went wrong.

    path: the solution notebook.
    python: of the environment; the course may be missing there.
    source: the zip that the first cell installs.
    folder: where it runs, as in Colab's /content; nothing of the course is there.
    """
    notebook = colab_version(nbformat.read(path, as_version=4), str(source))
    kernel = folder / "kernels" / KERNEL / "kernel.json"
    kernel.parent.mkdir(parents=True, exist_ok=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    said = {"argv": argv, "display_name": KERNEL, "language": "python"}
    kernel.write_text(json.dumps(said))
    os.environ["JUPYTER_PATH"] = str(folder)  # there Jupyter finds the kernel
    client = NotebookClient(
        notebook, kernel_name=KERNEL, timeout=SECONDS, allow_errors=True
    )
    try:
        client.execute(cwd=str(folder), env=_environment(folder))
    except (CellTimeoutError, DeadKernelError) as error:
        return [f"{path.stem[:2]}: {type(error).__name__}: {str(error)[:300]}"]
    return list(_what_went_wrong(notebook, path.stem[:2]))


def _what_went_wrong(notebook: nbformat.NotebookNode, number: str) -> Iterator[str]:
    for result in results_of(notebook):
        if result.outcome != Outcome.RIGHT:
            yield f"{result.exercise} {result.outcome}: {result.message}"
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error" and output.ename != FAILED:
                first = cell.source.partition("\n")[0]
                yield f"{number}: {first!r}: {output.ename}: {output.evalue[:300]}"


def right_answers(
    python: Path, places: Places, numbers: Sequence[str], folder: Path
) -> Iterator[tuple[str, str]]:
    """Yield each right answer's name, and what is said of it: "" where RIGHT.

    python: of the environment, which has the course and what reads its sources.
    places: of the course whose answers these are.
    numbers: of notebooks; none for all.
    """
    module = "autograder.versions.right_answers"
    command = [str(python), "-m", module, str(places.root), *numbers]
    with subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            said = json.loads(line)
            yield said["answer"], said["wrong"]
    if process.returncode:
        yield module, f"it ended with {process.returncode}"


def _environment(folder: Path) -> dict[str, str]:
    """This process's, without what would lead to another course or kernel."""
    dropped = {"PYTHONPATH", "VIRTUAL_ENV", "MPLBACKEND", "JUPYTER_PATH"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {
        **kept,
        "COURSE_DATA_DIR": str(folder / "data"),
        "MPLCONFIGDIR": str(folder),  # another Matplotlib has other fonts
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
