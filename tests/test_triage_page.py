"""docs/triage.md is made of all probes, each once; its tests paste exactly."""

import pytest
from triage_page import SECTIONS, Script, plain, printed

from autograder import triage
from autograder.places import CourseError, course_places
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]


def test_every_probe_of_the_notebooks_stands_on_the_page():
    text = triage.render_triage(PLACES, SOURCES)
    for source in SOURCES[:19]:  # 19 has none
        assert triage.probe_code(source) in text
    assert len(SECTIONS) == 20  # 08 has two


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("# A page\n", "leaves out the cell 'probe' of notebook 00"),
        ('{{ code("00") }}{{ code("00") }}', "'probe' of notebook 00, which is not"),
        ('{{ code("19") }}', "'probe' of notebook 19, which is not"),
    ],
)
def test_a_template_that_is_not_whole_is_explained(
    tmp_path, monkeypatch, template, words
):
    path = tmp_path / "page.jinja"
    path.write_text(template)
    monkeypatch.setattr(triage, "TEMPLATE", path)
    with pytest.raises(CourseError, match=words):
        triage.render_triage(PLACES, SOURCES)


def test_a_paste_stands_where_it_should_and_misses_loudly():
    script = Script("import tensorflow as tf\n\nfor a in b:\n    pass\n")
    text = script.paste("late", ("after", "    pass")).text
    assert '    pass\n    Path("steps").mkdir' in text
    assert text.index("def late") < text.index("for a in b")
    with pytest.raises(AssertionError, match="0 times"):
        script.paste("late", ("after", "    no such line"))
    with pytest.raises(AssertionError, match="3 times"):
        script.edit("a", "x")


def test_what_is_printed_is_compared_but_for_times_and_ports():
    assert plain("1795351058.362 at 127.0.0.1:41 is 3e-08\n\n") == plain(
        "1795351059.363 at 127.0.0.1:42 is 0e+00"
    )
    assert printed("a\nc", "a\nb\nc") and not printed("c\na", "a\nb\nc")
    assert not printed("spread: 0.0", "spread: 0.533568")
