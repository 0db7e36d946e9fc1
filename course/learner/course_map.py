"""The map of the course: its notebooks with minutes, and how far this learner is.

Where the notebooks' folder is not at hand, as in Colab, their list is the package's
own, notebooks.json, which the build writes.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ipywidgets
from IPython.display import HTML, display

from course.checks.verdicts import Outcome
from course.learner import progress

SAVED_AS = "my_progress.json"
LIST = Path(__file__).with_name("notebooks.json")


@dataclass(frozen=True)
class Entry:
    """One notebook: its header's facts, and the exercises it checks, in order.

    path: where a link leads, "" for nowhere.
    """

    number: str
    title: str
    minutes: str
    path: str
    exercises: tuple[str, ...]

    @property
    def linked(self) -> str:
        """Number and title as HTML, with a link where there is one."""
        title = f"{self.number} {html.escape(self.title)}"
        return f'<a href="{html.escape(self.path)}">{title}</a>' if self.path else title


def read_entries(folder: Path) -> list[Entry]:
    """Return the course's notebooks in subfolders of `folder`, else all there are."""
    entries = []
    for path in sorted(folder.glob("[0-9][0-9]_*/[0-9][0-9]_*.ipynb")):
        link = f"../{path.parent.name}/{path.name}"
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))["metadata"]["course"]
            entries.append(_entry(facts, link))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # a copy of a learner's, or a file of another kind
    return entries or list(_listed())


def _listed() -> Iterator[Entry]:
    """The package's own list; its links are "" where nobody published the course."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        for facts in json.loads(LIST.read_text(encoding="utf-8")):
            yield _entry(facts, facts["link"])


def _entry(facts: dict, link: str) -> Entry:
    return Entry(
        facts["number"],
        facts["title"],
        facts["minutes"],
        link,
        tuple(facts["exercises"]),
    )


def course_map(folder: Path | str = "..") -> None:
    """Show the table of notebooks, with this learner's predictions and results."""
    known = progress.load()
    rows = "".join(_row(entry, known) for entry in read_entries(Path(folder)))
    heads = "".join(f"<th>{name}</th>" for name in ("Minutes", "Predicted", "Right"))
    display(
        HTML(
            '<table><thead><tr><th style="text-align:left">Notebook</th>'
            f"{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )
    )


def _row(entry: Entry, known: progress.Progress) -> str:
    outcomes = map(known.outcomes.get, entry.exercises)
    right = sum(each == Outcome.RIGHT for each in outcomes)
    predicted = "yes" if entry.number in known.predictions else "not yet"
    return (
        f'<tr><td style="text-align:left">{entry.linked}</td>'
        f"<td>{html.escape(entry.minutes)}</td><td>{predicted}</td>"
        f"<td>{right} of {len(entry.exercises)}</td></tr>"
    )


def keep_progress() -> None:
    """Offer to save progress as a file, and to load such a file again.

    For machines that forget, such as Binder's: the file is written beside the
    notebook; download it from the file browser on the left.
    """
    save = ipywidgets.Button(description=f"Save progress to {SAVED_AS}")
    save.layout.width = "auto"
    upload = ipywidgets.FileUpload(accept=".json", description="Load progress")
    upload.layout.width = "auto"
    said = ipywidgets.HTML()

    def on_save(clicked: ipywidgets.Button) -> None:
        said.value = f"<p>{html.escape(save_progress(Path(SAVED_AS)))}</p>"

    def on_load(change: dict) -> None:
        for text in _texts(change["new"]):
            said.value = f"<p>{html.escape(load_progress(text))}</p>"

    save.on_click(on_save)
    upload.observe(on_load, "value")
    display(ipywidgets.VBox([ipywidgets.HBox([save, upload]), said]))


def _texts(uploaded: dict | tuple) -> Iterator[str]:
    """What stands in uploaded files; ipywidgets 7 has them in a dict, name -> file."""
    for file in uploaded.values() if isinstance(uploaded, dict) else uploaded:
        yield bytes(file["content"]).decode("utf-8", errors="replace")


def save_progress(path: Path) -> str:
    """Write progress to `path` and return a sentence that says so, or why not."""
    try:
        path.write_text(progress.to_text(progress.load()), encoding="utf-8")
    except OSError as error:
        return f"Could not write {path.name}: {error.strerror}."
    return f"Saved. Download {path.name} from the file browser on the left."


def load_progress(text: str) -> str:
    """Add the progress written in `text` to what is known; return a sentence.

    Nothing is lost: an exercise that is right in one of the two stays right.
    """
    try:
        loaded = progress.parse(text)
    except ValueError:
        return f"This is not a progress file: choose the {SAVED_AS} you saved."
    progress.remember_file(loaded)
    return "Loaded. Run the map's cell again to see it."
