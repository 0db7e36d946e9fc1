"""The ledger of what the documents claim: read, verified, and shown in a notebook."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.places import CourseError
from autograder.toml_files import read_toml

VERDICTS = {
    "holds": "holds",
    "conditions": "holds under conditions",
    "outdated": "outdated",
    "wrong": "not what we saw",
    "not tested": "not tested here",
    "runs": "sample runs",
    "fails": "sample fails",
}


@dataclass(frozen=True)
class Claim:
    """One row of a room's claims.toml; solutions/documents.toml says what it holds.

    notebook: the number of the room. test: its path from the root, and its name.
    """

    ids: tuple[str, ...]
    claim: str
    verdict: str
    tensorflow: str = ""
    notebook: str = ""
    test: str = ""
    reason: str = ""

    @property
    def seen(self) -> str:
        """What TensorFlow does and, where nothing was tested, why not."""
        return f"{self.tensorflow} {self.reason}".strip()


@dataclass(frozen=True)
class Ledger:
    """What all rooms say of the documents: their rows, and solutions/documents.toml.

    tested: package -> the version that the tests ran on.
    documents, in_short: number of a document -> its title; -> what to keep of it.
    left_out: id of a claim without a row -> why.
    made: number of a document -> how many claims it makes.
    """

    documents: dict[str, str]
    claims: tuple[Claim, ...]
    tested: dict[str, str]
    in_short: dict[str, str]
    left_out: dict[str, str]
    made: dict[str, int]

    @property
    def untold(self) -> list[str]:
        """Claims that no room has a row for, and that are not left out either."""
        told = {each for row in self.claims for each in row.ids} | set(self.left_out)
        every = [
            f"{document}-{number:02}"
            for document, most in self.made.items()
            for number in range(1, most + 1)
        ]
        return [each for each in every if each not in told]


def read_ledger(path: Path) -> Ledger:
    """Read documents.toml, and the claims.toml of the rooms beside it, in their order.

    Raises CourseError where a row lacks a field, has one too many, or contradicts
    another one.
    """
    shared = read_toml(path)
    documents, taken = shared.get("documents", {}), set(shared.get("left_out", {}))
    claims = []
    for file in sorted(path.parent.glob("[0-9][0-9]_*/claims.toml")):
        room = file.parent
        for row in read_toml(file).get("claims", []):
            where = f"{file}, claim {row.get('ids', '?')}"
            _verify(row, documents, where)
            for each in row["ids"]:
                if each in taken:
                    raise CourseError(f"{where}: {each} stands in two places.")
                taken.add(each)
            test = row.get("test") and f"{path.parent.name}/{room.name}/{row['test']}"
            facts = {**row, "ids": tuple(row["ids"]), "test": test or ""}
            claims.append(Claim(**facts, notebook=room.name.partition("_")[0]))
    rest = {name: shared.get(name, {}) for name in ("tested", "in_short", "left_out")}
    return Ledger(documents, tuple(claims), **rest, made=shared.get("claims", {}))


def _verify(row: dict, documents: dict, where: str) -> None:
    untested = row.get("verdict") == "not tested"
    needed = {"ids", "claim", "verdict"}
    needed |= {"reason"} if untested else {"tensorflow", "test"}
    if missing := [name for name in sorted(needed) if not row.get(name)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Claim)} - {"notebook"}
    known -= set() if untested else {"reason"}
    if surplus := sorted(set(row) - known):
        raise CourseError(f"{where}: it can't have {', '.join(surplus)}.")
    if row["verdict"] not in VERDICTS:
        raise CourseError(
            f"{where}: unknown verdict {row['verdict']!r}. "
            f"Known: {', '.join(VERDICTS)}."
        )
    for each in row["ids"]:
        if not re.fullmatch(r"\d{3}-\d{2}", each) or each[:3] not in documents:
            raise CourseError(f"{where}: no title for the document of {each}.")


def render_claims(path: Path, number: str) -> str:
    """What the documents say and what TensorFlow does, for one notebook."""
    ledger = read_ledger(path)
    grouped: dict[str, list[str]] = {}
    for row in ledger.claims:
        if row.notebook == number:
            line = f"| {row.claim} | {row.seen} | {VERDICTS[row.verdict]} |"
            grouped.setdefault(row.ids[0][:3], []).append(line)
    if not grouped:
        raise CourseError(
            f"Notebook {number} has a cell for claims, and no room {number} beside "
            f"{path} has a claims.toml with a row. Write one, or remove the cell."
        )
    parts = [
        "<details>\n<summary>For later: what five texts on this subject say, and what "
        "TensorFlow 2.21 does</summary>",
        "This course tests what five texts say about failing distributed training. "
        "About this notebook's subject:",
    ]
    for document in sorted(grouped):
        parts.append(
            f'"{ledger.documents[document]}"\n\n'
            "| The text says | TensorFlow 2.21 does | Verdict |\n"
            "|:--|:--|:--|\n" + "\n".join(grouped[document])
        )
    return "\n\n".join([*parts, "</details>"])
