"""Submissions in every layout are found, and whose they are."""

import json
import os
import pickle
import re
import unicodedata

import pytest
from intake_files import (
    NAMES,
    NBGRADER,
    THREE,
    TWO,
    course,
    given,
    notebook,
    one,
    put,
    who,
    zipped,
)

from autograder.intake import HeldBack, find_submissions
from autograder.places import CourseError

KINDS = ("folder", "zip", "zip in folder", "deep zip", "deep zip in folder")
ALL = [("s01", TWO), ("s01", THREE), ("s02", TWO)]


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("kind", KINDS)
def test_nbgraders_layout(tmp_path, places, kind):
    found = find_submissions(given(tmp_path, NBGRADER, kind), places)
    assert who(found) == ALL and found.left_out == ()
    assert [each.timestamp for each in found.submissions] == [
        "2024-05-01 10:00:00 UTC",
        None,
        None,
    ]
    last = pickle.loads(pickle.dumps(found.submissions[2]))  # workers get them so
    assert last.read() == notebook(text="other")
    assert last.origin.endswith(f"s02/{TWO}/{TWO}.ipynb")
    assert ("export.zip: " in last.origin) == (kind != "folder")


@pytest.mark.parametrize("kind", KINDS)
def test_one_student_alone(tmp_path, places, kind):
    files = {f"s01/{name}/{name}.ipynb": notebook(name) for name in NAMES}
    found = find_submissions(given(tmp_path, files, kind), places)
    assert who(found) == ALL[:2]


@pytest.mark.parametrize("answered", ["{}.ipynb", "{} (1).ipynb"])
def test_an_untouched_file_beside_the_answers_is_not_theirs(tmp_path, places, answered):
    handed_out = places.learner(TWO).read_bytes()
    names = [name.format(TWO) for name in ("{}.ipynb", "{} (1).ipynb")]
    files = {f"s01/{name}": handed_out for name in names}
    files[f"s01/{answered.format(TWO)}"] = notebook(text="my own")
    submission, left_out = one(tmp_path, places, files)
    assert submission.read() == notebook(text="my own") and submission.notes == ()
    (line,) = left_out
    assert line.endswith(": no answer is in it.")


NO_COURSE = b'{"metadata": {}, "cells": [{"cell_type": "code", "source": "1"}]}'


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (b" ", "no answer is in it."),
        (NO_COURSE, "no answer is in it."),
        (notebook(text="my own").replace(b"{", b" {", 1), "the same code as"),
    ],
    ids=["empty", "helper functions", "saved again"],
)
def test_a_file_without_another_answer_holds_nothing_back(
    tmp_path, places, other, said
):
    files = {f"s01/{TWO}/{TWO}.ipynb": notebook(text="my own")}
    files[f"s01/{TWO}/{TWO} b.ipynb"] = other
    submission, left_out = one(tmp_path, places, files)
    assert json.loads(submission.read()) == json.loads(notebook(text="my own"))
    assert said in left_out[0]


@pytest.mark.parametrize("kind", KINDS)
def test_one_level_less(tmp_path, places, kind):
    files = {"s01/a.ipynb": notebook(), "s02/b.ipynb": notebook(text="other")}
    found = find_submissions(given(tmp_path, files, kind), places)
    assert who(found) == [("s01", TWO), ("s02", TWO)]
    assert found.submissions[0].notes == (
        "was named a.ipynb; recognised by its content",
    )


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("kind", ["folder", "zip", "zip in folder"])
def test_a_zip_for_each_student(tmp_path, places, kind, wrapped):
    top = "homework/" if wrapped else ""
    files = {
        "s01.zip": {f"{top}{TWO}.ipynb": notebook(), f"{top}{THREE}.ipynb": b""},
        "s02.ZIP": {f"{top}{TWO}/{TWO}.ipynb": notebook(text="other")},
    }
    found = find_submissions(given(tmp_path, files, kind), places)
    assert who(found) == ALL
    assert found.submissions[2].read() == notebook(text="other")
    assert "s02.ZIP: " in found.submissions[2].origin


@pytest.mark.parametrize("kind", KINDS)
def test_canvas(tmp_path, places, kind):
    files = {
        f"leeanna_1234_7890123_{TWO}.ipynb": notebook(),
        f"leeanna_1234_7890124_{THREE}-1.ipynb": notebook(THREE),
        f"orsoben_LATE_1235_7890125_{TWO}.ipynb": notebook(text="b"),
        "ruizeva_late_1236_7890126_my_1_234_x.ipynb": notebook(text="c"),
        f"anon_x1Y2z_7890127_{TWO}.ipynb": notebook(text="d"),
        f"LATE_anon_12345_7890128_{TWO}.ipynb": notebook(text="e"),
        "quinn_1237_7890129_all.zip": {f"{TWO}.ipynb": notebook(text="f")},
        "reader_1238_7890130_report.pdf": b"%PDF",
    }
    found = find_submissions(given(tmp_path, files, kind), places)
    got = {(s.student, s.lms_id, s.notebook): s.notes for s in found.submissions}
    late = "handed in late, says Canvas"
    assert got == {
        ("leeanna", "1234", TWO): (),
        ("leeanna", "1234", THREE): (),
        ("orsoben", "1235", TWO): (late,),
        ("ruizeva", "1236", TWO): (
            "was named my_1_234_x.ipynb; recognised by its content",
            late,
        ),
        ("anon_x1Y2z", "x1Y2z", TWO): (),
        ("anon_12345", "12345", TWO): (late,),
        ("quinn", "1237", TWO): (),
    }
    assert found.left_out == ("Not looked at: 1 other file (1 .pdf).",)
    (held,) = found.held_back
    assert (held.student, held.notebook) == ("reader", "")
    assert held.reason.startswith("No notebook was handed in")


@pytest.mark.parametrize("kind", KINDS)
def test_moodle(tmp_path, places, kind):
    tail = "assignsubmission_file"
    files = {
        f"Anna Lee_1234567_{tail}_/any.ipynb": notebook(),
        f"Jean-Luc O'Neil_1234568_{tail}/sub/{TWO}.ipynb": notebook(text="b"),
        f"Ben Orso_1234569_{tail}_{TWO}.ipynb": notebook(text="c"),
        f"Eva Ruiz_1234570_{tail}_/all.zip": {f"{TWO}.ipynb": notebook(text="d")},
        f"Participant_1234571_{tail}_/{TWO}.ipynb": notebook(text="e"),
        f"Participant_1234572_{tail}_/{TWO}.ipynb": notebook(text="f"),
        "Cy Ho_1234573_assignsubmission_onlinetext_/onlinetext.html": b"",
    }
    found = find_submissions(given(tmp_path, files, kind), places)
    assert {(s.student, s.lms_id) for s in found.submissions} == {
        ("Anna_Lee", "1234567"),
        ("Jean-Luc_O_Neil", "1234568"),
        ("Ben_Orso", "1234569"),
        ("Eva_Ruiz", "1234570"),
        ("Participant_1234571", "1234571"),
        ("Participant_1234572", "1234572"),
    }
    assert found.left_out[-1] == "Not looked at: 1 other file (1 .html)."


def test_an_export_for_each_notebook(tmp_path, places):
    # Moodle numbers a student anew in each assignment.
    files = {
        "02.zip": {"Anna Lee_11_assignsubmission_file_/a.ipynb": notebook()},
        "03.zip": {"Anna Lee_22_assignsubmission_file_/a.ipynb": notebook(THREE)},
    }
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("Anna_Lee", TWO), ("Anna_Lee", THREE)]


@pytest.mark.parametrize(
    ("paths", "students"),
    [
        (["term/submitted/s01/{}/a", "term/submitted/s01/{}/b"], ["s01"]),
        (["term/submitted/s01/a", "term/submitted/s02/b"], ["s01", "s02"]),
        (["s01/homework/a", "s01/homework/b"], ["s01"]),
        (["s01/homework/a", "s02/homework/b"], ["s01", "s02"]),
        (["s01/homework/{}/a", "s02/b"], ["s01", "s02"]),
        (["s01/a", "s01/more/b"], ["s01"]),
        (["2024/lee_1_234_a", "2024/ho_2_345_b"], ["ho", "lee"]),
        (["2024/all/lee_1_234_a", "2024/all/ho_2_345_b"], ["ho", "lee"]),
        (["x/An Lee_1_assignsubmission_file_/a", "s02/b"], ["s02", "x"]),
    ],
)
def test_folders_around_the_students(tmp_path, places, paths, students):
    files = {
        f"{path.format(name)}.ipynb": notebook(name)
        for path, name in zip(paths, NAMES, strict=True)
    }
    found = find_submissions(put(tmp_path, files), places)
    assert sorted({each.student for each in found.submissions}) == students


def test_a_zip_made_on_a_mac_keeps_its_names(tmp_path, places):
    # Its names are UTF-8, decomposed, and nothing says so; others use code page 437.
    name = unicodedata.normalize("NFD", "josé")
    data = zipped({f"{name}/a.ipynb": notebook(), "s02/a.ipynb": notebook()})
    plain = data.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    assert plain != data
    found = find_submissions(put(tmp_path, {"a.zip": plain}) / "a.zip", places)
    assert [each.student for each in found.submissions] == ["josé", "s02"]
    old = plain.replace(name.encode(), b"jos\x82xx")
    found = find_submissions(put(tmp_path, {"a.zip": old}) / "a.zip", places)
    assert [each.student for each in found.submissions] == ["joséxx", "s02"]
    assert found.submissions[0].read() == notebook()


def test_a_folder_for_each_notebook(tmp_path, places):
    files = {f"{TWO}/s01/a.ipynb": notebook(), f"{THREE}/s01/a.ipynb": notebook(THREE)}
    assert who(find_submissions(put(tmp_path, files), places)) == ALL[:2]


def test_a_learners_file_name_tells_nobody_else(tmp_path, places):
    forged = f"s02_1234_5678_{TWO}.ipynb"
    files = {f"s01/{forged}": notebook(), f"s03/{TWO}.ipynb": notebook(text="b")}
    found = find_submissions(put(tmp_path, files), places, pattern=None)
    assert who(found) == [("s01", TWO), ("s03", TWO)]


# Names that only a pattern can read.


def test_a_pattern(tmp_path, places):
    files = {
        f"u-7;Anna Lee;{TWO}.ipynb": notebook(),
        "u-8;s02;x.ipynb": notebook(text="b"),
        "template.ipynb": notebook(text="c"),
    }
    found = find_submissions(
        put(tmp_path, files), places, (), r"(?P<lms_id>[^;]+);(?P<student>[^;]+);"
    )
    assert [(s.student, s.lms_id) for s in found.submissions] == [
        ("Anna_Lee", "u-7"),
        ("s02", "u-8"),
    ]
    (held,) = found.held_back
    assert (held.student, held.origin) == ("", "template.ipynb")
    assert "does not tell whose it is" in held.reason


def test_a_pattern_may_read_folders_and_times(tmp_path, places):
    files = {
        "group-s01/2024-05-01/a.ipynb": notebook(),
        "group-s01/2024-05-03/group-s02.ipynb": notebook(text="b"),
    }
    pattern = r"group-(?P<student>\w+)/(?P<timestamp>[\d-]+)"
    found = find_submissions(put(tmp_path, files), places, (), pattern)
    (submission,) = found.submissions
    assert submission.student == "s01" and submission.read() == notebook(text="b")
    assert submission.timestamp == "2024-05-03"
    assert "is later" in found.left_out[0]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(?P<student>", "no regular expression"),
        (r"(?P<who>\w+)", r"no group \(\?P<stu"),
    ],
)
def test_a_pattern_that_can_not_serve(tmp_path, places, pattern, text):
    with pytest.raises(CourseError, match=text) as error:
        find_submissions(tmp_path, places, (), pattern)
    assert "--pattern '(?P<student>[^_]+)_.*'" in str(error.value)


@pytest.mark.parametrize("names", [("a", "b", "c", "d"), (TWO, THREE), ("hw_1_2_s01",)])
def test_names_that_tell_nobody(tmp_path, places, names):
    put(tmp_path, {f"{name}.ipynb": notebook(text=name) for name in names})
    with pytest.raises(CourseError, match="do not tell whose") as error:
        find_submissions(tmp_path, places)
    assert all(f"  {name}.ipynb\n" in str(error.value) for name in names[:3])
    assert ("and 1 more" in str(error.value)) == (len(names) > 3)
    assert "--pattern '(?P<student>" in str(error.value)


def test_the_folder_of_one_student_is_not_a_class(tmp_path, places):
    put(tmp_path, {f"{name}/{name}.ipynb": notebook(name) for name in NAMES})
    with pytest.raises(CourseError, match="do not tell whose"):
        find_submissions(tmp_path, places)


# Which notebook a file is.


@pytest.mark.parametrize(
    "path",
    [
        f"{TWO}/Untitled.ipynb",
        f"{TWO}.ipynb",
        f"{TWO.upper()}.ipynb",
        f"{TWO}-Copy1.ipynb",
        f"{TWO} (2).ipynb",
        f"my_{TWO}_s01.ipynb",
        "replicas_drift_apart.ipynb",
        "02.ipynb",
        f"{TWO}.ipynb.txt",
        f"{TWO}.ipynb.json",
    ],
)
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 10_000])
def test_a_broken_file_is_known_by_its_name(tmp_path, places, path, data):
    submission, left_out = one(tmp_path, places, {f"s01/{path}": data})
    assert submission.notebook == TWO and left_out == ()
    assert submission.read() == data and submission.notes == ()


@pytest.mark.parametrize(
    "data",
    [
        notebook(THREE),
        notebook(THREE, told=False),
        notebook(THREE, told=False, keep=3),  # no check, but two cells of its own
        notebook("99_other", text='check("03/my_loss", my_loss)'),
        b"\xef\xbb\xbf" + notebook(THREE),
    ],
)
@pytest.mark.parametrize("name", ["Untitled", TWO])
def test_content_tells_more_than_the_name(tmp_path, places, data, name):
    submission, _ = one(tmp_path, places, {f"s01/{name}.ipynb": data})
    assert submission.notebook == THREE
    assert submission.notes == (f"was named {name}.ipynb; recognised by its content",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"metadata": [], "cells": {"a": 1}}',
        b'{"metadata": {"course": {"name": ["02"]}}, "cells": [1, {"source": [2]}]}',
        notebook("99_other", text='check("99/my_other", 1)'),
        notebook(THREE, told=False, keep=2),  # one cell is chance
        notebook("99_other", text="check(" + "(" * 900),
        notebook("99_other", text="check(\0)"),
    ],
)
def test_what_nothing_tells_is_left_out_beside_a_notebook(tmp_path, places, data):
    files = {f"s01/{TWO}.ipynb": notebook(), "s01/Untitled.ipynb": data}
    files["s02/Untitled.ipynb"] = data
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("s01", TWO)]
    assert found.left_out == ("s01/Untitled.ipynb: no notebook of this course.",)
    (held,) = found.held_back  # this is all that s02 has
    assert (held.student, held.notebook) == ("s02", "")
    assert held.origin == "s02/Untitled.ipynb" and "no notebook of this" in held.reason


def test_only_the_notebooks_that_were_asked_for(tmp_path, places):
    put(tmp_path, NBGRADER)
    found = find_submissions(tmp_path, places, ["3"])
    assert who(found) == [("s01", THREE)]
    assert found.left_out == ("Notebooks not asked for: 2.",)
    with pytest.raises(CourseError, match='no notebook "04"'):
        find_submissions(tmp_path, places, ["04"])
    put(tmp_path / "b", {"s01/a.ipynb": notebook()})
    with pytest.raises(CourseError, match=f"there is no {THREE}"):
        find_submissions(tmp_path / "b", places, ["03"])


# Several files for one notebook.


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (f"1234_100_{TWO}.ipynb", f"1234_200_{TWO}-1.ipynb"),
        (f"1234_100_{TWO}-2.ipynb", f"1234_200_{TWO}-10.ipynb"),
        (f"1234_100_{TWO}.ipynb", f"1234_100_{TWO}-1.ipynb"),
        (f"1234_100_{TWO}-2.ipynb", f"1234_100_{TWO}-10.ipynb"),
        (f"1234_100_{TWO}.ipynb", f"LATE_1234_1000_{TWO}.ipynb"),
        (
            f"1234_100_{TWO}.ipynb",
            f"1234_200_{TWO}-{'0' * 8}{'-0000' * 3}-{'0' * 12}.ipynb",
        ),
    ],
)
def test_the_last_upload_to_canvas_counts(tmp_path, places, first, last):
    files = {f"lee_{first}": notebook(), f"lee_{last}": notebook(text="again")}
    submission, left_out = one(tmp_path, places, files)
    assert submission.read() == notebook(text="again")
    assert left_out == (f"lee_{first}: lee_{last} is later.",)
    note = f"handed in 2 times; the last, lee_{last}, counts"
    assert submission.notes[-1] == note


def test_the_last_timestamp_counts(tmp_path, places):
    files = {
        f"s01/a/{TWO}.ipynb": notebook(),
        "s01/a/timestamp.txt": b"2024-05-01 23:00:00 America/New_York",
        f"s01/b/{TWO}.ipynb": notebook(text="first"),
        "s01/b/timestamp.txt": b"2024-05-02 01:00:00 UTC",
        f"s02/{THREE}.ipynb": notebook(THREE),
    }
    found = find_submissions(put(tmp_path, files), places, ["02"])
    assert found.submissions[0].read() == notebook()
    time = "2024-05-01 23:00:00 America/New_York"
    note = f"handed in 2 times; the last, of {time}, counts"
    assert found.submissions[0].notes == (note,)
    assert found.left_out[-1].startswith("s01/b/")


@pytest.mark.parametrize(
    "stamps",
    [
        (),
        (b"then", b"now"),
        (b"2024-05-01", b"2024-05-01"),
        # nbgrader's parser opens such a zone, and stops with what is no ValueError
        (b"2024-05-01", b"2024-05-02 ../../../dev/zero"),
    ],
)
def test_different_files_without_an_order(tmp_path, places, stamps):
    files = {f"s01/{n}/{TWO}.ipynb": notebook(text=n) for n in "ab"}
    files |= {f"s01/{n}/timestamp.txt": t for n, t in zip("ab", stamps, strict=False)}
    files[f"s02/{TWO}.ipynb"] = notebook()
    files[f"s01/{THREE}.ipynb"] = notebook(THREE)
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("s01", THREE), ("s02", TWO)]
    (held,) = found.held_back
    assert (held.student, held.notebook) == ("s01", TWO)
    assert held.origin == f"s01/a/{TWO}.ipynb, s01/b/{TWO}.ipynb"
    assert held.reason.startswith("2 files for one notebook, and nothing says which")


def test_two_names_on_canvas_have_no_order(tmp_path, places):
    files = {
        f"lee_1_100_{TWO}.ipynb": notebook(),
        "lee_1_101_Untitled.ipynb": notebook(text="other"),
        f"ho_2_102_{TWO}.ipynb": notebook(),
    }
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("ho", TWO)]
    assert [each.student for each in found.held_back] == ["lee"]


def test_the_same_file_twice_counts_once(tmp_path, places):
    files = {"s01/a.ipynb": notebook(), "s01.zip": {f"{TWO}.ipynb": notebook()}}
    files["s02/a.ipynb"] = notebook()
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("s01", TWO), ("s02", TWO)]
    assert found.left_out == (f"s01/a.ipynb: the same as s01.zip: {TWO}.ipynb.",)


# Students' ids.


ODD_IDS = {
    ".s01": 'begins with "."',
    "-s01": 'begins with "-"',
    "s*": 'holds "*"',
    "s?": 'holds "?"',
    "s[1]": 'holds "["',
    "s\\1": 'holds "\\"',
    "s\a1": "holds signs that are no text",
    "s" * 129: "is longer than",
    "李" * 67: "is longer than",
    b"Jos\xe9": "holds signs that are no text",  # é as in Latin-1
    "\u200b": "is empty",
}


@pytest.mark.parametrize("name", ODD_IDS)
def test_ids_that_nbgrader_or_a_folder_can_not_hold(tmp_path, places, name):
    folder = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
    os.mkdir(folder)
    with open(os.path.join(folder, b"a.ipynb"), "wb") as file:
        file.write(notebook(text="x"))
    put(tmp_path, {"s02/a.ipynb": notebook()})
    found = find_submissions(tmp_path, places)
    assert who(found) == [("s02", TWO)]
    (held,) = found.held_back
    assert held.notebook == TWO and ODD_IDS[name] in held.reason
    assert (held.student + held.origin + held.reason).isprintable()
    assert held.student == {b"Jos\xe9": "Jos?", "s\a1": "s?1", "\u200b": ""}.get(
        name, name
    )


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("s+1", "s+1"),
        ("ada+tf@uni.edu", "ada+tf@uni.edu"),
        ("Anna Lee", "Anna Lee"),
        ("Jürgen Öß", "Jürgen Öß"),
        ("李" * 66, "李" * 66),
        ('O\'Neil, "Jo" (2)', 'O\'Neil, "Jo" (2)'),
        ("s" * 128, "s" * 128),
        (" s01", "s01"),
        ("s01 ", "s01"),
        ("s\n1", "s 1"),
        ("s\u00a01", "s 1"),
        ("s\u202e1", "s1"),
        ("\ufeffs\u200b1", "s1"),
    ],
)
def test_ids_that_are_taken(tmp_path, places, name, student):
    submission, left_out = one(tmp_path, places, {f"{name}/{TWO}.ipynb": notebook()})
    assert submission.student == student and left_out == ()
    changed = () if name == student else ("its name was written",)
    assert [note[:20] for note in submission.notes] == [*changed]


@pytest.mark.parametrize("said", ["..", ".", "a/b", "-rf", ""])
def test_a_pattern_makes_no_unsafe_id_either(tmp_path, places, said):
    put(tmp_path, {"a/x=../x=./x=a/b/x=-rf/x=/a.ipynb": notebook()})
    pattern = rf".*x=(?P<student>{re.escape(said)})/"
    if not said:
        with pytest.raises(CourseError, match="do not tell whose"):
            find_submissions(tmp_path, places, (), pattern)
        return
    found = find_submissions(tmp_path, places, (), pattern)
    assert found.submissions == ()
    assert [each.student for each in found.held_back] == [said]
    assert "The student id" in found.held_back[0].reason


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("Ada/a", "ada/b"), "only in capital letters"),
        (("jos\u00e9/a", "jose\u0301/b"), "look the same"),
        (("Jos\u00e9/a", "jose\u0301/b"), "only in capital letters"),
        ((" s1/a", "s1/b"), "Two students have one name, s1"),
        ((f"lee_1_100_{TWO}", f"LEE_2_200_{THREE}"), "only in capital letters"),
        ((f"lee_1_100_{TWO}", f"lee_2_200_{THREE}"), "Two students have one name, lee"),
        (
            tuple(f"An Lee_{n}_assignsubmission_file_/a" for n in (11, 22)),
            "Two students have one name, An_Lee",
        ),
        (
            (f"An Lee_11_assignsubmission_file_{TWO}", f"An-Lee_22_{THREE}"),
            None,
        ),
        (
            tuple(f"An{c}Lee_11_assignsubmission_file_/a" for c in (" ", ",")),
            "Two students have one name, An_Lee",
        ),
    ],
)
def test_two_students_of_one_id(tmp_path, places, names, text):
    contents = {f"{n}.ipynb": notebook(text=n) for n in names}
    contents["s99/a.ipynb"] = notebook()
    found = find_submissions(put(tmp_path, contents), places)
    if text is None:
        (held,) = found.held_back
        assert len(found.submissions) == 2 and "whose it is" in held.reason
        return
    assert [each.student for each in found.submissions] == ["s99"]
    one, two = found.held_back
    assert text in one.reason and text in two.reason
    assert two.origin in one.reason and one.origin in two.reason
    pattern = "_1_100_" in names[0] or "submission" in names[0]
    assert ("by --pattern '" in one.reason) == pattern


def test_the_pattern_that_is_offered_tells_them_apart(tmp_path, places):
    files = {
        f"lee_1_100_{TWO}.ipynb": notebook(),
        f"lee_late_2_200_{TWO}.ipynb": notebook(text="b"),
        "An Lee_11_assignsubmission_file_/x_9_y.ipynb": notebook(text="c"),
        "An Lee_22_assignsubmission_file_/a.ipynb": notebook(text="d"),
    }
    found = find_submissions(put(tmp_path, files), places)
    assert found.submissions == () and len(found.held_back) == 4
    pattern = found.held_back[0].reason.rpartition("--pattern ")[2].strip("'.")
    found = find_submissions(tmp_path, places, (), pattern)
    assert [s.student for s in found.submissions] == [
        "An_Lee_11",
        "An_Lee_22",
        "lee_1",
        "lee_late_2",
    ]


# What is not a notebook.


def test_no_such_path_and_nothing_in_it(tmp_path, places):
    with pytest.raises(CourseError, match="There is nothing at"):
        find_submissions(tmp_path / "no", places)
    with pytest.raises(CourseError, match="Collect first"):
        find_submissions(tmp_path / "submitted", places)
    with pytest.raises(CourseError, match=r"no notebook in .*: no other file"):
        find_submissions(tmp_path, places)
    put(tmp_path, {"s01/a.csv": b"", "b.zip": {"c.csv": b""}})
    with pytest.raises(CourseError, match=r"2 other files \(2 .csv\)"):
        find_submissions(tmp_path, places)
    put(tmp_path, {"s01/a.ipynb": b"{}"})
    with pytest.raises(CourseError, match=r"none of this course:\n  s01/a.ipynb"):
        find_submissions(tmp_path, places)


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_junk_goes_quietly_and_other_files_are_counted(tmp_path, places, kind):
    files = {
        f"s01/{TWO}.ipynb": notebook(),
        f"s01/.ipynb_checkpoints/{TWO}-checkpoint.ipynb": notebook(text="old"),
        f"__MACOSX/s01/._{TWO}.ipynb": b"x",
        f"s01/._{TWO}.ipynb": b"x",
        "s01/.DS_Store": b"x",
        "s01/data.csv": b"x",
        "s01/a.csv": b"x",
        "s01/Makefile": b"x",
        "s01/more.7z": b"x",
        "s02/homework.rar": b"x",
        "readme.txt": b"x",
    }
    found = find_submissions(given(tmp_path, files, kind), places)
    assert who(found) == [("s01", TWO)]
    start = "export.zip: " if kind == "zip" else ""
    assert found.left_out == (
        f"{start}s01/more.7z: only zips are opened.",
        "Not looked at: 4 other files (2 .csv, 1 without ending, 1 .txt).",
    )
    (held,) = found.held_back  # this is all that s02 has
    assert held == HeldBack(
        "s02",
        "",
        f"{start}s02/homework.rar",
        "Only zips are opened: unpack it, and put it beside.",
    )


def test_links_and_pipes_are_not_followed(tmp_path, places):
    put(tmp_path, {"secret/x.ipynb": notebook(), f"in/s01/{TWO}.ipynb": notebook()})
    (tmp_path / "in/s02").mkdir()
    (tmp_path / "in/s02/a.ipynb").symlink_to(tmp_path / "secret/x.ipynb")
    (tmp_path / "in/s03").symlink_to(tmp_path / "secret")
    (tmp_path / "in/s04.zip").symlink_to("/etc/passwd")
    (tmp_path / "in/s01/more").symlink_to(tmp_path / "secret")
    (tmp_path / "in/s01/data.csv").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "in/pipe.ipynb")
    found = find_submissions(tmp_path / "in", places)
    assert who(found) == [("s01", TWO)]
    assert found.left_out == (
        "s01/data.csv: it is a symbolic link, which is not followed.",
        "s01/more: it is a symbolic link, which is not followed.",
    )
    link = "It is a symbolic link, which is not followed: put the file itself in its"
    pipe = "It is a pipe or a device: put the file itself in its"
    assert found.held_back == (
        HeldBack("", "", "pipe.ipynb", f"{pipe} place."),
        HeldBack("s02", "", "s02/a.ipynb", f"{link} place."),
        HeldBack("s03", "", "s03", f"{link} place."),
        HeldBack("s04", "", "s04.zip", f"{link} place."),
    )


def test_a_notebook_that_is_too_large(tmp_path, places, monkeypatch):
    monkeypatch.setattr("autograder.intake.files.MAX_FILE", 1000)
    files = {"s01/a.ipynb": notebook(text="x" * 1000), "s02/a.ipynb": notebook()}
    files[f"s02/{THREE}.ipynb"] = notebook(THREE, text="x" * 1000)
    found = find_submissions(put(tmp_path, files), places)
    assert who(found) == [("s02", TWO)]
    reason = "It is larger than 0 MB: open it, clear its outputs and save it."
    assert found.held_back == (
        HeldBack("s01", "", "s01/a.ipynb", reason),
        HeldBack("s02", THREE, f"s02/{THREE}.ipynb", reason),
    )
