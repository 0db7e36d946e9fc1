"""The page of all probes, docs/triage.md: a frame, and what the rooms say."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder import keras_versions
from autograder.anchors import placed
from autograder.cases import Case, read_cases
from autograder.places import Places
from autograder.probes import Probe, read_probes
from autograder.source import Source

TEMPLATE = Path(__file__).with_name("triage.md.jinja")


def render_triage(places: Places, sources: list[Source]) -> str:
    """The page's text.

    Raises CourseError where the triage.md of a room leaves a probe out, or says what
    does not fit, or a row of a cases.toml is not as it should be.
    """
    names = {source.header.number: source.name for source in sources}
    cases = [case for case in read_cases(places) if case.lesson in {"", *names}]
    probes = [probe for source in sources for probe in read_probes(source)]

    def of(question: int | None) -> list[Probe]:
        found = [each for each in probes if each.question == question]
        return sorted(found, key=lambda each: each.order)

    def link(question: int, text: str) -> str:
        """A link to the first probe of a question, where it has one."""
        return f"[{text}](#{of(question)[0].name})" if of(question) else text

    environment = Environment(
        undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        link=link,
        table=_table(probes),
        cases="\n".join(_case(each, names) for each in cases),
        cited=sum(1 for each in cases if each.cited),
        versions=keras_versions.table(keras_versions.measured()),
        tensorflow=keras_versions.tensorflow(),
        sections=lambda question: "\n\n".join(map(_section, of(question))),
    )


def _table(probes: list[Probe]) -> str:
    """What is seen, in the order of its places, and the probes that it leads to."""
    lines = [
        (place, text, probe) for probe in probes for place, text in probe.see.items()
    ]
    return "\n".join(
        f"| {text} | {_leads_to(probe, probes)} |"
        for _, text, probe in sorted(lines, key=lambda line: line[0])
    )


def _case(case: Case, names: dict[str, str]) -> str:
    see = f"{case.see} ([cited]({case.cited}))" if case.cited else case.see
    where = ""
    if case.lesson:
        name = names[case.lesson]
        where = f"[{case.lesson}](../notebooks/{name}/{name}.ipynb)"
    return f"| {placed(case.see)}{see} | {case.cause} | {case.first} | {where} |"


def _leads_to(first: Probe, probes: list[Probe]) -> str:
    """The probe, and those that say that they come behind it."""
    behind = [
        probe.also[first.name].format(_link(probe))
        for probe in probes
        if first.name in probe.also
    ]
    return first.say.format(_link(first)) + "".join(behind)


def _link(probe: Probe) -> str:
    return f"[{probe.name}](#{probe.name})"


def _section(probe: Probe) -> str:
    name, header = probe.source.name, probe.source.header
    notebook = f"../notebooks/{name}/{name}.ipynb"
    return f"{probe.text}\n\nExplained in [{header.number} {header.title}]({notebook})."
