"""Odd notebooks of honest students: right answers keep their points, nobody waits."""

import html
import json

import nbformat
import pytest
from hostile_course import (
    FIRST,
    MARKS,
    RIGHT,
    Submission,
    answer,
    assert_as_expected,
    cell,
    class_of,
    then,
)
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

pytestmark = MARKS
DEEP = 900  # levels; Python's own limit is 1000 calls


def deep(levels: int = DEEP) -> list:
    nested: list = []
    for _ in range(levels):
        nested = [nested]
    return nested


def with_text(text: str):
    """The right answer, and a text cell of the student's own."""

    def change(notebook):
        answer(RIGHT)(notebook)
        notebook.cells.append(new_markdown_cell(text, id="own-text"))

    return change


def as_data(edit):
    """The right answer in a file that is edited as plain data."""

    def change(notebook):
        answer(RIGHT)(notebook)
        data = json.loads(nbformat.writes(notebook))
        edit(data)
        return json.dumps(data).encode()

    return change


def first_code(data: dict) -> dict:
    return next(each for each in data["cells"] if each["cell_type"] == "code")


def show_deep(data: dict) -> None:
    shown = {"output_type": "display_data", "metadata": {}}
    shown["data"] = {"application/json": deep()}
    first_code(data)["outputs"] = [shown]


def no_ids(data: dict) -> None:
    data["nbformat_minor"] = 2
    for each in data["cells"]:
        each.pop("id", None)


def no_metadata(data: dict) -> None:
    for each in data["cells"]:
        each["metadata"] = {}


def same_ids(data: dict) -> None:
    for each in data["cells"]:
        each["id"] = "same"


def split_lines(data: dict) -> None:
    for each in data["cells"]:
        each["source"] = "".join(each["source"]).replace("\n", "\r\n")


def in_bytes(encoding: str, text: str = ""):
    """A right answer in a file of another encoding."""

    def change(notebook):
        answer(RIGHT)(notebook)
        notebook.cells.insert(1, new_markdown_cell(text, id="text"))
        return json.dumps(notebook, ensure_ascii=False).encode(encoding)

    return change


def in_text(edit):
    """A right answer in a file whose text is edited."""

    def change(notebook):
        answer(RIGHT)(notebook)
        return edit(nbformat.writes(notebook)).encode()

    return change


def merged_by_halves(text):
    lines = text.split("\n")
    lines[5:5] = ["<<<<<<< HEAD", *lines[5:7], "=======", *lines[5:7], ">>>>>>> other"]
    return "\n".join(lines)


def version_as_text(data):
    data["nbformat"], data["nbformat_minor"] = "4", "5"


def long_version(data):
    data["nbformat"] = "4" * 6000


def many_cells(notebook):
    answer(RIGHT)(notebook)
    notebook.cells += [new_markdown_cell("a", id=f"m{n}") for n in range(10_000)]


def raw_and_empty(notebook):
    answer(RIGHT)(notebook)
    notebook.cells[3:3] = [new_raw_cell("raw", id="raw"), new_code_cell("", id="no")]


def twice(notebook):
    answer(RIGHT)(notebook)
    copy = nbformat.from_dict(cell(notebook, "my_first_drift-fix"))
    notebook.cells.insert(2, copy)


def own_file(notebook):
    """The answer stands in a file that a cell above writes."""
    code = f"%%writefile helper.py\nimport numpy as np\n{RIGHT}"
    answer("from helper import my_first_drift")(notebook)
    notebook.cells.insert(1, new_code_cell(code, id="own-file"))


def import_in_course_cell(notebook):
    cell(notebook, "start").source += "\nimport math"
    answer(f"math.pi\n{RIGHT}")(notebook)


def import_in_a_line_of_the_course(notebook):
    tools = cell(notebook, "tools")
    tools.source = tools.source.replace(
        "import numpy as np", "import numpy as np, math"
    )
    answer(f"math.pi\n{RIGHT}")(notebook)


def without_a_name(code):
    """An answer, and a cell above it that can't import what it may use."""

    def change(notebook):
        above("import nosuch")(notebook)
        answer(code)(notebook)

    return change


def joined_with_another_notebook(notebook):
    answer(RIGHT)(notebook)
    notebook.cells.append(new_code_cell('check("03/my_losses", print)', id="other"))


def answer_in_check_cell(notebook):
    check = cell(notebook, FIRST)
    check.source = f"{RIGHT}\n\n{check.source}"


def other_number(notebook):
    answer(RIGHT)(notebook)
    broken = cell(notebook, "my_first_drift-broken")
    broken.source = broken.source.replace("return 0, 0", "return 1, 1")


def fixed_in_place(code):
    """The student fixed the course's own function, and uses it in the answer."""

    def change(notebook):
        answer(code)(notebook)
        fixed = RIGHT.replace("my_first_drift", "broken_first_drift")
        cell(notebook, "my_first_drift-broken").source = fixed

    return change


def formatted(notebook):
    """A formatter rewrote the course's cells; their code is the same."""
    answer(RIGHT)(notebook)
    broken = cell(notebook, "my_first_drift-broken")
    broken.source = "# formatted\n" + broken.source.replace("0, 0", "(0, 0)")


def fix_moved_down(notebook):
    answer(RIGHT)(notebook)
    place = notebook.cells.index(cell(notebook, FIRST))
    fix = cell(notebook, "my_first_drift-fix")
    notebook.cells.insert(place, notebook.cells.pop(notebook.cells.index(fix)))


def above(code):
    """The right answer, and a cell with this code above it."""

    def change(notebook):
        answer(RIGHT)(notebook)
        place = notebook.cells.index(cell(notebook, "my_first_drift-fix"))
        notebook.cells.insert(place, new_code_cell(code, id="own"))

    return change


def start_moved_down(notebook):
    answer(RIGHT)(notebook)
    first = cell(notebook, "start")
    notebook.cells.remove(first)
    notebook.cells.append(first)


OWN_CHECK = "def check(name, value):\n    return value is not None\ncheck('a', 1)"
PRINTS = RIGHT.replace("    for step", "    print('x' * 10**7)\n    for step")
SHOWS = RIGHT.replace(
    "    for step",
    "    get_ipython().display_pub.publish({'text/html': '<b>x</b>'})\n    for step",
)
# student, what is odd
WITH_POINTS = {
    "attachment": with_text("![a](attachment:x.png)"),
    "surrogate-in-text": with_text("half a character: \ud800"),
    "surrogate-in-code": then('half = "\ud800"'),
    "surrogate-printed": then(r'print("\ud800")'),
    "nul": then("x = 1\x00"),
    "quotes": with_text(">" * 3000 + " deep"),
    "lists": with_text("\n".join("  " * n + "- a" for n in range(300))),
    "brackets": with_text("[" * 3000),
    "stars": with_text("*a " * 5000),
    "divs": with_text("<div>" * 20_000),
    "formula": with_text("$$" + "{" * 5000),
    "html-shown": then(
        "from IPython.display import HTML\ndisplay(HTML('<div>' * 20_000))"
    ),
    "json-shown": then(
        f"nested = []\nfor _ in range({DEEP}): nested = [nested]\n"
        "display({'application/json': nested}, raw=True)"
    ),
    "json-in-file": as_data(show_deep),
    "deep-metadata": as_data(lambda data: data["metadata"].update(deep=deep())),
    "deep-cell-metadata": as_data(
        lambda data: first_code(data)["metadata"].update(deep=deep())
    ),
    "deep-attachment": as_data(
        lambda data: first_code(data).update(attachments={"a": {"b": deep()}})
    ),
    "no-ids": as_data(no_ids),
    "same-ids": as_data(same_ids),
    "raw-and-empty": raw_and_empty,
    "twice": twice,
    "input": then("name = input('who? ')"),
    "bash": then("%%bash\necho hello"),
    "no-such-magic": then("%nosuchmagic"),
    "exit-at-the-end": then("import builtins\nbuiltins.late = 1"),
    "folder-gone": then("import os, shutil\nshutil.rmtree(os.getcwd())"),
    "thread": then(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(10**6,)).start()"
    ),
    "prints": answer(PRINTS),
    "shows": answer(SHOWS),
    "asks-why": then('check("02/my_first_drift", my_first_drift, why=True)'),
    "own-number": answer(RIGHT.replace("return step,", "return np.int64(step),")),
    "strict": answer(f"import warnings\nwarnings.simplefilter('error')\n{RIGHT}"),
    "no-name": then("del my_first_drift"),
}
# the notebook goes on behind a cell that ends itself, always alike
EXITS = {
    "restart-on-colab": "import os\nos.kill(os.getpid(), 9)",
    "exit": "exit()",
    "exit-bare": "exit",
    "quit": "quit()",
    "exit-with-number": "exit(0)",
    "sys-exit": "import sys\nsys.exit()",
    "raised": "raise SystemExit",
    "shutdown": "get_ipython().kernel.do_shutdown(True)",
    "restart": "import IPython\nIPython.get_ipython().kernel.do_shutdown(restart=True)",
}
MERGED = RIGHT.replace("    for step", "<<<<<<< HEAD\n=======\n>>>>>>> a\n    for step")
INDENTED = "\n".join(f"    {line}" for line in RIGHT.splitlines())
# code of the answer, what is said of a check that could not run
NOT_RUN = {
    "no-colon": (RIGHT.replace("sequential):", "sequential)"), "raised SyntaxError"),
    "unknown-name": (f"tool = nosuch.tool\n{RIGHT}", "raised NameError: name 'nosuch'"),
    "helper-fails": (f"1 / 0\n{RIGHT}", "raised ZeroDivisionError: division by zero"),
    "deleted": (f"{RIGHT}\ndel my_first_drift", "does not define my_first_drift"),
    "mistyped": (
        RIGHT.replace("my_first_drift", "my_frist_drift"),
        'copies, sequential):" does not define my_first_drift',
    ),
    "in-a-class": (
        f"class Solution:\n{INDENTED}",
        "does not define my_first_drift: the function is inside `Solution`",
    ),
    "below-timeit": (
        f"%%timeit -n1 -r1\n{RIGHT}",
        "%%timeit does not keep what its cell defines",
    ),
    "merged-cell": (MERGED, "It still has the markers of a Git merge conflict"),
}
# code of an answer that stops, what is said of that
STOPS = {
    "lacks-a-name": (
        RIGHT.replace("gaps = np", "gaps = nowhere + np"),
        "It stopped with NameError: name 'nowhere' is not defined. In your code: line",
    ),
    "lacks-an-import": (
        RIGHT.replace("gaps = np", "gaps = nosuch + np"),
        'The cell that begins "import nosuch" raised ModuleNotFoundError: No module '
        "named 'nosuch'; a notebook is run with",
    ),
    "uses-a-redefined-name": (
        f"import math as np\n{RIGHT}",
        "which the cell my_first_drift-fix redefines",
    ),
}
SHIPPED = "def my_first_drift(copies, sequential):\n    return 0, 0"
USES = "It uses `broken_first_drift`, which you changed in the course's cell my_first"
# code of an answer that builds on an edited cell of the course, what it says besides
BUILDS_ON_EDITED = {
    "calls-the-fixed": (
        "def my_first_drift(copies, sequential):\n"
        "    return broken_first_drift(copies, sequential)",
        "",
    ),
    "is-the-fixed": ("my_first_drift = broken_first_drift", ""),
    "unpacks-the-fixed": (
        "def my_first_drift(copies, sequential):\n"
        "    return broken_first_drift(copies, sequential)[5]",
        "It stopped with IndexError",
    ),
}
SUM, DOTS = "+".join("1" * 200_000), "x" + ".a" * 200_000
SUBMISSIONS = [
    *(
        Submission(student, change, points=(3, 0), reason=None, flag=None)
        for student, change in WITH_POINTS.items()
    ),
    *(
        Submission(student, above(code), (3, 0), reason="ended the kernel", flag=None)
        for student, code in EXITS.items()
    ),
    *(
        Submission(student, answer(code), (0, 0), reason=None, flag=None)
        for student, (code, _) in NOT_RUN.items()
    ),
    Submission("sum", then(f"x = {SUM}"), (3, 0), reason="left out", flag=None),
    Submission("dots", then(DOTS), (3, 0), reason="left out", flag=None),
    Submission("shorter-sum", then(f"x = {SUM[:150_000]}"), (3, 0), None, None),
    Submission("carriage-returns", as_data(split_lines), (3, 0), flag=""),
    Submission("utf-16", in_bytes("utf-16"), (3, 0)),
    Submission("utf-8-marked", in_bytes("utf-8-sig", "déjà vu"), (3, 0)),
    Submission(
        "old-page", in_bytes("cp1252", "déjà vu"), reason="not written in UTF-8"
    ),
    Submission("zeros-behind", in_text(lambda text: text + "\0" * 5000), (3, 0)),
    Submission("version-as-text", as_data(version_as_text), (3, 0)),
    Submission("long-version", as_data(long_version), reason="can be read"),
    Submission("merge", in_text(merged_by_halves), reason="marks of a merge"),
    Submission("half", in_text(lambda t: t[: len(t) // 2]), reason="in the middle"),
    Submission(
        "sign-in",
        in_text(lambda text: "<!DOCTYPE html><title>Sign in</title>"),
        reason="it is a web page",
    ),
    Submission(
        "pointer",
        in_text(
            lambda text: "version https://git-lfs.github.com/spec/v1\noid sha256:0"
        ),
        reason="git lfs pull",
    ),
    Submission("own-file", own_file, (3, 0)),
    Submission(
        "import-in-course-cell",
        import_in_course_cell,
        (3, 0),
        reason="ran in a cell of its own",
        flag="start was edited",
    ),
    Submission(
        "import-in-a-line-of-the-course",
        import_in_a_line_of_the_course,
        (3, 0),
        reason="ran in a cell of its own",
        flag="tools was edited",
    ),
    Submission(
        "joined-with-another",
        joined_with_another_notebook,
        (3, 0),
        reason="checks of notebook 03 are in this file, too",
        flag=None,
    ),
    *(
        Submission(student, without_a_name(code), reason=None, flag=None)
        for student, (code, _) in STOPS.items()
    ),
    *(
        Submission(student, fixed_in_place(code), (0, 0), "was edited", "was edited")
        for student, (code, _) in BUILDS_ON_EDITED.items()
    ),
    Submission("fixed-alone", fixed_in_place(SHIPPED), (0, 0), "edited", "edited"),
    Submission(
        "answer-in-check-cell",
        answer_in_check_cell,
        (3, 0),
        reason="ran in a cell of its own",
        flag="was edited",
    ),
    Submission(
        "other-number-in-course-cell",
        other_number,
        (3, 0),
        reason="belongs into cells of your own",
        flag="was edited",
    ),
    Submission("check-is-a-list", above("check = [1, 2]"), (3, 0), flag=None),
    Submission("own-helper-check", above(OWN_CHECK), (3, 0), flag=None),
    Submission("formatted", formatted, (3, 0)),
    Submission("fix-moved-down", fix_moved_down, (3, 0), reason="top to bottom"),
    Submission("no-metadata", as_data(no_metadata), (3, 0), flag=None),
    Submission("start-moved", start_moved_down, (3, 0), reason="top to bottom"),
    Submission("many-cells", many_cells, reason="cells", flag=None),
    Submission("last", answer(RIGHT), points=(3, 0)),
]


graded = class_of(SUBMISSIONS)


@pytest.mark.parametrize("expected", SUBMISSIONS, ids=lambda each: each.student)
def test_submission(graded, expected):
    assert_as_expected(graded, expected)


def test_the_core_is_the_core_where_all_metadata_is_gone(graded):
    assert [each.core for each in graded.record("no-metadata").exercises] == [
        True,
        True,
    ]


def test_all_are_graded(graded):
    assert graded.summary.finished
    assert graded.summary.graded == len(SUBMISSIONS)


def test_a_verdict_survives_what_an_answer_prints(graded):
    outputs = cell(graded.notebook("prints"), FIRST).outputs
    assert graded.outcomes("prints") == ["RIGHT"]
    assert "More output was cut" in str(outputs)


@pytest.mark.parametrize("student", NOT_RUN)
def test_a_check_that_could_not_run_says_what_kept_it_from_running(graded, student):
    said = NOT_RUN[student][1]
    result = graded.record(student).exercises[0]
    assert result.outcome == "NOT RUN" and said in result.why
    assert said in html.unescape(graded.page(student))


@pytest.mark.parametrize("student", STOPS)
def test_an_answer_that_stopped_says_with_what(graded, student):
    said = STOPS[student][1]
    result = graded.record(student).exercises[0]
    assert said in result.why and said in html.unescape(graded.page(student))


@pytest.mark.parametrize("student", BUILDS_ON_EDITED)
def test_an_answer_that_builds_on_an_edited_cell_says_so(graded, student):
    said = BUILDS_ON_EDITED[student][1]
    why = graded.record(student).exercises[0].why
    assert USES in why and said in why


@pytest.mark.parametrize("student", [*BUILDS_ON_EDITED, "fixed-alone"])
def test_what_was_fixed_in_the_courses_cell_is_told_and_can_count(graded, student):
    (found,) = graded.record(student).misplaced
    assert found.outcome == "RIGHT" and found.points == 3 and not found.counts
    assert "as `broken_first_drift` in the course's own cell" in str(found)
    assert "it would be RIGHT: 3 points" in str(found)
