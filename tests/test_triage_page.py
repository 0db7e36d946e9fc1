"""docs/triage.md is made of all probes, each once; its tests paste exactly."""

import ast
import re
from collections import defaultdict
from dataclasses import replace

import pytest
from triage_page import FIT, SECTIONS, Script, plain, printed
from triage_runs import KERAS

from autograder import triage
from autograder.places import CourseError, course_places
from autograder.probes import IN_FIT, forms_of, probe_code, read_probes
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
ONLY = {"messages_of": {"keras"}}  # in Keras 3, fit does not run in a cluster


def test_every_probe_of_the_notebooks_stands_on_the_page():
    text = triage.render_triage(PLACES, SOURCES)
    names = [each.name for source in SOURCES for each in read_probes(source)]
    assert sorted(names) == sorted(SECTIONS)
    for source in SOURCES:
        for cell in source.cells:
            if cell.id in ("probe", "probe-reads"):
                assert probe_code(cell) in text


@pytest.mark.parametrize("gone", SOURCES, ids=lambda source: source.header.number)
def test_a_room_goes_with_its_lines(gone):
    text = triage.render_triage(PLACES, [each for each in SOURCES if each is not gone])
    links = set(re.findall(r"\]\(#(\w+)\)", text))
    names = {each.name for each in read_probes(gone)}
    assert links <= set(re.findall(r"^### (\w+)", text, re.M)) == set(SECTIONS) - names
    for each in read_probes(gone):
        assert not any(f"| {line} |" in text for line in each.see.values())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("### NAME", "### name", "leaves out the probe NAME of notebook"),
        ("{{ code }}", "the code", "the section NAME needs one line '{{ code }}'"),
        ("### NAME", "### more\n{{ code }}\n### NAME", "has a section more, but no"),
        ("question: ", "question: 5", "NAME: there is no question 5"),
        ("question: ", "questions: ", "the header of NAME: .* 'questions'"),
        ("  see:\n   ", "  order: 1 #", "nothing leads to NAME"),
        ("question: ", "question: [", "the header is no YAML"),
        ("---\nNAME", "NAME", "must begin with a YAML header"),
    ],
)
def test_a_section_that_does_not_fit_is_explained(tmp_path, old, new, words):
    source = SOURCES[0]
    (probe,) = read_probes(source)
    text = source.path.with_name("triage.md").read_text("utf-8")
    old, new, words = (each.replace("NAME", probe.name) for each in (old, new, words))
    assert old in text
    (tmp_path / "triage.md").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(CourseError, match=words):
        read_probes(replace(source, path=tmp_path / source.path.name))


def test_a_room_without_triage_says_what_to_write(tmp_path):
    source = replace(SOURCES[0], path=tmp_path / SOURCES[0].path.name)
    with pytest.raises(CourseError, match="Give it a section: a heading '### "):
        read_probes(source)


def test_a_paste_stands_where_it_should_and_misses_loudly():
    name, section = next(iter(SECTIONS.items()))
    script = Script("import tensorflow as tf\n\nfor a in b:\n    pass\n")
    text = script.paste(name, ("after", "    pass")).text
    assert f"    pass\n    {section.calls[0].splitlines()[0]}\n" in text
    assert text.index(f"def {name}(") < text.index("for a in b")
    with pytest.raises(AssertionError, match="0 times"):
        script.paste(name, ("after", "    no such line"))
    with pytest.raises(AssertionError, match="3 times"):
        script.edit("a", "x")


def test_what_is_printed_is_compared_but_for_times_and_ports():
    assert plain("1795351058.362 at 127.0.0.1:41 is 3e-08\n\n") == plain(
        "1795351059.363 at 127.0.0.1:42 is 0e+00"
    )
    assert printed("a\nc", "a\nb\nc") and not printed("c\na", "a\nb\nc")
    assert not printed("spread: 0.0", "spread: 0.533568")


def test_every_text_of_the_page_was_printed_by_a_run():
    """The rooms' test_probe.py say which, in their CASES."""
    shown = {
        (probe, which)
        for probe, section in SECTIONS.items()
        for which in range(len(section.prints))
    }
    cases = []
    for file in PLACES.solutions.glob("*/test_probe.py"):
        (literal,) = re.findall(r"^CASES = (\[.*?^\])", file.read_text(), re.M | re.S)
        cases += ast.literal_eval(literal)
    assert shown == {(probe, which) for probe, which, _ in cases}
    assert all(len(section.prints) >= 2 for section in SECTIONS.values())


def test_a_section_begins_with_the_function_that_it_is_named_after():
    for name, section in SECTIONS.items():
        assert re.findall(r"^def (\w+)", section.definition, re.M) == [name]


def test_every_section_says_what_a_job_with_fit_does(tmp_path):
    source = SOURCES[0]
    text = source.path.with_name("triage.md").read_text("utf-8")
    (tmp_path / "triage.md").write_text(text.partition(IN_FIT)[0], "utf-8")
    with pytest.raises(CourseError, match="needs a part '#### With `fit`'"):
        read_probes(replace(source, path=tmp_path / source.path.name))


def test_a_form_is_a_block_that_only_defines():
    defines = "```python\nimport time\n\ndef a():\n    pass\n```\n"
    calls = "```python\ndef b():\n    pass\n\nb()\n```\n"
    text = f"{defines}{IN_FIT}\n{defines}{calls}"
    assert forms_of(text) == ("import time\n\ndef a():\n    pass",)


FORMS = [
    form for source in SOURCES for probe in read_probes(source) for form in probe.forms
]


@pytest.mark.parametrize(
    "form", FORMS, ids=lambda form: re.search(r"def (\w+)", form)[1]
)
def test_a_form_is_as_short_as_a_probe(form):
    """15 lines of code, beside its imports and the sentence that it opens with."""
    lines = [line for line in form.splitlines() if line.strip()]
    code = [line for line in lines if not re.match(r"(import|from) |    \"\"\"", line)]
    assert len(code) <= 15 and max(map(len, lines)) <= 88


def test_every_text_for_fit_was_printed_by_a_run_with_each_keras():
    """The rooms' test_probe.py say which, in their FIT_CASES."""
    tried = defaultdict(set)
    for file in PLACES.solutions.glob("*/test_probe.py"):
        for literal in re.findall(
            r"^FIT_CASES = (\[.*?^\])", file.read_text(), re.M | re.S
        ):
            for probe, which, _, *only in ast.literal_eval(literal):
                tried[probe] |= {(which, keras) for keras in only or KERAS}
    for probe, section in FIT.items():
        if section.calls:
            assert {keras for _, keras in tried[probe]} == set(KERAS) - ONLY.get(
                probe, set()
            )
            own = section.prints != SECTIONS[probe].prints
            texts = range(len(section.prints)) if own else [0]
            assert {which for which, _ in tried[probe]} >= set(texts), probe
