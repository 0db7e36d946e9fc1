"""The ledger is whole: each verdict has its test, and no claim's number is missing."""

import ast
import re
from pathlib import Path

import keras
import pytest
import tensorflow as tf
from small_course_copy import NAME, copy_small_course, edit

from autograder.claims import VERDICTS, read_ledger
from autograder.claims_page import MEANINGS, render_claims_page
from autograder.places import CourseError, course_places
from autograder.source import read_source

ROOT = Path(__file__).resolve().parent.parent
PLACES = course_places(ROOT)
LEDGER = read_ledger(PLACES.claims)
PAGE = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
# of each claim on the page: first number, claim, verdict, what was seen, where
ROWS = [
    [line[4:10], *line[2:].removesuffix(" |").split(" | ")]
    for line in PAGE.replace("| |", "|  |").splitlines()
    if re.match(r"\| \*\*\d{3}-", line)
]


def defined_in(file):
    """The tests that a file defines, by name."""
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    return {each.name: each for each in body if isinstance(each, ast.FunctionDef)}


@pytest.mark.parametrize("row", LEDGER.claims, ids=lambda row: row.ids[0])
def test_each_verdict_has_its_test(row):
    """A test that exists, states something, and that `make test` runs."""
    if row.verdict == "not tested":
        assert row.reason
        if not row.test:
            return
    file, _, name = row.test.partition("::")
    assert re.fullmatch(r"test_claims?_[\d_and]+", name), "named after its claims"
    assert name in defined_in(file), f"{file} has no {name}"
    found = defined_in(file)[name]
    marks = " ".join(map(ast.unparse, found.decorator_list))
    assert "skip" not in marks and "xfail" not in marks and "weekly" not in marks
    said = ast.unparse(found)
    assert "assert " in said or "pytest.raises" in said


def test_no_number_is_missing():
    """Each document's claims count from 01; one without a row stands on the page."""
    numbers = [each for row in LEDGER.claims for each in row.ids]
    numbers += [*LEDGER.left_out, *LEDGER.untold]
    for document in LEDGER.documents:
        own = sorted(each for each in numbers if each.startswith(document))
        assert own == [f"{document}-{k:02}" for k in range(1, len(own) + 1)]
        assert len(own) == LEDGER.made[document] >= 30 and LEDGER.in_short[document]
    without = PAGE.partition("## What is not on this page")[2]
    assert all(each in without for each in [*LEDGER.left_out, *LEDGER.untold])


def test_each_row_of_a_notebook_is_shown_there():
    wanted = {row.notebook for row in LEDGER.claims if row.notebook}
    sources = [read_source(PLACES.source(name)) for name in PLACES.names()]
    showing = {
        each.header.number
        for each in sources
        if any(cell.role == "claims" for cell in each.cells)
    }
    assert wanted == showing


def test_the_versions_are_those_that_were_tested():
    """A new version: read the ledger again, then change [tested]."""
    assert LEDGER.tested == {"TensorFlow": tf.__version__, "Keras": keras.__version__}


def test_the_page_has_each_row_once_and_links_that_lead_somewhere():
    full = [first for first, *_, where in ROWS if where]
    assert sorted(full) == sorted(row.ids[0] for row in LEDGER.claims)
    seen = re.findall(r"See \[(\d{3}-\d{2})\]\(#(\d{3})\)", PAGE)
    assert len(seen) == len(ROWS) - len(full) > 5
    assert all(first in full and first[:3] == number for first, number in seen)
    files = {link.split(' "')[0] for link in re.findall(r"\]\((\.\./[^)]*)\)", PAGE)}
    assert len(files) > 30
    assert not [link for link in files if not (ROOT / "docs" / link).exists()]
    headings = re.findall(r"^## (.*)$", PAGE, re.M)
    assert set(LEDGER.documents) <= set(headings)
    assert "(docs/claims.md)" in PLACES.readme.read_text(encoding="utf-8")


def test_no_cell_breaks_its_table():
    assert len(ROWS) >= len(LEDGER.claims)
    assert {len(row) for row in ROWS} == {5}


def test_every_verdict_is_explained_and_counted():
    assert set(MEANINGS) == set(VERDICTS)
    (total,) = re.findall(r"^\| \*\*All.*?\| (.*) \|$", PAGE, re.M)
    assert sum(map(int, total.split(" | "))) == len(LEDGER.claims)


def test_the_page_follows_the_ledger(tmp_path):
    """Of a small course: built, then found to differ once a row has changed."""
    places = copy_small_course(tmp_path)
    places.docs.mkdir()
    sources = [read_source(places.source(name)) for name in places.names()]
    page = render_claims_page(places, sources)
    row = (
        "| **000-01** a sum over shards equals the sum | ✓&nbsp;holds | adds them up |"
    )
    assert row in page
    assert "notebook 90" in page
    edit(places.source(NAME).parent / "claims.toml", "adds them", "adds all of them")
    assert render_claims_page(places, sources) != page


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('verdict = "holds"', 'verdict = "perhaps"', "unknown verdict 'perhaps'"),
        ('verdict = "holds"', 'verdict = "not tested"', "lacks reason"),
        ("test = ", "evidence = ", "lacks test"),
        ("tensorflow = ", 'note = "90"\ntensorflow = ', "can't have note"),
        ('ids = ["000-01"]', 'ids = ["001-01"]', "no title for the document of 001-01"),
        ('ids = ["000-01"]', 'ids = ["000-01", "000-01"]', "stands in two places"),
        ('verdict = "holds"', "verdict = holds", "is no TOML"),
    ],
)
def test_a_wrong_row_is_told(tmp_path, old, new, words):
    places = copy_small_course(tmp_path)
    edit(places.source(NAME).parent / "claims.toml", old, new)
    with pytest.raises(CourseError, match=words):
        read_ledger(places.claims)
