"""Damaged and changed notebooks: each is graded, and nobody loses or wins by it."""

import json

import nbformat
import pytest
from hostile_course import (
    FIRST,
    MARKS,
    NAME,
    RIGHT,
    SECOND,
    Submission,
    answer,
    assert_as_expected,
    cell,
    class_of,
)
from nbformat.v4 import new_code_cell, new_output

pytestmark = [
    pytest.mark.prove,
    *MARKS,
    pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning"),
]
right = answer(RIGHT)


def content(data):
    """Hand in these bytes."""
    return lambda notebook: data


def changed(*changes):
    """A right answer, and then these changes of the notebook."""

    def change(notebook):
        right(notebook)
        for each in changes:
            each(notebook)

    return change


def without(*cell_ids):
    def change(notebook):
        for each in cell_ids:
            notebook.cells.remove(cell(notebook, each))

    return change


def as_json(alter):
    """A right answer, its JSON altered without nbformat's care."""

    def change(notebook):
        right(notebook)
        data = json.loads(nbformat.writes(notebook))
        alter(data)
        return json.dumps(data).encode()

    return change


def in_format_3(notebook):
    right(notebook)
    old = nbformat.convert(notebook, 3)
    return nbformat.v3.nbjson.writes(old).encode()


def doubled(cell_id, place=1):
    """A copy of a cell, as copy and paste makes it."""

    def change(notebook):
        copied = cell(notebook, cell_id).copy()
        copied["id"] = f"{cell_id}-copy"
        index = notebook.cells.index(cell(notebook, cell_id))
        notebook.cells.insert(index + place, copied)

    return change


def coloured(notebook):
    """A traceback in colour: opening brackets that nothing closes."""
    output = new_output("stream", text="\x1b[0;31mred" * 300)
    cell(notebook, "my_first_drift-fix").outputs = [output]


def check_first(notebook):
    check = cell(notebook, FIRST)
    notebook.cells.remove(check)
    notebook.cells.insert(0, check)


def edit_check(notebook):
    check = cell(notebook, FIRST)
    check.source = "print('RIGHT 02/my_first_drift')"
    check.metadata.nbgrader.points = 300


def as_manual(notebook):
    """Say that the check is graded by hand, not locked, and worth more."""
    mark = cell(notebook, FIRST).metadata.nbgrader
    mark.update(solution=True, locked=False, grade=True, points=1e9)


def tags(*names):
    def change(notebook):
        for each in notebook.cells:
            each.metadata.tags = list(names)

    return change


def broken_types(data):
    for number, each in enumerate(data["cells"]):
        each["metadata"].update(
            tags=7, collapsed="?", deletable=[], editable={}, name=5, jupyter=0
        )
        each["metadata"]["nbgrader"] = [None, 3, "x", {"grade_id": []}][number % 4]


def marks_of_other_kinds(data):
    for each in data["cells"]:
        each["metadata"]["nbgrader"] = {
            "grade_id": each["id"],
            "schema_version": "three",
            "points": {"a": 1},
            "locked": "yes",
            "cell_type": 5,
        }


def metadata_is_a_list(data):
    data["cells"][2]["metadata"] = ["tags"]


def source_is_a_number(data):
    data["cells"][2]["source"] = 5


def kernelspec_of_another(data):
    data["metadata"]["kernelspec"] = {"name": "evil", "display_name": "e"}
    data["metadata"]["language_info"] = {"name": "evil", "file_extension": "/../x"}


def many_cells(notebook):
    notebook.cells += [new_code_cell("", id=f"more-{n}") for n in range(4900)]
    notebook.cells += [new_code_cell("1", id=f"one-{n}") for n in range(100)]


OWN = "belongs into cells of your own"
ALL_LOCKED = ("start", "tools", "my_first_drift-broken", "my_step-broken")
SUBMISSIONS = [
    Submission("right", right, points=(3, 0)),
    Submission("untouched", lambda notebook: None),
    # the file
    Submission("bad-json", content(b'{"cells": ['), reason="no notebook"),
    Submission("deep", content(b'{"cells": ' + b"[" * 10**5), reason="too deeply"),
    Submission(
        "deep-right",
        content(b'{"cells":[],"x":' + b"[" * 10**5 + b"]" * 10**5 + b"}"),
        reason="too deeply",
    ),
    Submission("empty", content(b""), reason="the file is empty"),
    Submission("pdf", content(b"%PDF-1.7\n\xff\xfe\x00"), reason="no notebook"),
    Submission("other-json", content(b'{"a": 1}'), reason="it has no cells"),
    Submission("json-list", content(b"[]"), reason="it has no cells"),
    Submission("cells-text", content(b'{"cells": "x"}'), reason="no notebook"),
    Submission("nan", content(b'{"cells": [NaN, 1e999]}'), reason="no notebook"),
    Submission("huge", content(b" " * (2**22 + 1)), reason="4 MB are allowed"),
    Submission("format-3", in_format_3, points=(3, 0)),
    Submission("coloured", changed(coloured), points=(3, 0)),
    # cells
    Submission(
        "deleted-check",
        changed(without(FIRST)),
        points=(3, 0),
        flag=f"put back: {FIRST}",
    ),
    Submission(
        "deleted-set-up",
        changed(without("tools")),
        points=(3, 0),
        flag="put back: tools",
    ),
    Submission(
        "deleted-locked",
        changed(without(*ALL_LOCKED, FIRST, SECOND)),
        points=(3, 0),
        flag="put back: start",
    ),
    Submission("no-cells", lambda notebook: notebook.update(cells=[]), flag="put back"),
    Submission("doubled-check", changed(doubled(FIRST)), points=(3, 0)),
    Submission("doubled-before", changed(doubled(FIRST, 0)), points=(3, 0)),
    Submission("doubled-set-up", changed(doubled("tools")), points=(3, 0)),
    Submission("doubled-answer", changed(doubled("my_first_drift-fix")), (3, 0)),
    Submission("edited-check", changed(edit_check), (3, 0), OWN, "was edited"),
    Submission("edited-wrong", edit_check, reason=OWN, flag="was edited"),
    Submission("check-first", changed(check_first), (3, 0), "from top to bottom"),
    Submission("manual", changed(as_manual), points=(3, 0)),
    Submission("no-ids", as_json(lambda d: [c.pop("id") for c in d["cells"]]), (3, 0)),
    Submission("skip", changed(tags("skip-execution")), (3, 0)),
    Submission("tags", changed(tags("remove_cell", "raises-exception")), (3, 0)),
    Submission("types", as_json(broken_types), points=(3, 0), flag="by their text"),
    Submission("marks", as_json(marks_of_other_kinds), points=(3, 0)),
    Submission("list", as_json(metadata_is_a_list), points=(3, 0), flag=None),
    Submission("number", as_json(source_is_a_number), reason="no notebook"),
    Submission("kernelspec", as_json(kernelspec_of_another), points=(3, 0)),
    Submission("5000-cells", changed(many_cells), points=(3, 0)),
    Submission("last", right, points=(3, 0)),
]


graded = class_of(SUBMISSIONS)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def test_what_was_put_back_stands_where_it_was(graded):
    learner = nbformat.read(graded.places.learner(NAME), as_version=4)
    wanted = [each.id for each in learner.cells if each.cell_type == "code"]
    for student in ("deleted-locked", "deleted-set-up", "deleted-check"):
        cells = graded.notebook(student).cells
        assert [each.id for each in cells if each.id in wanted] == wanted
    learners = ("my_first_drift-fix", "my_step-fix", "play")
    locked = [each for each in wanted if each not in learners]
    _, *ids = (each.id for each in graded.notebook("no-cells").cells)  # below the head
    assert ids == sorted(locked, key=(FIRST, SECOND).__contains__)  # checks come last


def test_all_are_in_the_tables(graded):
    grades = (graded.places.results / "grades.csv").read_text()
    for each in SUBMISSIONS:
        assert f",{each.student}," in grades
