"""Answers outside their place: told, judged where they stand, and counted nearby."""

import copy

import pytest
from hostile_course import (
    FIRST,
    MARKS,
    RIGHT,
    WRONG,
    Submission,
    answer,
    assert_as_expected,
    cell,
    class_of,
)
from nbformat.v4 import new_code_cell

pytestmark = MARKS
OTHER_WRONG = WRONG.replace("1, 1", "2, 2")


def below(*codes: str, first: str | None = None):
    """Cells with these codes right below the first check."""

    def change(notebook):
        if first:
            answer(first)(notebook)
        place = notebook.cells.index(cell(notebook, FIRST)) + 1
        notebook.cells[place:place] = [
            new_code_cell(code, id=f"own-{n}") for n, code in enumerate(codes)
        ]

    return change


def above(code: str):
    """A cell with this code above the course's cell of the first answer."""

    def change(notebook):
        place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
        notebook.cells.insert(place, new_code_cell(code, id="own"))

    return change


def after_a_use(code: str):
    """At the end, behind a further check of the course that names the answer."""

    def change(notebook):
        notebook.cells.append(new_code_cell(code, id="own"))

    return change


def all_twice(first: str | None, second: str | None):
    """All cells of the course twice, with these answers."""

    def change(notebook):
        again = copy.deepcopy(notebook)
        for each, code in ((notebook, first), (again, second)):
            if code:
                answer(code)(each)
        for number, each in enumerate(again.cells):
            each.id = f"again-{number}"
        notebook.cells += again.cells

    return change


def check_names_another(notebook):
    place = notebook.cells.index(cell(notebook, FIRST))
    other = RIGHT.replace("my_first_drift", "my_first_drift_v2")
    notebook.cells.insert(place, new_code_cell(other, id="own"))
    check = cell(notebook, FIRST)
    check.source = check.source.replace(", my_first_drift", ", my_first_drift_v2")


def kept_original(notebook):
    """What was handed out, in a copy below the answer."""
    fix = cell(notebook, "my_first_drift-fix")
    again = copy.deepcopy(fix)
    again.id = "again"
    notebook.cells.insert(notebook.cells.index(fix) + 1, again)
    answer(RIGHT)(notebook)


def check_moved_up(notebook):
    answer(RIGHT)(notebook)
    check = notebook.cells.pop(notebook.cells.index(cell(notebook, FIRST)))
    place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
    notebook.cells.insert(place, check)


def helper_at_the_end(notebook):
    below("spread = gaps_of", first=USES_HELPER)(notebook)
    notebook.cells.append(new_code_cell(HELPER, id="own-end"))


HELPER = """\
def gaps_of(copies, sequential, step):
    return np.abs(copies[step] - sequential[step]).max(axis=1)"""
USES_HELPER = RIGHT.replace(
    "np.abs(copies[step] - sequential[step]).max(axis=1)",
    "gaps_of(copies, sequential, step)",
)
OWN_CHECK = f'{RIGHT}\ncheck("02/my_first_drift", my_first_drift)'
# student -> change, points, verdict of the version elsewhere, whether it counts
PLACES = {
    "below": (below(RIGHT), (3, 0), "RIGHT", True),
    "below-with-own-check": (below(OWN_CHECK), (3, 0), "RIGHT", True),
    "second-attempt": (below(RIGHT, first=WRONG), (3, 0), "RIGHT", True),
    "last-attempt-counts": (below(RIGHT, OTHER_WRONG), (0, 0), "WRONG", False),
    "third-attempt": (below(OTHER_WRONG, RIGHT, first=WRONG), (3, 0), "RIGHT", True),
    "wrong-below": (below(OTHER_WRONG, first=WRONG), (0, 0), "WRONG", False),
    "above": (above(RIGHT), (0, 0), "RIGHT", False),
    "kept-original": (kept_original, (0, 0), "RIGHT", False),
    "other-name": (check_names_another, (3, 0), "RIGHT", True),
    "check-moved-up": (check_moved_up, (3, 0), "RIGHT", True),
    "helper-below": (below(HELPER, first=USES_HELPER), (3, 0), "RIGHT", True),
    "helper-at-the-end": (helper_at_the_end, (3, 0), "RIGHT", True),
    "timed": (below(f"%%time\n{RIGHT}"), (3, 0), "RIGHT", True),
}
NOTHING_TO_SAY = {
    "helper-above": answer(f"{HELPER}\n\n\n{USES_HELPER}"),
    "right-then-wrong": below(WRONG, first=RIGHT),
    "same-again": below(RIGHT, first=RIGHT),
    "twice-first-solved": all_twice(RIGHT, None),
    "twice-second-solved": all_twice(None, RIGHT),
    "twice-both-solved": all_twice(RIGHT, RIGHT),
    "twice-second-better": all_twice(WRONG, RIGHT),
    "between": above(RIGHT),
}


def between(notebook):
    place = notebook.cells.index(cell(notebook, FIRST))
    notebook.cells.insert(place, new_code_cell(RIGHT, id="own"))


NOTHING_TO_SAY["between"] = between
SUBMISSIONS = [
    *(
        Submission(student, change, points, reason=None, flag=None)
        for student, (change, points, _, _) in PLACES.items()
    ),
    *(
        Submission(student, change, (3, 0), reason=None, flag=None)
        for student, change in NOTHING_TO_SAY.items()
    ),
]


graded = class_of(SUBMISSIONS)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_points(graded, expected):
    assert_as_expected(graded, expected)


@pytest.mark.parametrize("student", PLACES)
def test_it_is_told_what_the_version_would_have_got(graded, student):
    _, _, outcome, counts = PLACES[student]
    (found,) = graded.record(student).misplaced
    assert (found.outcome, found.counts) == (outcome, counts)
    assert found.points == (3 if outcome == "RIGHT" else 0)
    said = "That version counts" if counts else "That version was not graded"
    page = graded.page(student)
    assert f"is defined in code cell {found.cell}" in page and said in page


@pytest.mark.parametrize("student", NOTHING_TO_SAY)
def test_nothing_is_said_where_the_exercise_is_right(graded, student):
    assert graded.record(student).misplaced == ()
    assert "is defined in code cell" not in graded.page(student)
    assert "Added while this was graded" not in graded.page(student)


def test_a_helper_below_the_check_is_named(graded):
    page = graded.page("helper-below")
    assert "but uses <code>gaps_of</code>, which is defined after its check" in page
