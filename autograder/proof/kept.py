"""The records of one file of answers: a readable index, and what was observed.

`records/my_step.json` says what each answer was observed with, and what the check made
of it; `records/my_step.zip` has the observations, as `course.checks.observed` writes
them.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from autograder.answers.runs import Seen
from autograder.places import CourseError
from course.whole_files import write_whole

NUMBERS = "cases.npy"
_DATE = (1980, 1, 1, 0, 0, 0)  # equal records are equal files


@dataclass(frozen=True)
class Entry:
    """What is kept of one answer.

    code: digest of its code.
    verdict: what the check said when it was recorded, for people to read.
    seen: exercise -> the bytes of an Observed.
    """

    code: str
    verdict: str
    seen: Seen

    @property
    def digest(self) -> str:
        """A digest of what was observed."""
        found = hashlib.sha256()
        for exercise, data in sorted(self.seen.items()):
            found.update(exercise.encode() + data)
        return found.hexdigest()[:16]


@dataclass(frozen=True)
class Kept:
    """The records of one file of answers.

    python, parts: as in `Depends`.
    cases, numbers: digest and numbers of the trials' signature.
    entries: name of an answer, such as sum_of_means -> what is kept of it.
    """

    python: str
    parts: dict[str, str]
    cases: str
    numbers: np.ndarray
    entries: dict[str, Entry] = field(default_factory=dict)


def record_paths(answers: Path) -> tuple[Path, Path]:
    """Return the index and the observations that belong to a file of answers."""
    folder = answers.parent.parent / "records"
    return folder / f"{answers.stem}.json", folder / f"{answers.stem}.zip"


def read_kept(answers: Path) -> Kept | None:
    """Return what is kept of a file of answers; None where nothing is.

    Raises:
        CourseError: index and observations are damaged, or do not belong together.
    """
    index, archive = record_paths(answers)
    if not index.exists() and not archive.exists():
        return None
    try:
        head = json.loads(index.read_text(encoding="utf-8"))
        with zipfile.ZipFile(archive) as file:
            data = {name: file.read(name) for name in file.namelist()}
        numbers = np.load(io.BytesIO(data.pop(NUMBERS)), allow_pickle=False)
        entries = {}
        for name, said in head["answers"].items():
            start = f"{name}/"
            seen = {
                key.removeprefix(start): data.pop(key)
                for key in sorted(data)
                if key.startswith(start)
            }
            entries[name] = Entry(said["code"], said["verdict"], seen)
            if entries[name].digest != said["observed"]:
                raise ValueError(f"what was observed of {name} was changed")
        if data:
            raise ValueError(f"{sorted(data)[0]} belongs to no answer")
        return Kept(head["python"], head["depends"], head["cases"], numbers, entries)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise CourseError(
            f"The records {index} and {archive.name} do not fit together: {error}. "
            f"Delete both and run: course record {_named(answers)}"
        ) from error


def write_kept(answers: Path, kept: Kept) -> None:
    """Write the records of a file of answers, each file whole or not at all."""
    index, archive = record_paths(answers)
    index.parent.mkdir(exist_ok=True)
    numbers, packed = io.BytesIO(), io.BytesIO()
    np.save(numbers, kept.numbers)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        _put(file, NUMBERS, numbers.getvalue())
        for name, entry in sorted(kept.entries.items()):
            for exercise, data in sorted(entry.seen.items()):
                _put(file, f"{name}/{exercise}", data)
    write_whole(archive, packed.getvalue())
    lines = {
        name: {"verdict": e.verdict, "code": e.code, "observed": e.digest}
        for name, e in sorted(kept.entries.items())
    }
    head = {"python": kept.python, "cases": kept.cases}
    head |= {"depends": kept.parts, "answers": lines}
    write_whole(index, _lines_of(head).encode())


def remove_kept(answers: Path) -> None:
    """Remove the records of a file of answers."""
    for path in record_paths(answers):
        path.unlink(missing_ok=True)


def _put(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    made = zipfile.ZipInfo(name, _DATE)
    made.compress_type = zipfile.ZIP_DEFLATED
    file.writestr(made, data)


def _lines_of(head: dict) -> str:
    """JSON with one line for each module and each answer, so that a diff is short."""
    parts = []
    for key, value in head.items():
        if isinstance(value, dict):
            inner = ",\n".join(
                f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()
            )
            parts.append(f" {json.dumps(key)}: {{\n{inner}\n }}")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _named(answers: Path) -> str:
    return f"{answers.parent.parent.name[:2]} {answers.stem}"
