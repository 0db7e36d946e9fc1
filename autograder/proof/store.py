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

from autograder.answers.runs import Observations
from autograder.places import CourseError
from course.whole_files import write_whole

NUMBERS = "cases.npy"
_DATE = (1980, 1, 1, 0, 0, 0)  # equal records are equal files


@dataclass(frozen=True)
class Record:
    """What one answer gave.

    code: digest of its code and of what this imports.
    verdict: what the check said when it was recorded, for people to read.
    observations: exercise -> the bytes of an Observed.
    """

    code: str
    verdict: str
    observations: Observations

    @property
    def digest(self) -> str:
        """A digest of what was observed."""
        found = hashlib.sha256()
        for exercise, data in sorted(self.observations.items()):
            found.update(exercise.encode() + data)
        return found.hexdigest()[:16]


@dataclass(frozen=True)
class RecordFile:
    """The records of one file of answers.

    python, parts: as in `Dependencies`.
    cases, numbers: digest and numbers of the trials' signature.
    records: name of an answer, such as sum_of_means -> its record.
    """

    python: str
    parts: dict[str, str]
    cases: str
    numbers: np.ndarray
    records: dict[str, Record] = field(default_factory=dict)


def record_paths(answers: Path) -> tuple[Path, Path]:
    """Return the index and the observations that belong to a file of answers."""
    folder = answers.parent.parent / "records"
    return folder / f"{answers.stem}.json", folder / f"{answers.stem}.zip"


def read_records(answers: Path) -> RecordFile | None:
    """Return the records of a file of answers; None where it has none.

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
        records = {}
        for name, line in head["answers"].items():
            start = f"{name}/"
            observations = {
                key.removeprefix(start): data.pop(key)
                for key in sorted(data)
                if key.startswith(start)
            }
            records[name] = Record(line["code"], line["verdict"], observations)
            if records[name].digest != line["observed"]:
                raise ValueError(f"what was observed of {name} was changed")
        if data:
            raise ValueError(f"{sorted(data)[0]} belongs to no answer")
        return RecordFile(
            head["python"], head["depends"], head["cases"], numbers, records
        )
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise CourseError(
            f"The records {index} and {archive.name} do not fit together: {error}. "
            f"Delete both and run: course record {_named(answers)}"
        ) from error


def write_records(answers: Path, file: RecordFile) -> None:
    """Write the records of a file of answers, each file whole or not at all."""
    index, archive = record_paths(answers)
    index.parent.mkdir(exist_ok=True)
    numbers, packed = io.BytesIO(), io.BytesIO()
    np.save(numbers, file.numbers)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archived:
        _put(archived, NUMBERS, numbers.getvalue())
        for name, record in sorted(file.records.items()):
            for exercise, data in sorted(record.observations.items()):
                _put(archived, f"{name}/{exercise}", data)
    write_whole(archive, packed.getvalue())
    lines = {
        name: {"verdict": e.verdict, "code": e.code, "observed": e.digest}
        for name, e in sorted(file.records.items())
    }
    head = {"python": file.python, "cases": file.cases}
    head |= {"depends": file.parts, "answers": lines}
    write_whole(index, _lines_of(head).encode())


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
