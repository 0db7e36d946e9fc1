"""Archives that must not be opened are not, and nobody else waits for them."""

import io
import os
import re
import stat
import struct
import zipfile

import pytest
from intake_files import (
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

from autograder.intake import archives, find_submissions
from autograder.places import CourseError


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"))


def crafted(name=f"s01/{TWO}.ipynb", data=None, **fields):
    """A zip with one honest entry and one whose header says other things."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"s02/{TWO}.ipynb", notebook())
        info = zipfile.ZipInfo("x")
        info.filename = name
        info.compress_type = fields.pop("method", zipfile.ZIP_DEFLATED)
        info.external_attr = fields.pop("mode", stat.S_IFREG | 0o644) << 16
        archive.writestr(info, notebook() if data is None else data)
    return buffer.getvalue()


def patched(data, at, value):
    """Overwrite a field of the last entry in the table of contents."""
    start = data.rindex(b"PK\x01\x02") + at
    return data[:start] + value + data[start + len(value) :]


def twice():
    with pytest.warns(UserWarning, match="Duplicate name"):
        return crafted(name=f"s02/{TWO}.ipynb")


ZEROS = b"0" * (2 * archives.MB)
HONEST = crafted()
HOSTILE = {
    "dots": (crafted("../evil.ipynb"), r'leads out of the archive \("\.\."\)'),
    "dots inside": (crafted("a/../../evil.ipynb"), "leads out of the archive"),
    "absolute": (crafted("/etc/evil.ipynb"), "is absolute"),
    "drive": (crafted("C:/evil.ipynb"), "drive letter"),
    "dots and backslashes": (
        crafted("..\\..\\evil.ipynb"),
        r'leads out of the archive \("\.\."\)',
    ),
    "dots and both": (crafted("a/..\\../evil.ipynb"), "leads out of the archive"),
    "a share": (crafted("\\\\server\\share\\evil.ipynb"), "is absolute"),
    "drive and backslash": (crafted("C:\\evil.ipynb"), "drive letter"),
    "both slashes": (crafted(f"s02\\{TWO}.ipynb"), "two entries of its name"),
    "null": (HONEST.replace(b"s01/02", b"s01/\x002"), "control characters"),
    "long": (crafted("s" * 300 + "/a.ipynb"), "too long"),
    "deep": (crafted("s/" * 50 + "a.ipynb"), "too long"),
    "link": (crafted(mode=stat.S_IFLNK | 0o777, data=b"/etc/passwd"), "is a link"),
    "device": (crafted(mode=stat.S_IFCHR | 0o666), "device or a pipe"),
    "pipe": (crafted(mode=stat.S_IFIFO | 0o666), "device or a pipe"),
    "encrypted": (patched(HONEST, 8, b"\x01\x00"), "encrypted"),
    "bzip2": (crafted(method=zipfile.ZIP_BZIP2), "packed by a method"),
    "bomb": (crafted(data=ZEROS), r"a zip bomb"),
    "says too much": (
        patched(HONEST, 24, struct.pack("<I", archives.MAX_FILE + 1)),
        "larger than 20 MB",
    ),
    "says far too much": (
        patched(patched(HONEST, 24, b"\xfe" + b"\xff" * 3), 20, b"\xfe" + b"\xff" * 3),
        "larger than 20 MB",
    ),
    "says too little": (
        patched(crafted(data=ZEROS), 24, struct.pack("<I", 10)),
        "damaged",
    ),
    "cut": (HONEST[:-30], "damaged or no zip"),
    "no zip": (b"hello", "damaged or no zip"),
    "empty": (b"", "damaged or no zip"),
    "spoilt": (HONEST.replace(HONEST[60:80], b"\xff" * 20), "damaged"),
    "three deep": (
        zipped({"s01.zip": {"b.zip": {"a.ipynb": notebook()}}}),
        "a zip in a zip in a zip",
    ),
}


WHOLE = ("cut", "no zip", "empty")  # nothing in these can be read
BOTH = (*WHOLE, "spoilt", "three deep", "twice", "both slashes")  # all held back


def case_of(case):
    return HOSTILE.get(case) or (twice(), "two entries of its name")


def students(found):
    return [each.student for each in found.submissions]


@pytest.mark.parametrize("where", ["of a student", "in a zip", "in a zip in a folder"])
@pytest.mark.parametrize("case", [*HOSTILE, "twice"])
def test_a_hostile_archive_holds_back_its_student(tmp_path, places, case, where):
    data, text = case_of(case)
    files = {"s05.zip": data, "s06/a.ipynb": notebook(), "s07.zip": {"a.ipynb": b""}}
    files["s05/03.ipynb"] = notebook(THREE)  # nothing odd about this one
    files["s07/02.ipynb"] = notebook()
    if where != "of a student":
        files = {"all.zip": files}
        text += "|zip in a zip in a zip"
    path = put(tmp_path, files)
    path = path / "all.zip" if where == "in a zip" else path
    before = sorted(tmp_path.rglob("*"))
    found = find_submissions(path, places)
    assert who(found) == [("s05", THREE), ("s06", TWO), ("s07", TWO)]
    assert {each.student for each in found.held_back} == {"s05"}
    assert all("s05.zip" in each.origin for each in found.held_back)
    assert any(re.search(f"(?i){text}", each.reason) for each in found.held_back)
    for each in found.held_back:
        assert (each.origin + each.reason).isprintable()
        assert "ask for a new archive" in each.reason or "clear its" in each.reason
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("case", [*HOSTILE, "twice"])
def test_a_class_in_one_archive_goes_on_without_what_is_odd(tmp_path, places, case):
    data, text = case_of(case)
    path = put(tmp_path, {"all.zip": data}) / "all.zip"
    if case in WHOLE:
        with pytest.raises(CourseError, match=text) as error:
            find_submissions(path, places)
        assert "was not opened" in str(error.value) and str(error.value).isprintable()
        return
    found = find_submissions(path, places)
    assert students(found) == ([] if case in BOTH else ["s02"])
    assert re.search(f"(?i){text}", found.held_back[0].reason)


def windows(files):
    """A zip whose names hold backslashes, as some programs on Windows write them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo("x")
            info.filename = name.replace("/", "\\")
            archive.writestr(info, data)
    return buffer.getvalue()


def test_a_class_that_windows_packed(tmp_path, places):
    files = {"class/": b"", **{f"class/{k}": v for k, v in NBGRADER.items()}}
    zips = {"class/s03.zip": windows({"a/02.ipynb": notebook(text="3")})}
    put(tmp_path / "in", {"all.zip": windows(files | zips), "plain.zip": NBGRADER})
    found = find_submissions(tmp_path / "in/all.zip", places)
    assert found.held_back == () and found.left_out == ()
    assert who(found) == [("s01", TWO), ("s01", THREE), ("s02", TWO), ("s03", TWO)]
    plain = find_submissions(tmp_path / "in/plain.zip", places).submissions
    for one_of_ours, expected in zip(found.submissions, plain, strict=False):
        assert one_of_ours.read() == expected.read()
        assert one_of_ours.timestamp == expected.timestamp
    assert found.submissions[-1].read() == notebook(text="3")


EMPTY = {
    "nothing": {},
    "a folder": {"hw/": b""},
    "the system's files": {"__MACOSX/._02.ipynb": b"x", ".DS_Store": b"x"},
    "another file": {"hw/notes.txt": b"x"},
    "an empty zip": {"hw.zip": {}},
}


@pytest.mark.parametrize("case", EMPTY)
@pytest.mark.parametrize("where", ["folder", "zip", "deep zip in folder"])
def test_who_hands_in_an_archive_without_a_notebook_is_named(
    tmp_path, places, case, where
):
    files = {f"{each}/{TWO}.ipynb": notebook() for each in ("s01", "s03")}
    files["s02.zip"] = EMPTY[case]
    found = find_submissions(given(tmp_path, files, where), places)
    if case == "an empty zip" and where != "folder":
        assert [each.student for each in found.held_back] == ["s02"]
        return  # a zip in a zip in a zip
    assert who(found) == [("s01", TWO), ("s03", TWO)]
    (held,) = found.held_back
    assert (held.student, held.notebook) == ("s02", "")
    assert "ask for the file that ends with .ipynb" in held.reason


def test_a_class_of_empty_archives_is_named(tmp_path, places):
    put(tmp_path, {"s01.zip": {}, "lee_2_102_hw.zip": {}})
    with pytest.raises(CourseError, match="There is no notebook in") as error:
        find_submissions(tmp_path, places)
    assert "s01.zip: there is no file in it." in str(error.value)
    assert "lee_2_102_hw.zip: there is no file in it." in str(error.value)


def test_an_empty_archive_beside_a_notebook_is_a_line(tmp_path, places):
    files = {f"s01/{TWO}.ipynb": notebook(), "s01/more.zip": {}}
    _, left_out = one(tmp_path, places, files)
    assert left_out == ("s01/more.zip: there is no file in it.",)


@pytest.mark.parametrize("junk", [(), (".DS_Store",)])
def test_an_empty_folder_is_named(tmp_path, places, junk):
    put(tmp_path, {f"s01/{TWO}.ipynb": notebook()})
    (tmp_path / "s02").mkdir()
    for each in junk:
        (tmp_path / "s02" / each).touch()
    found = find_submissions(tmp_path, places)
    assert students(found) == ["s01"]
    (held,) = found.held_back
    assert (held.student, held.notebook) == ("s02", "")
    said = "Nothing is in it but .DS_Store" if junk else "There is no file in it"
    assert held.reason.startswith(said), held.reason


def test_an_archive_in_a_students_folder(tmp_path, places):
    # What it held is not known, so that the student's others carry a note.
    files = {"s05/more.zip": b"hello", f"s05/{TWO}.ipynb": notebook()}
    files["s06/a.ipynb"] = notebook()
    found = find_submissions(put(tmp_path, files), places)
    assert students(found) == ["s05", "s06"]
    assert found.submissions[0].notes == (
        "s05/more.zip was handed in, too, and held back",
    )
    (held,) = found.held_back
    assert (held.student, held.notebook, held.origin) == ("s05", "", "s05/more.zip")


def test_an_odd_upload_and_time(tmp_path, places):
    files = {
        f"lee_1_100_{TWO}.ipynb": notebook(),
        "lee_1_101_all.zip": b"hello",
        f"ho_2_100_{TWO}.zip": b"hello",  # older than the next
        f"ho_2_105_{TWO}-1.zip": {f"{TWO}.ipynb": notebook(text="new")},
        f"ito_3_105_{TWO}-1.ipynb": b"x" * 3000,  # newer than the next
        f"ito_3_100_{TWO}.ipynb": notebook(),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.intake.files.MAX_FILE", 2500)
        found = find_submissions(put(tmp_path, files), places)
    assert students(found) == ["ho", "lee"]
    assert [(each.student, each.notebook) for each in found.held_back] == [
        ("ito", TWO),
        ("lee", ""),
    ]


@pytest.mark.parametrize(
    ("limit", "value"), [("MAX_ENTRIES", 2), ("MAX_DIRECTORY", 100)]
)
def test_limits_of_an_archive(tmp_path, places, monkeypatch, limit, value):
    monkeypatch.setattr(archives, limit, value)
    put(tmp_path, {"a.zip": NBGRADER, "s09/a.ipynb": notebook()})
    with pytest.raises(CourseError, match="entries"):
        find_submissions(tmp_path / "a.zip", places)
    found = find_submissions(tmp_path, places)
    assert students(found) == ["s09"]
    assert [each.student for each in found.held_back] == ["a"]


def test_each_student_has_a_limit_and_the_class_has_none(tmp_path, places, monkeypatch):
    size = len(notebook(text="10"))
    monkeypatch.setattr("autograder.intake.looking.MAX_STUDENT", 2 * size)
    files = {f"s{n:02}.zip": {"a.ipynb": notebook()} for n in range(30)}
    files |= {f"s50/{n}/{TWO}.ipynb": notebook(text=str(n)) for n in range(10, 20)}
    found = find_submissions(put(tmp_path, files), places)
    assert students(found) == [f"s{n:02}" for n in range(30)]
    (held,) = found.held_back
    assert held.student == "s50" and "handed in more than" in held.reason


def test_a_bomb_that_nobody_reads_does_no_harm(tmp_path, places):
    files = {"s01.zip": {"a.ipynb": notebook(), "zeros.bin": ZEROS}}
    assert one(tmp_path, places, files)[0].student == "s01"


def test_an_archive_is_looked_at_again_when_it_is_read(tmp_path, places):
    name = f"s01/{TWO}.ipynb"  # as in the other one
    submission, _ = one(tmp_path, places, {"s01.zip": {name: notebook()}})
    put(tmp_path / "in", {"s01.zip": HOSTILE["link"][0]})
    with pytest.raises(CourseError, match="is a link"):
        submission.read()
    put(tmp_path / "in", {"s01.zip": {"b.ipynb": notebook()}})
    with pytest.raises(CourseError, match="not in its archive any more"):
        submission.read()
    (tmp_path / "in/s01.zip").unlink()
    with pytest.raises(CourseError, match="can't be read"):
        submission.read()


def test_memory_stays_flat(tmp_path, places):
    import tracemalloc

    text = os.urandom(50_000).hex()
    files = {f"s{n:03}/a.ipynb": notebook(text=f"{n}{text}") for n in range(40)}
    path = given(tmp_path, files, "zip")
    find_submissions(path, places)  # what is loaded once
    tracemalloc.start()
    found = find_submissions(path, places)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.submissions) == 40
    assert peak < 2_500_000  # all of them are 4 MB
