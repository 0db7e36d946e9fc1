"""The ledger of what the documents claim: read, verified, and shown in a notebook."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.places import CourseError

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
    """One row of course/claims.toml, which says what each field holds."""

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
    """All of course/claims.toml.

    tested: package -> the version that the tests ran on.
    documents, in_short: number of a document -> its title; -> what to keep of it.
    left_out: id of a claim without a row -> why.
    """

    documents: dict[str, str]
    claims: tuple[Claim, ...]
    tested: dict[str, str]
    in_short: dict[str, str]
    left_out: dict[str, str]


def read_ledger(path: Path) -> Ledger:
    """Read claims.toml; without that file the ledger is empty.

    Raises CourseError where a row lacks a field, has one too many, or contradicts
    another one.
    """
    table = {}
    if path.is_file():
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise CourseError(f"{path} is no TOML: {error}") from error
    documents, taken = table.get("documents", {}), set(table.get("left_out", {}))
    claims = []
    for row in table.get("claims", []):
        where = f"{path}, claim {row.get('ids', '?')}"
        _verify(row, documents, where)
        for each in row["ids"]:
            if each in taken:
                raise CourseError(f"{where}: {each} stands in two places.")
            taken.add(each)
        claims.append(Claim(**{**row, "ids": tuple(row["ids"])}))
    rest = {name: table.get(name, {}) for name in ("tested", "in_short", "left_out")}
    return Ledger(documents, tuple(claims), **rest)


def _verify(row: dict, documents: dict, where: str) -> None:
    untested = row.get("verdict") == "not tested"
    needed = {"ids", "claim", "verdict"}
    needed |= {"reason"} if untested else {"tensorflow", "test"}
    if missing := [name for name in sorted(needed) if not row.get(name)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Claim)}
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
        raise CourseError(f"{path} holds no claim for notebook {number}.")
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
