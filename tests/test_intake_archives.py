"""Archives that must not be opened are not."""

import io
import os
import stat
import struct
import zipfile

import pytest
from intake_files import (
    NBGRADER,
    TWO,
    course,
    given,
    notebook,
    one,
    put,
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
    "backslash": (crafted("s01\\evil.ipynb"), "backslash"),
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
        "unpacks to more than",
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


@pytest.mark.parametrize("where", ["alone", "of a student", "in a zip"])
@pytest.mark.parametrize("case", [*HOSTILE, "twice"])
def test_hostile_archives(tmp_path, places, case, where):
    data, text = HOSTILE.get(case) or (twice(), "two entries of this name")
    if where == "in a zip":
        path = put(tmp_path, {"all.zip": {"s05.zip": data}}) / "all.zip"
        text += "|zip in a zip in a zip"
    else:
        path = put(tmp_path, {"s05.zip": data, "s06/a.ipynb": notebook()})
        path = path / "s05.zip" if where == "alone" else path
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(CourseError, match=text) as error:
        find_submissions(path, places)
    assert "was not opened" in str(error.value) and str(error.value).isprintable()
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("limit", "value", "text"),
    [
        ("MAX_ENTRIES", 2, "more than 2 entries"),
        ("MAX_DIRECTORY", 100, "entries"),
        ("MAX_TOTAL", 500, "unpacks to more than"),
    ],
)
def test_limits_of_an_archive(tmp_path, places, monkeypatch, limit, value, text):
    monkeypatch.setattr(archives, limit, value)
    put(tmp_path, {"a.zip": NBGRADER})
    with pytest.raises(CourseError, match=text):
        find_submissions(tmp_path / "a.zip", places)


def test_the_limit_of_all_archives(tmp_path, places, monkeypatch):
    monkeypatch.setattr("autograder.intake.files.MAX_TOTAL", 1000)
    put(tmp_path, {f"s{n}.zip": {"a.ipynb": notebook()} for n in range(9)})
    with pytest.raises(CourseError, match="Grade it in parts"):
        find_submissions(tmp_path, places)


def test_a_bomb_that_nobody_reads_does_no_harm(tmp_path, places):
    files = {"s01.zip": {"a.ipynb": notebook(), "zeros.bin": ZEROS}}
    assert one(tmp_path, places, files)[0].student == "s01"


def test_an_archive_is_looked_at_again_when_it_is_read(tmp_path, places):
    submission, _ = one(tmp_path, places, {"s01.zip": {"a.ipynb": notebook()}})
    put(tmp_path / "in", {"s01.zip": HOSTILE["link"][0]})
    with pytest.raises(CourseError, match="is a link"):
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
