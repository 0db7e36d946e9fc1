"""Text that the build writes: a notebook's header, its claims, the README's tables."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from autograder.places import CourseError
from autograder.source import Header, Source

VERDICTS = {
    "holds": "holds",
    "conditions": "holds under conditions",
    "outdated": "outdated",
    "wrong": "not what we saw",
    "not tested": "not tested here",
}


def minutes(header: Header) -> str:
    """The honest minutes: core, and each further exercise."""
    further = " + ".join(str(each) for each in header.further)
    return f"{header.core} minutes" + (f", further {further}" if further else "")


def render_header(header: Header) -> str:
    """The first cell: title, minutes and, collapsed, cause, probe and fix."""
    return "\n\n".join(
        [
            f"# {header.number} · {header.title}",
            f"**{minutes(header)}**",
            "<details>\n<summary>In a hurry: cause, probe, fix</summary>",
            f"**Cause.** {header.cause}",
            f"**Probe.** {header.probe}",
            f"**Fix.** {header.fix}",
            "</details>",
        ]
    )


def read_claims(path: Path) -> tuple[dict[str, str], list[dict]]:
    """The documents' titles and the rows of claims.toml; verifies each row."""
    if not path.is_file():
        return {}, []
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} is no TOML: {error}") from error
    needed = {"ids", "claim", "verdict", "tensorflow", "notebook"}
    for row in table.get("claims", []):
        where = f"{path}, claim {row.get('ids', '?')}"
        missing = needed - set(row)
        if row.get("verdict") != "not tested" and "test" not in row:
            missing |= {"test"}
        if missing:
            raise CourseError(f"{where}: it lacks {', '.join(sorted(missing))}.")
        if row["verdict"] not in VERDICTS:
            raise CourseError(
                f"{where}: unknown verdict {row['verdict']!r}. "
                f"Known: {', '.join(VERDICTS)}."
            )
        for each in row["ids"]:
            if each.partition("-")[0] not in table["documents"]:
                raise CourseError(f"{where}: no title for the document of {each}.")
    return table.get("documents", {}), table.get("claims", [])


def render_claims(path: Path, number: str) -> str:
    """What the documents say and what TensorFlow does, for one notebook."""
    titles, rows = read_claims(path)
    grouped: dict[str, list[str]] = {}
    for row in rows:
        if row["notebook"] == number:
            document = row["ids"][0].partition("-")[0]
            line = f"| {row['claim']} | {row['tensorflow']} | "
            grouped.setdefault(document, []).append(
                line + f"{VERDICTS[row['verdict']]} |"
            )
    if not grouped:
        raise CourseError(f"{path} holds no claim for notebook {number}.")
    parts = [
        "<details>\n<summary>For later: what five texts on this subject say, and what "
        "TensorFlow 2.21 does</summary>",
        "This course tests what five widely read texts say about failing distributed "
        "training. About this notebook's subject:",
    ]
    for document in sorted(grouped):
        parts.append(
            f'"{titles[document]}"\n\n'
            "| The text says | TensorFlow 2.21 does | Verdict |\n"
            "|:--|:--|:--|\n" + "\n".join(grouped[document])
        )
    return "\n\n".join([*parts, "</details>"])


def notebooks_table(sources: list[Source]) -> str:
    """The README's table of notebooks: number, symptom, minutes."""
    lines = ["| | notebook | minutes |", "|:--|:--|:--|"]
    for source in sources:
        link = f"notebooks/{source.name}/{source.name}.ipynb"
        further = "".join(f" + {each}" for each in source.header.further)
        lines.append(
            f"| {source.header.number} | [{source.header.title}]({link}) "
            f"| {source.header.core}{further} |"
        )
    return "\n".join(lines)


def symptoms_table(sources: list[Source]) -> str:
    """The README's index from symptom to notebook, sorted by symptom."""
    rows = []
    for source in sources:
        link = f"notebooks/{source.name}/{source.name}.ipynb"
        for symptom in source.header.symptoms:
            number, title = source.header.number, source.header.title
            rows.append(f"| {symptom} | [{number} {title}]({link}) |")
    head = ["| what you see | notebook |", "|:--|:--|"]
    return "\n".join(head + sorted(rows, key=str.casefold))


def render_readme(text: str, sources: list[Source]) -> str:
    """The README with its two tables rewritten between their markers."""
    for name, table in (
        ("notebooks", notebooks_table(sources)),
        ("symptoms", symptoms_table(sources)),
    ):
        pattern = rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)"
        if not re.search(pattern, text, flags=re.S):
            raise CourseError(
                f"README.md has no place for its table of {name}: write the lines "
                f"<!-- {name}:begin --> and <!-- {name}:end --> where it should stand."
            )
        text = re.sub(
            pattern,
            lambda found, table=table: f"{found[1]}{table}\n{found[2]}",
            text,
            flags=re.S,
        )
    return text
