"""The page docs/claims.md: what five documents claim, and what TensorFlow does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autograder.claims import VERDICTS, Claim, Ledger, read_ledger
from autograder.places import Places
from autograder.source import Source

MEANINGS = {
    "holds": "Our run shows what the document says; or its advice helps.",
    "conditions": "True in some cases; the row says in which, or of which part.",
    "outdated": "It was so in an older version, and is no more.",
    "wrong": "Our run shows something else.",
    "not tested": "The row says why not, and what we know nevertheless.",
    "runs": "A code sample that comes to its end. What its text says of it has rows of "
    "its own.",
    "fails": "A code sample that stops with an error.",
}
SHAPES = {
    "holds": "✓",
    "conditions": "◐",
    "outdated": "◔",
    "wrong": "✗",
    "not tested": "–",
    "runs": "▷",
    "fails": "□",
}
SHORT = VERDICTS | {"conditions": "under conditions", "not tested": "not tested"}


def render_claims_page(places: Places, sources: Sequence[Source]) -> str:
    """The whole page, as Markdown that GitHub and JupyterLab show alike.

    Links to notebooks are made for those among `sources`. Raises CourseError where
    the ledger is not as it should be.
    """
    ledger = read_ledger(places.claims)
    versions = " and ".join(f"{name} {each}" for name, each in ledger.tested.items())
    parts = [
        "<!-- Built by `course build` from the rooms' claims.toml and "
        "solutions/documents.toml: edit those. -->",
        "# Five documents on failing distributed training, tested",
        "Five texts explain why TensorFlow training fails, or stays slow, "
        "when it is distributed. This page takes their claims and code samples one by "
        f"one and says what {versions} did when we tried.",
        _counts(ledger),
        "A claim that several documents make counts in each of them, and once in the "
        "last line. It stands in full where it comes first.",
        "## What was tested, and how",
        f"- **Versions:** {versions}, on Linux, with Python 3.11. Other versions may "
        "differ.\n"
        "- **Machines:** CPUs only, no GPU. Replicas ran on virtual devices of one "
        "CPU; workers and parameter servers were real processes on one machine. No "
        "verdict depends on how fast that machine is.\n"
        '- **Evidence:** each verdict other than "not tested" links to a test. It '
        "makes the situation of the claim, and fails if TensorFlow does something "
        "else. All run with `make test`.\n"
        "- **Claims** are put in our words, so that they fit into a line. Of a code "
        "sample, the test makes the same calls, on two devices or two workers where "
        "the sample is meant for several.",
        "### How to read a verdict",
        "| Verdict | Meaning |\n|:--|:--|\n"
        + "\n".join(f"| {_verdict(v)} | {text} |" for v, text in MEANINGS.items()),
    ]
    links = _notebook_links(sources)
    for number, title in ledger.documents.items():
        # a heading of digits has the same anchor on GitHub and in JupyterLab
        parts += [f"## {number}", f"**{title}**", ledger.in_short.get(number, "")]
        parts.append(_rows(ledger, number, links))
    if ledger.left_out or ledger.untold:
        parts += ["## What is not on this page", _left_out(ledger)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _verdict(verdict: str) -> str:
    """A verdict that stays on one line."""
    return f"{SHAPES[verdict]} {SHORT[verdict]}".replace(" ", "&nbsp;")


def _of(ledger: Ledger, number: str) -> list[Claim]:
    """The claims of a document, in its own order."""
    found = [row for row in ledger.claims if _own(row, number)]
    return sorted(found, key=lambda row: _own(row, number))


def _own(row: Claim, number: str) -> list[str]:
    return [each for each in row.ids if each.startswith(number)]


def _counts(ledger: Ledger) -> str:
    head = " | ".join(f"{SHAPES[v]} {SHORT[v]}" for v in VERDICTS)
    lines = [f"| Document | {head} |", "|:--|" + "--:|" * len(VERDICTS)]
    groups = [(f"[{n}](#{n}) {t}", _of(ledger, n)) for n, t in ledger.documents.items()]
    for title, rows in [*groups, ("**All, each claim once**", ledger.claims)]:
        counts = Counter(row.verdict for row in rows)
        numbers = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
        lines.append(f"| {title} | {numbers} |")
    return "\n".join(lines)


def _notebook_links(sources: Sequence[Source]) -> dict[str, str]:
    return {
        each.header.number: f"[notebook {each.header.number}]"
        f'(../notebooks/{each.name}/{each.name}.ipynb "{each.header.title}")'
        for each in sources
    }


def _rows(ledger: Ledger, number: str, links: dict[str, str]) -> str:
    lines = [
        "| The document says | Verdict | What we saw | Where |",
        "|:--|:--|:--|:--|",
    ]
    for row in _of(ledger, number):
        own = ", ".join(_own(row, number))
        verdict = _verdict(row.verdict)
        if row.ids[0].startswith(number):
            places = [links.get(row.notebook, "")]
            if row.test:
                file, _, name = row.test.partition("::")
                places.append(f"[{name}](../{file})")
            where = "<br>".join(place for place in places if place)
            lines.append(
                f"| **{own}** {row.claim} | {verdict} | {row.seen} | {where} |"
            )
        else:
            first = row.ids[0]
            see = f"See [{first}](#{first[:3]})."
            lines.append(f"| **{own}** {row.claim} | {verdict} | {see} | |")
    return "\n".join(lines)


def _left_out(ledger: Ledger) -> str:
    """Numbers without a row, by the reason why there is none."""
    by_reason: dict[str, list[str]] = {}
    for each, reason in ledger.left_out.items():
        by_reason.setdefault(reason, []).append(each)
    if ledger.untold:
        by_reason["No notebook of this course is about it."] = ledger.untold
    return "\n".join(f"- {why} ({', '.join(ids)})" for why, ids in by_reason.items())
