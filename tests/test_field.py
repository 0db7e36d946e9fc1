"""docs/field.md: public threads, each once, with its address and what it was."""

import re
from collections import Counter

import pytest

from autograder.cases import read_cases
from autograder.field import Thread, read_field
from autograder.field_page import render_field
from autograder.messages import read_messages
from autograder.places import CourseError, Places, course_places
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
THREADS = read_field(PLACES)
ROW = {
    "address": "https://example.org/threads/1",
    "project": "TensorFlow",
    "symptom": "It hangs.",
    "query": "it hangs",
    "cause": "A worker was never started.",
    "settled": "asker",
    "seen": "whole",
    "gap": "No notebook has it.",
}


def test_there_are_many_and_most_are_settled():
    assert len(THREADS) >= 80
    settled = Counter(each.settled for each in THREADS)
    assert settled["open"] < len(THREADS) / 3


def test_a_query_is_what_somebody_types_and_not_the_symptom_once_more():
    for each in THREADS:
        assert 3 <= len(each.query.split()) <= 20, each.query
        assert each.query.strip(".").lower() != each.symptom.strip(".").lower()


def test_all_stand_on_the_page_once():
    page = render_field(PLACES, SOURCES)
    addresses = re.findall(r"\]\((https://[^)]+)\)", page)
    assert sorted(addresses) == sorted(each.address for each in THREADS)
    assert "(docs/field.md)" in PLACES.readme.read_text(encoding="utf-8")


def test_links_lead_to_notebooks_and_probes_that_are_there():
    page = render_field(PLACES, SOURCES)
    triage = (PLACES.docs / "triage.md").read_text(encoding="utf-8")
    for notebook in re.findall(r"\]\(\.\./(notebooks/[^)]+)\)", page):
        assert (PLACES.root / notebook).is_file()
    for probe in re.findall(r"\]\(triage\.md#(\w+)\)", page):
        assert f"### {probe}\n" in triage


def test_a_thread_that_was_made_again_says_with_which_job_and_probe():
    page = render_field(PLACES, SOURCES)
    jobs = re.findall(r"\[made again\]\(\.\./(tests/[^)]+)\), found by \[(\w+)\]", page)
    assert jobs and f"**{len(jobs)} were made again**" in page
    assert sorted(jobs) == sorted((t.remade, t.probe) for t in THREADS if t.remade)


def test_pages_that_threads_lead_to_are_there():
    page = render_field(PLACES, SOURCES)
    for name in {thread.page for thread in THREADS if thread.page}:
        assert (PLACES.docs / name).is_file()
        title = (PLACES.docs / name).read_text(encoding="utf-8").split("\n# ")[1]
        assert f"### [{title.splitlines()[0]}]({name})\n" in page


def test_rows_that_threads_lead_to_are_there_and_led_to_by_the_same_way():
    rows = {each.text: ("messages.md", each.lesson) for each in read_messages(PLACES)}
    rows |= {each.see: ("triage.md", each.lesson) for each in read_cases(PLACES)}
    for thread in (each for each in THREADS if each.row):
        page, lesson = rows[thread.row]
        assert thread.page == page or thread.lesson == lesson, thread.address


@pytest.mark.parametrize("gone", SOURCES, ids=lambda source: source.header.number)
def test_a_room_goes_with_its_threads(gone):
    page = render_field(PLACES, [each for each in SOURCES if each is not gone])
    own = [each for each in THREADS if each.lesson == gone.header.number]
    assert not any(f"({each.address})" in page for each in own)
    assert gone.name not in page


def written(tmp_path, *rows, room=""):
    """A course with these threads in one file."""
    folder = tmp_path / "solutions" / room
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for row in rows:
        lines += ["[[thread]]", *(f'{name} = "{text}"' for name, text in row.items())]
    (folder / "field.toml").write_text("\n".join(lines), encoding="utf-8")
    return Places(tmp_path)


def test_a_thread_of_a_room_leads_there(tmp_path):
    row = {name: text for name, text in ROW.items() if name != "gap"}
    (found,) = read_field(written(tmp_path, row, room="12_cluster"))
    assert found == Thread(**row, lesson="12")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"symptom": ""}, "it lacks symptom"),
        ({"gap": ""}, "it lacks gap"),
        ({"page": "messages.md"}, "it can't have gap"),
        ({"who": "me"}, "it can't have who"),
        ({"settled": "perhaps"}, "settled is one of"),
        ({"cause": ""}, "a cause, or settled"),
        ({"settled": "open"}, "a cause, or settled"),
        ({"seen": "half"}, "seen is"),
        ({"address": "http://example.org/1"}, "the address is none"),
        ({"address": "https://example.org"}, "the address is none"),
        ({"remade": "no.py", "probe": "meet"}, "there is no file no.py"),
        ({"remade": "no.py"}, "remade names the job, and probe"),
        ({"cause": "so " * 46}, "cause has more than 45 words"),
    ],
)
def test_a_bad_row_is_refused_with_its_address(tmp_path, change, said):
    with pytest.raises(CourseError, match=said) as failed:
        read_field(written(tmp_path, {**ROW, **change}))
    assert "field.toml, thread http" in str(failed.value)


def test_a_thread_that_stands_twice_is_refused(tmp_path):
    with pytest.raises(CourseError, match="stands in two places"):
        read_field(written(tmp_path, ROW, ROW))


def test_a_bar_in_a_sentence_breaks_no_table(tmp_path):
    places = written(tmp_path, {**ROW, "symptom": "a | b"})
    (line,) = [x for x in render_field(places, []).splitlines() if "a \\| b" in x]
    assert len(re.findall(r"(?<!\\)\|", line)) == 4
