"""The page docs/find.html: all that leads to a notebook, and a search without a net."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from autograder.anchors import anchor_of
from autograder.cases import read_cases
from autograder.claims import read_ledger
from autograder.field import read_field
from autograder.messages import read_messages
from autograder.places import Places
from autograder.probes import read_probes
from autograder.published import read_published
from autograder.source import Source

FOLDER = Path(__file__).with_name("find")
# sections of triage.md that no notebook is about
ADVICE = "The path between GPUs", "It stands still right now"
NOTEBOOK = "notebooks/{0}/{0}.ipynb"
EXAMPLES = (
    "the weights differ from one GPU to the next",
    "it hangs before the first step",
    "UnavailableError: failed to connect to all addresses",
)


@dataclass(frozen=True)
class Entry:
    """Something that leads to a notebook.

    kind: "symptom", "cause", "advice", "case", "message", "probe", "claim", "thread".
    text: what is searched and shown; more: what is shown beside it, and searched, too.
    link: where it stands, from the page; key: tells it from all others.
    lesson: number of the notebook; "" where there is none yet.
    told: where there is none, whether one of our pages names the cause.
    """

    kind: str
    text: str
    link: str
    lesson: str
    more: str = ""
    key: str = ""
    told: bool = True


def render_find(places: Places, sources: Sequence[Source]) -> str:
    """The page's text, with its script and its style."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = {source.header.number for source in sources}
    published = read_published(places)
    on_colab = published is not None and published.has_colab
    entries = [e for e in _entries(places, sources) if e.lesson in {"", *numbers}]
    sections = [
        (
            source.header.number,
            source.header.title,
            f"../{NOTEBOOK.format(source.name)}",
            published.on_colab(source.name) if on_colab else "",
            [each for each in entries if each.lesson == source.header.number],
        )
        for source in sources
    ]
    others = [each for each in entries if not each.lesson]
    sections += [
        ("page", "No notebook, but the cause", "", "", [e for e in others if e.told]),
        ("", "Nobody told the cause", "", "", [e for e in others if not e.told]),
    ]
    markdown = MarkdownIt("commonmark", {"html": False})
    environment.filters["inline"] = lambda text: Markup(markdown.renderInline(text))
    page = environment.get_template("page.html.jinja")
    kinds = Counter(each.kind for each in entries)
    text = page.render(
        sections=sections,
        examples=EXAMPLES,
        symptoms=kinds["symptom"],
        messages=kinds["message"],
        others=kinds.total() - kinds["symptom"] - kinds["message"],
    )
    return text.rstrip() + "\n"


def _entries(places: Places, sources: Sequence[Source]) -> Iterator[Entry]:
    for source in sources:
        header, notebook = source.header, f"../{NOTEBOOK.format(source.name)}"
        for symptom in header.symptoms:
            yield Entry("symptom", symptom, notebook, header.number)
        yield Entry("cause", header.cause, notebook, header.number)
        for probe in read_probes(source):
            seen = "; ".join(probe.see.values())
            asked = probe.text.partition("\n")[2].partition("```")[0].strip()
            link = f"triage.md#{probe.name}"
            yield Entry("probe", seen or probe.name, link, header.number, asked)
    written = (FOLDER.parent / "triage.md.jinja").read_text(encoding="utf-8")
    for heading in ADVICE:
        text = " ".join(
            written.split(f"## {heading}\n")[1].partition("\n## ")[0].split()
        )
        link = f"triage.md#{heading.lower().replace(' ', '-')}"
        yield Entry("advice", heading, link, "", text)
    for case in read_cases(places):
        more = f"{case.cause} {case.first}"
        link = f"triage.md#{anchor_of(case.see)}"
        yield Entry("case", case.see, link, case.lesson, more)
    for message in read_messages(places):
        more = f"{message.means} {message.first}"
        link = f"messages.md#{anchor_of(message.text)}"
        yield Entry("message", message.text, link, message.lesson, more)
    for thread in read_field(places):
        more = " ".join(filter(None, (thread.error, thread.cause, thread.remedy)))
        yield Entry(
            "thread",
            thread.symptom,
            thread.address,
            thread.lesson,
            more,
            thread.address,
            bool(thread.page),
        )
    for claim in read_ledger(places.claims).claims:
        yield Entry("claim", claim.claim, "claims.md", claim.notebook, claim.seen)
