"""One student's odd item is that student's alone, and all of them are told at once."""

import os
import re
import shutil
from pathlib import Path

import pytest
from intake_files import THREE, TWO, course, notebook, put, who, zipped

from autograder.intake import HeldBack, archives, find_submissions
from autograder.places import CourseError

BIG = b"0" * (archives.MAX_FILE + 1)


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"))


def write(folder, files):
    """Write files whose names may be any bytes."""
    for name, data in files.items():
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(zipped(data) if isinstance(data, dict) else data)
    return folder


# What one student hands in (a path in the student's folder, or the folder itself),
# and what of it is held back: student, notebook, some words of the reason.
TWICE = {f"s01/a/{TWO}.ipynb": notebook(text="a"), f"s01/{TWO}.ipynb": notebook()}
ODD = {
    "*": ({"a*/02.ipynb": notebook()}, [("a*", TWO, 'holds "*"')]),
    "bytes": ({b"a\xe9/02.ipynb": notebook()}, [("a?", TWO, "signs that are no")]),
    "dot": ({".a/02.ipynb": notebook()}, [(".a", TWO, 'begins with "."')]),
    "250 bytes": ({"a" * 250 + "/02.ipynb": b""}, [("a" * 250, TWO, "is longer")]),
    "capitals": (
        {"Ada/02.ipynb": notebook(), "ada/03.ipynb": notebook(THREE)},
        [("Ada", TWO, "ada/03.ipynb"), ("ada", THREE, "Ada/02.ipynb")],
    ),
    "NFC and NFD": (
        {"jos\u00e9/02.ipynb": notebook(), "jose\u0301/02.ipynb": notebook()},
        [("jos\u00e9", TWO, "look the same")] * 2,
    ),
    "blank and none": (
        {"ada/02.ipynb": notebook(), "ada /02.ipynb": notebook()},
        [("ada", TWO, "Two students have one name")] * 2,
    ),
    "two files": (TWICE, [("s01", TWO, "nothing says which is the last")]),
    "no zip": ({"s01.zip": b"hello"}, [("s01", "", "is damaged or no zip")]),
    "nested": (
        {"s01.zip": {"a.zip": {"b.zip": {"02.ipynb": b""}}}},
        [("s01", "", "a zip in a zip in a zip")],
    ),
    "dots": ({"s01.zip": {"../02.ipynb": b""}}, [("s01", TWO, "leads out of the")]),
    "absolute": ({"s01.zip": {"/02.ipynb": b""}}, [("s01", TWO, "is absolute")]),
    "backslash": (
        {"s01.zip": {"..\\02.ipynb": b""}},
        [("s01", TWO, "leads out of the")],
    ),
    "empty zip": ({"s01.zip": {}}, [("s01", "", "there is no file in it")]),
    "bomb": (
        {"s01.zip": {"02.ipynb": b"0" * 2**21}},
        [("s01", TWO, "(a zip bomb)")],
    ),
    "21 MB": ({"s01/02.ipynb": BIG}, [("s01", TWO, "clear its outputs")]),
    "21 MB, no name": ({"s01/a.ipynb": BIG}, [("s01", "", "clear its outputs")]),
    "rar": ({"s01/02.rar": b"Rar!"}, [("s01", "", "only zips are opened")]),
    "no notebook": ({"s01/a.ipynb": b"{}"}, [("s01", "", "no notebook of this")]),
    "nobody's": ({"02.ipynb": notebook()}, [("", TWO, "does not tell whose it is")]),
}


def told(found):
    return [(each.student, each.notebook, each.reason) for each in found.held_back]


@pytest.mark.parametrize("case", ODD)
def test_what_is_odd_holds_back_its_student_only(tmp_path, places, case):
    files, expected = ODD[case]
    write(tmp_path, {f"ordinary/{TWO}.ipynb": notebook(text="mine"), **files})
    found = find_submissions(tmp_path, places)
    assert who(found) == [("ordinary", TWO)]
    assert found.submissions[0].read() == notebook(text="mine")
    assert found.submissions[0].notes == () and found.left_out == ()
    assert len(found.held_back) == len(expected)
    for (student, name, reason), (whose, which, words) in zip(
        told(found), expected, strict=True
    ):
        assert (student, name) == (whose, which)
        assert words.lower() in reason.lower()
        assert reason.isprintable() and reason[-1] == "."


@pytest.mark.parametrize(
    "case", [case for case, (_, held) in ODD.items() if held[0][0] == "s01"]
)
def test_a_student_with_an_odd_item_gets_the_rest_graded(tmp_path, places, case):
    files, _ = ODD[case]
    write(tmp_path, {f"s02/{TWO}.ipynb": notebook(), **files})
    write(tmp_path, {f"s01/{THREE}.ipynb": notebook(THREE)})
    found = find_submissions(tmp_path, places)
    assert who(found) == [("s01", THREE), ("s02", TWO)]
    said = [*found.left_out, *(f"{each.origin}: " for each in found.held_back)]
    assert any("s01" in line for line in said)


def test_all_that_is_odd_is_told_at_once(tmp_path, places):
    """Of a hundred students fifty are odd, each in one of these ways."""
    plain, odd = {}, {}
    ways = [each for each in ODD if each not in ("250 bytes", "nobody's")]
    for n in range(50):
        plain[f"p{n:02}/{TWO}.ipynb"] = notebook(text=str(n))
        files, _ = ODD[ways[n % len(ways)]]
        for name, data in files.items():
            number = b"%02d" % n  # each student has a name of their own
            odd[re.sub(rb"(?<=[A-Za-z])", number, os.fsencode(name), count=1)] = data
    found = find_submissions(write(tmp_path, plain | odd), places)
    assert who(found) == [(f"p{n:02}", TWO) for n in range(50)]
    assert found.left_out == ()
    numbers = {re.search(r"\d\d", each.student)[0] for each in found.held_back}
    assert numbers == {f"{n:02}" for n in range(50)}


def test_one_who_hands_in_properly_is_taken_the_next_time(tmp_path, places):
    write(tmp_path, {f"s02/{TWO}.ipynb": notebook(), "s01.zip": b"hello"})
    assert len(find_submissions(tmp_path, places).held_back) == 1
    put(tmp_path, {"s01.zip": {f"{TWO}.ipynb": notebook()}})
    found = find_submissions(tmp_path, places)
    assert who(found) == [("s01", TWO), ("s02", TWO)] and found.held_back == ()


@pytest.mark.parametrize("around", ["", "submitted/"])
def test_a_class_in_which_nothing_can_be_taken_is_told_too(tmp_path, places, around):
    files = {f"{around}s01.zip": b"", f"{around}s02.zip": b""}
    found = find_submissions(write(tmp_path, files), places)
    assert found.submissions == ()
    assert [each.student for each in found.held_back] == ["s01", "s02"]


def test_only_what_was_asked_for_is_held_back(tmp_path, places):
    files = {f"s01/{n}/{TWO}.ipynb": notebook(text=n) for n in "ab"}
    files |= {f"s02/{THREE}.ipynb": notebook(THREE), "s03/x.zip": b""}
    found = find_submissions(put(tmp_path, files), places, ["03"])
    assert who(found) == [("s02", THREE)]
    assert [each.student for each in found.held_back] == ["s03"]  # may be any
    assert found.left_out == ("Notebooks not asked for: 2.",)
    assert len(find_submissions(tmp_path, places).held_back) == 2


# What the disk does not give. Root may read everything, so some of it is played.


def no_permission(path):
    raise PermissionError(13, "Permission denied", str(path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", ["s01", f"s01/{TWO}.ipynb", "s03.zip"])
def test_what_must_not_be_read(tmp_path, places, name):
    files = {f"s01/{TWO}.ipynb": notebook(), f"s02/{TWO}.ipynb": notebook()}
    put(tmp_path, {**files, "s03.zip": {"a.ipynb": notebook()}})
    (tmp_path / name).chmod(0)
    try:
        found = find_submissions(tmp_path, places)
    finally:
        (tmp_path / name).chmod(0o700)
    assert ("s02", TWO) in who(found)
    (held,) = found.held_back
    assert held.origin == name and "Permission denied" in held.reason


def test_a_file_that_must_not_be_read(tmp_path, places, monkeypatch):
    files = {f"s01/{TWO}.ipynb": notebook(), f"s02/{TWO}.ipynb": notebook()}
    put(tmp_path, {**files, "s03.zip": {"a.ipynb": notebook()}})
    opened = Path.open
    monkeypatch.setattr(
        Path,
        "open",
        lambda path, *more, **named: (
            opened(path, *more, **named)
            if "s02" in path.parts or "course" in str(path.parent.parent.parent)
            else no_permission(path)
        ),
    )
    found = find_submissions(tmp_path, places)
    assert who(found) == [("s02", TWO)]
    why = "It can't be read (Permission denied): make it readable."
    assert found.held_back == (
        HeldBack("s01", TWO, f"s01/{TWO}.ipynb", why),
        HeldBack("s03", "", "s03.zip", why),
    )


def test_a_folder_that_must_not_be_read(tmp_path, places, monkeypatch):
    files = {f"s01/{TWO}.ipynb": notebook(), f"s02/{TWO}.ipynb": notebook()}
    put(tmp_path, files)
    scan = os.scandir
    shut = {tmp_path / "s01"}
    monkeypatch.setattr(
        os, "scandir", lambda path: no_permission(path) if path in shut else scan(path)
    )
    found = find_submissions(tmp_path, places)
    assert who(found) == [("s02", TWO)]
    why = "It can't be read (Permission denied): make it readable."
    assert found.held_back == (HeldBack("s01", "", "s01", why),)
    shut.add(tmp_path)
    with pytest.raises(CourseError, match="can't be read"):
        find_submissions(tmp_path, places)


def test_folders_deeper_than_a_path_may_be_long(tmp_path, places):
    put(tmp_path, {f"s02/{TWO}.ipynb": notebook()})
    (tmp_path / "s01").mkdir()
    here = os.open(tmp_path / "s01", os.O_RDONLY)
    try:
        for _ in range(20):
            os.mkdir("d" * 250, dir_fd=here)
            inner = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        found = find_submissions(tmp_path, places)
    finally:
        os.close(here)
        shutil.rmtree(tmp_path / "s01")
    assert who(found) == [("s02", TWO)]
    (held,) = found.held_back
    assert held.student == "s01" and "File name too long" in held.reason


# Times that are none, and what the others of a student's files were.


@pytest.mark.parametrize(
    "stamp", [b"yesterday", b"2024-99-01", b"\xff\xfe", b"1 1 1 1"]
)
def test_a_time_that_is_none_is_not_used(tmp_path, places, stamp):
    # It would stop the grading of all: nbgrader's parser raises an error.
    put(tmp_path, {f"s01/{TWO}.ipynb": notebook(), "s01/timestamp.txt": stamp})
    (submission,) = find_submissions(tmp_path, places).submissions
    assert submission.timestamp is None
    (note,) = submission.notes
    assert note.endswith("is no time; not used")


def test_a_submission_says_that_it_was_late_and_which_upload_it_is(tmp_path, places):
    files = {f"lee_1_{100 + n}_{TWO}.ipynb": notebook(text=str(n)) for n in range(2)}
    files[f"lee_LATE_1_200_{TWO}-1.ipynb"] = notebook(text="last")
    found = find_submissions(put(tmp_path, files), places)
    (submission,) = found.submissions
    assert submission.read() == notebook(text="last")
    assert submission.notes == (
        "handed in late, says Canvas",
        f"handed in 3 times; the last, lee_LATE_1_200_{TWO}-1.ipynb, counts",
    )
    assert len(found.left_out) == 2 and found.held_back == ()
