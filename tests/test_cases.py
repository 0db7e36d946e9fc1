"""The known cases of docs/triage.md: each is shown by its code, or cited."""

import pytest
from triage_runs import output_of

from autograder.cases import Case, read_cases
from autograder.places import CourseError, Places, course_places
from autograder.source import read_source
from autograder.triage import render_triage

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
CASES = read_cases(PLACES)
RUN = [each for each in CASES if each.code]
ROW = {"see": "It is slow", "cause": "It is.", "first": "Stop."}
SHOWN = {**ROW, "code": "print(1)", "prints": "1"}


@pytest.mark.prove
@pytest.mark.parametrize("case", RUN, ids=lambda each: each.see[:40])
def test_its_code_shows_it(case, tmp_path):
    output = output_of(case.program, tmp_path)
    assert case.is_shown_by(output), output


def test_one_case_is_shown(tmp_path):
    (case,) = [each for each in RUN if "made outside the scope" in each.see]
    output = output_of(case.program, tmp_path)
    assert case.is_shown_by(output), output
    assert not any(each.is_shown_by(output) for each in RUN if each is not case)


def test_nearly_all_are_shown_by_a_run():
    assert len(RUN) >= 15
    assert len(CASES) - len(RUN) <= len(CASES) / 4


def test_all_stand_on_the_page():
    page = render_triage(PLACES, SOURCES)
    for each in CASES:
        assert f"{each.cause} | {each.first} |" in page
        assert each.cited in page


@pytest.mark.parametrize("gone", SOURCES, ids=lambda source: source.header.number)
def test_a_room_goes_with_its_cases(gone):
    page = render_triage(PLACES, [each for each in SOURCES if each is not gone])
    own = [each for each in CASES if each.lesson == gone.header.number]
    assert not any(each.cause in page for each in own)


def written(tmp_path, *rows):
    """A course with these cases in one file."""
    lines = []
    for row in rows:
        lines += ["[[case]]", *(f'{name} = "{value}"' for name, value in row.items())]
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "cases.toml").write_text("\n".join(lines))
    return Places(tmp_path)


def test_a_case_is_read_as_it_stands(tmp_path):
    assert read_cases(written(tmp_path, SHOWN)) == (Case(**SHOWN),)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**SHOWN, "cause": ""}, "it lacks cause"),
        ({**SHOWN, "lesson": "02"}, "it can't have lesson"),
        ({**SHOWN, "cited": "https://example.org"}, "one of the two"),
        (ROW, "one of the two"),
        ({**ROW, "code": "print(1)"}, "code needs what it prints"),
        ({**ROW, "cited": "example.org"}, "the address is none"),
        ({**SHOWN, "see": "so " * 46}, "see has more than 45 words"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path, row, said):
    with pytest.raises(CourseError, match=said):
        read_cases(written(tmp_path, row))


def test_a_case_stands_once(tmp_path):
    with pytest.raises(CourseError, match="stands in two places"):
        read_cases(written(tmp_path, SHOWN, SHOWN))
