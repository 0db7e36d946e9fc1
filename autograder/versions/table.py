"""What was measured on each environment: kept as TOML, shown as the README's table."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.toml_files import read_toml
from autograder.versions.environments import environments

DATA = Path(__file__).with_name("measured.toml")


@dataclass(frozen=True)
class Measured:
    """What came of one environment.

    notebooks, answers: how many were run; the lists name those that were not RIGHT, or
        had an error, in the words of what was said of them.
    """

    name: str
    date: str
    python: str
    tensorflow: str
    keras: str
    notebooks: int
    notebooks_wrong: tuple[str, ...]
    answers: int
    answers_wrong: tuple[str, ...]


def measured() -> dict[str, Measured]:
    """Return the rows by the environments' names."""
    rows = read_toml(DATA).get("measured", [])
    return {
        row["name"]: Measured(
            **{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
        )
        for row in rows
    }


def keep(row: Measured) -> None:
    """Write a row in the place of the older one of this environment."""
    rows = {**measured(), row.name: row}
    lines = ["# Written by `make prove-versions`."]
    for each in (rows[name] for name in environments() if name in rows):
        lines += ["", "[[measured]]"]
        lines += [f"{k} = {json.dumps(v)}" for k, v in asdict(each).items()]
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")


def versions_table() -> str:
    """The table for people: versions, and how many notebooks and answers are right."""
    lines = [
        "| | TensorFlow | Keras | Python | notebooks | right answers | on |",
        "|:--|:--|:--|:--|:--|:--|:--|",
    ]
    said = environments()
    for name, row in measured().items():
        numbers = {each.partition("/")[0][:2] for each in row.notebooks_wrong}
        right = row.notebooks - len(numbers)
        accepted = row.answers - len(row.answers_wrong)
        lines.append(
            f"| {said[name].says} | {row.tensorflow} | {row.keras} | {row.python} | "
            f"{right} of {row.notebooks} | {accepted} of {row.answers} | {row.date} |"
        )
    return "\n".join(lines)
