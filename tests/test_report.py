"""The report counts right, shows what a submission says as text, and is readable."""

import base64
import hashlib
import re
import shlex
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from chromium_browser import running_chromium

from autograder.grading.copies import solution
from autograder.intake import HeldBack
from autograder.memory_guards import GUARDS
from autograder.places import Places, course_places
from autograder.records import NOT_RUN, ExerciseResult, Misplaced, Record
from autograder.report import FILTER, duration, full_core, write_report
from autograder.unsettled import NOTHING, Unsettled

NOTEBOOK = "02_replicas_drift_apart"
TITLE = "02 Other weights on four devices than on one"
EXERCISES = (
    ("02/my_first_drift", 3, True),
    ("02/my_step", 4, True),
    ("02/p", 4, False),
)
CAUSE = "The gradients were summed, but not divided."
WRITTEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
ATTACK = (
    '<script>window.ran = 1</script><img src="x" onerror="window.ran = 1">"\'{{7*7}}'
)


def in_browser(test):
    """Mark a test that needs Chromium."""
    return pytest.mark.browser(pytest.mark.xdist_group("browser")(test))


def record(student="s01", outcomes=("RIGHT", "RIGHT", "RIGHT"), mistake=None, **facts):
    """One submission; `mistake` belongs to its WRONG answers."""
    exercises = tuple(
        ExerciseResult(
            *(name, outcome, of if outcome == "RIGHT" else 0, of, core),
            mistake=mistake if outcome == "WRONG" else None,
            cause=CAUSE if mistake and outcome == "WRONG" else None,
        )
        for (name, of, core), outcome in zip(EXERCISES, outcomes, strict=False)
    )
    given = {"notebook": NOTEBOOK, "digest": "", "seed": 7, "exercises": exercises}
    return Record(**{"student": student, **given, **facts})


def a_class(n):
    """A class of n, with every outcome, mistakes, flags and reasons in it."""
    kinds = (
        {},
        {"outcomes": ("RIGHT", "WRONG", "CRASHED"), "mistake": "summed"},
        {"outcomes": ("RIGHT", "RIGHT", "WRONG")},
        {
            "outcomes": ("WRONG", "NOT ATTEMPTED", NOT_RUN),
            "flags": ("A tag is gone.",),
            "suspicions": ("the cell a-fix uses eval",),
        },
        {"exercises": (), "reasons": ("The file is no notebook.",)},
        {"notebook": "01_seen_twice_or_never", "wall_seconds": 12.5},
    )
    return [record(f"s{i:03}", **kinds[i % len(kinds)]) for i in range(n)]


@pytest.fixture
def page_of(tmp_path):
    """Write a report; returns the parsed page."""

    def write(records, places=None, unsettled=NOTHING):
        path = tmp_path / "report.html"
        write_report(records, path, places or course_places(), WRITTEN, unsettled)
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    return write


def text(node):
    return re.sub(r"\s+", " ", node.get_text(" ")).strip()


def section(page, name):
    return page.find("section", attrs={"aria-labelledby": name})


def rows(table):
    return [[text(cell) for cell in row(["th", "td"])] for row in table("tr")]


def test_the_top_says_what_was_graded(page_of):
    page = page_of([*a_class(12), record("s000", seed=7, notebook="99_unknown")])
    top = text(section(page, "graded"))
    assert "13 submissions of 12 students in 3 notebooks" in top
    assert "The class's seed is 7" in top
    cards = [text(card) for card in section(page, "graded").select("dl div")]
    assert cards == [
        "got all points of the core 7 of 13",
        "need a look 2 of 13",
        "did not run as handed in 2 of 13",
    ]
    assert "2026-03-01 12:30 UTC" in text(page)
    table = {row[0]: row[1:] for row in rows(section(page, "graded").table)}
    assert table["02 Other weights on four devices than on one"] == [
        "10",
        "4",
        "2",
        "2",
    ]
    assert table["99_unknown"] == [*"1100"]


def test_two_seeds_are_said(page_of):
    page = page_of([record("s01"), record("s02", seed=8)])
    assert "The seeds are 7, 8: not all" in text(section(page, "graded"))


def test_what_limited_memory_stands_at_the_end(page_of):
    assert (
        page_of([record(), record("s02")]).footer is None
    )  # written before it was kept
    one = page_of([record(memory_guard="cgroup"), record("s02")])
    assert text(one.footer) == GUARDS["cgroup"]
    two = page_of(
        [record(memory_guard="cgroup"), record("s2", memory_guard="watching")]
    )
    assert text(two.footer) == (
        f"{GUARDS['cgroup']} Submissions: 1. {GUARDS['watching']} Submissions: 1."
    )
    strange = page_of([record(memory_guard="<b>of a stranger</b>")])
    assert strange.footer is None


def test_every_submission_is_in_every_bar(page_of):
    odd = record("s99", outcomes=("RIGHT", "SOMETHING ELSE"))
    page = page_of([*a_class(10), odd])
    table = page.select("table.outcomes")[-1]
    head, *found = rows(table)
    assert [each.split(" ", 1)[1] for each in head[1:]] == [
        *("RIGHT", "WRONG", "CRASHED", "NOT ATTEMPTED", "NO VERDICT", "NOT RUN")
    ]
    numbers = found[::2]
    assert numbers[0] == ["02/my_first_drift core", "7", "2", "0", "0", "0", "1"]
    assert numbers[1] == ["02/my_step core", "4", "2", "0", "2", "0", "2"]
    assert numbers[2] == ["02/p further", "2", "2", "2", "0", "0", "4"]
    for bar in table.select(".bar"):
        widths = re.findall(r"flex-grow: (\d+)", str(bar))
        assert sum(map(int, widths)) == 10


def test_points_are_counted_in_whole_numbers(page_of):
    half = ExerciseResult("02/my_step", "WRONG", 2.5, 4)
    page = page_of([record("s01"), record("s02", exercises=(half,)), record("s03")])
    counts, labels = rows(page.select_one("table.histogram"))
    assert labels == [str(n) for n in range(12)]
    assert counts == ["0", "0", "1", *["0"] * 8, "2"]
    assert "11 to be had; median 11" in text(page.select_one("table.histogram"))


def test_many_points_share_columns(page_of):
    big = ExerciseResult("02/p", "RIGHT", 200, 200)
    page = page_of([record("s01", exercises=(big,))])
    counts, labels = rows(page.select_one("table.histogram"))
    assert len(labels) <= 21 and labels[0] == "0–9" and labels[-1] == "200"
    assert counts[-1] == "1"


def test_mistakes_are_sentences_the_most_frequent_first(page_of):
    wrong = ("RIGHT", "WRONG", "RIGHT")
    known = [record(f"s{i}", outcomes=wrong, mistake="summed") for i in range(3)]
    unknown = [record("s7", outcomes=wrong), record("s8", outcomes=wrong)]
    page = page_of([*unknown, *known, record("s9")])
    first, second = section(page, "mistakes").select("ul.entries > li")
    assert text(first.p) == f"3 of 6 ( 02/my_step ): {CAUSE} summed"
    assert [text(each) for each in first.select("details li")] == ["s0", "s1", "s2"]
    assert text(second.p) == (
        "2 of 6 ( 02/my_step ): WRONG, but none of the mistakes that this check knows."
    )
    assert [text(each) for each in second.select("details li")] == ["s7", "s8"]


def listed(part, heading=None):
    """Sentence, summary and names of each entry below a heading of a part."""
    if heading:
        part = part.find("h3", string=heading).parent
    return [
        (
            text(each.p),
            text(each.summary),
            [text(one) for one in each.select(".who li")],
        )
        for each in part.select("ul.entries > li")
    ]


def test_flags_and_reasons_name_student_and_notebook(page_of):
    page = page_of(a_class(6))
    look = section(page, "look")
    at_stake = "1 submission, 0 points at stake"
    sentence = "The cell a-fix uses eval"
    odd = (sentence, f"{at_stake} : {sentence}", ["s003 02"])
    assert listed(look, "Code that no exercise needs") == [odd]
    formal = ("A tag is gone.", f"{at_stake} : A tag is gone.", ["s003 02"])
    assert listed(look, "Formalities") == [formal]
    assert "never an accusation" in text(look)
    reason = "The file is no notebook."
    (refused,) = listed(section(page, "refused"))
    assert refused == (
        reason,
        f"1 submission, 0 points not run : {reason}",
        ["s004 02"],
    )


def test_suspicions_stand_before_equal_answers_and_formalities(page_of):
    large = {"02/my_step": "50:3:aa:bb"}
    facts = {"answers": large, "flags": ("late",), "suspicions": ("uses eval",)}
    page = page_of([record("s1", **facts), record("s2", **facts)])
    headings = [text(each) for each in section(page, "look")("h3")]
    assert headings == ["Code that no exercise needs", "Equal answers", "Formalities"]
    assert "need a look 2 of 2" in text(section(page, "graded"))


def test_the_most_points_at_stake_stand_first(page_of):
    look = {"flags": ("A tag is gone.",)}
    few = record("s01", ("RIGHT", "WRONG", "WRONG"), **look)
    others = [record("s02", **look), record("s03", ("WRONG",), flags=("late",))]
    most, least = listed(section(page_of([few, *others]), "look"))
    assert most[1:] == (
        "2 submissions, 14 points at stake : A tag is gone.",
        ["s02 02", "s01 02"],
    )
    assert least == ("Late", "1 submission, 0 points at stake : Late", ["s03 02"])
    cut = record("s04", ("RIGHT", NOT_RUN, NOT_RUN), reasons=("It was stopped.",))
    ((_, summary, _),) = listed(section(page_of([cut]), "refused"))
    assert summary.startswith("1 submission, 8 points not run")


@pytest.mark.parametrize(
    ("sentences", "kind", "details"),
    [
        (
            [
                "the course's cell my_step-check was edited and was put back",
                "the course's cell code-01 was edited and was put back",
            ],
            "The course's cell … was edited and was put back",
            ["my_step-check", "code-01"],
        ),
        (
            [
                "handed in 2 times; the last, a b.ipynb, counts",
                "handed in 3 times; the last, c.ipynb, counts",
            ],
            "Handed in … times; the last, …, counts",
            ["2, a b.ipynb", "3, c.ipynb"],
        ),
        (
            [
                "the check of 02/my_step ran without the answer",
                "the check of 02/p ran without the answer",
            ],
            "The check of … ran without the answer",
            ["02/my_step", "02/p"],
        ),
        (
            [
                "the course's cell code-01 was edited: what you add belongs elsewhere",
                "the course's cell code-02 was edited: what you add belongs elsewhere",
            ],
            "The course's cell … was edited: what you add belongs elsewhere",
            ["code-01", "code-02"],
        ),
        (
            [
                "the course's cell code-01 stands behind my_p-fix, as they stand",
                "the course's cell code-01 stands behind my_step-fix, as they stand",
            ],
            "The course's cell code-01 stands behind …, as they stand",
            ["my_p-fix", "my_step-fix"],
        ),
        (
            ["the cell a-fix uses eval", "the cell b-fix uses eval"],
            "The cell … uses eval",
            ["a-fix", "b-fix"],
        ),
    ],
)
def test_sentences_that_differ_in_a_name_are_one_entry(
    page_of, sentences, kind, details
):
    page = page_of([record(f"s{n}", flags=(t,)) for n, t in enumerate(sentences)])
    ((sentence, _, names),) = listed(section(page, "look"))
    assert sentence == kind
    assert names == [f"s{n} 02 {each}".strip() for n, each in enumerate(details)]


def test_sentences_that_name_other_tools_are_not(page_of):
    page = page_of(
        [record(suspicions=("the cell a-fix uses eval", "the cell a-fix imports sys"))]
    )
    assert len(listed(section(page, "look"))) == 2


def test_equal_answers_are_one_entry_for_the_same_students(page_of):
    mine = {"02/my_step": "30:4:aa:bb", "02/p": "20:1:{}:dd"}
    other = {"01/my_x": "60:4:aa:bb", "01/my_y": "4:0:cc:dd"}
    page = page_of(
        [
            record("s1", answers={k: v.format("e1") for k, v in mine.items()}),
            record("s2", answers={k: v.format("e2") for k, v in mine.items()}),
            *(record(s, notebook="01_small", answers=other) for s in ("s1", "s2")),
            record("s3", answers={"02/my_step": "30:4:ff:ff"}),
        ]
    )
    ((sentence, summary, names),) = listed(section(page, "look"))
    assert sentence == (
        "Equal answers: 01/my_x, 02/my_step, 02/p. Only the names differ in 02/p."
    )
    assert summary.startswith("4 submissions, 16 points at stake")
    assert names == ["s1 01", "s1 02", "s2 01", "s2 02"]


def test_answers_equal_to_the_solution_are_called_so(page_of):
    answers = solution(course_places(), NOTEBOOK)
    page = page_of([record("s1"), record("s2", answers=answers)])
    ((sentence, _, names),) = listed(section(page, "look"))
    assert sentence.startswith("Equal to the course's solution: 02/my_alike_step, ")
    assert sentence.endswith("The names match as well.") and names == ["s2 02"]


def outside(exercise="02/my_step", points=4.0, outcome="RIGHT", **facts):
    return Misplaced(exercise, 31, "after its check", outcome, points, **facts)


WRONG_STEP = ("RIGHT", "WRONG", "RIGHT")


def test_an_answer_outside_its_place_has_its_command(page_of):
    page = page_of([record("s 1", WRONG_STEP, misplaced=(outside(),))])
    part = section(page, "outside")
    (item,) = part.select("ul.entries > li")
    assert text(item.p) == (
        "s 1 : 02/my_step is defined in code cell 31, after its check. "
        "That version was not graded; it would be RIGHT: 4 points."
    )
    assert item.pre.get_text() == f"course mark 's 1' {NOTEBOOK} my_step --points 4"
    assert part.details is None  # one command needs no list of all
    assert "answers outside their place 1" in text(section(page, "graded"))


def test_all_commands_stand_together_one_for_each_exercise(page_of):
    two = (outside(points=1.0), outside(points=2.5), outside("02/p", 1.0))
    several = [
        record("s1", ("RIGHT", "WRONG", "WRONG"), misplaced=two),
        record("-x", WRONG_STEP, misplaced=(outside(),)),
        record("a\u202eb\n; rm -r x", WRONG_STEP, misplaced=(outside(),)),
    ]
    part = section(page_of(several), "outside")
    assert part.details.pre.get_text().split("\n") == [
        f"course mark --points 4 -- -x {NOTEBOOK} my_step",
        f"course mark s1 {NOTEBOOK} my_step --points 2.5",
        f"course mark s1 {NOTEBOOK} p --points 1",
    ]
    assert "give the points in Formgrader" in text(part)


def test_commands_are_what_the_command_line_reads(page_of):
    name = "o'neil $(x) `y`"
    page = page_of([record(name, WRONG_STEP, misplaced=(outside(),))])
    words = shlex.split(section(page, "outside").pre.get_text())
    assert words == [*("course", "mark", name, NOTEBOOK, "my_step"), "--points", "4"]


def test_what_counts_already_is_said_and_what_changes_nothing_is_counted(page_of):
    several = [
        record("s1", misplaced=(outside(counts=True),)),
        record("s2", misplaced=(outside(),)),  # has the points by now
        record("s3", WRONG_STEP, misplaced=(outside(points=0.0, outcome="WRONG"),)),
    ]
    part = section(page_of(several), "outside")
    assert text(part.summary) == "1 counted by itself"
    (item,) = part.select("ul.entries > li")
    assert text(item.p).endswith(
        "after its check. That version counts: RIGHT, 4 points."
    )
    assert "2 more would change no points." in text(part)
    assert part.pre is None
    assert "None." in text(section(page_of([record()]), "outside"))


def test_everybodys_points_stand_by_exercise(page_of):
    page = page_of(a_class(2))
    table = section(page, "points").table
    head, *some = rows(table)
    names = ["my_first_drift", "my_step", "p"]
    assert head == ["student", "core of 7", "further of 4", *names]
    assert some == [
        ["s000", "7", "4", "● RIGHT 3", "● RIGHT 4", "● RIGHT 4"],
        ["s001", "3", "0", "● RIGHT 3", "▲ WRONG 0", "■ CRASHED 0"],
    ]
    assert "open" in section(page, "points").details.attrs
    assert "open" not in section(page_of(a_class(200)), "points").details.attrs


def test_a_name_leads_to_the_students_own_graded_notebook(page_of, tmp_path):
    places = Places(tmp_path)
    graded = places.feedback("ä b", NOTEBOOK)
    graded.parent.mkdir(parents=True)
    graded.write_text("", encoding="utf-8")
    facts = {"flags": ("A tag is gone.",), "reasons": ("It was cut.",)}
    facts |= {"suspicions": ("uses eval",), "misplaced": (outside(),)}
    held = HeldBack("ä b", NOTEBOOK, "x.ipynb", "2 files: take one out.")
    waiting = frozenset({("ä b", NOTEBOOK)})
    page = page_of(
        [record("ä b", WRONG_STEP, **facts), record("s2")],
        places,
        Unsettled((held,), waiting),
    )
    parts = ("held", "waiting", "look", "outside", "refused")
    for part in (*parts, "points", "mistakes", "time"):
        links = [a["href"] for a in section(page, part)("a")]
        assert links and all(
            (tmp_path / unquote(link)).samefile(graded) for link in links
        )
    names = [each for each in page("bdi") if each.get_text() == "ä b"]
    assert all(each.parent.name == "a" for each in names)


def test_the_slowest_five(page_of):
    timed = [
        record(f"s{i}", execution_seconds=i, wall_seconds=100.0 * i) for i in range(9)
    ]
    part = section(page_of(timed), "time")
    assert "ran for 36.0 s in sum" in text(part)
    assert "took 1 h 0 min in sum" in text(part)
    slowest = rows(part.table)[1:]
    assert [row[0] for row in slowest] == ["s8", "s7", "s6", "s5", "s4"]
    assert slowest[0][2:] == ["8.0 s", "13 min 20 s"]


HELD = (
    HeldBack("", NOTEBOOK, "x.ipynb", "Its name does not tell whose it is: rename it."),
    HeldBack("a?b", "", "a?b.zip", "It is damaged or no zip: ask for a new archive."),
    HeldBack("s01", "01_seen_twice_or_never", "s01/1, s01/2", "2 files: take one out."),
)


@pytest.mark.parametrize("graded", [0, 6])
def test_what_is_held_back_stands_first(page_of, graded):
    page = page_of(a_class(graded), unsettled=Unsettled(HELD))
    first = page.main.find("section")
    assert first["aria-labelledby"] == "held" and "not 0" in text(first)
    title = "02 Other weights on four devices than on one"
    assert [row[:2] for row in rows(first.table)[1:]] == [
        ["not known", title],
        ["a?b", "not known"],
        ["s01", "01 Which GPU gets which rows?"],
    ]
    for each, row in zip(HELD, rows(first.table)[1:], strict=True):
        assert row[2] == f"{each.reason} {each.origin}"
    names = [each["aria-labelledby"] for each in page.main("section")]
    assert names[0] == "held" and (not graded or names.index("look") > 0)
    assert bool(page.find("a", href="#held")) == bool(graded)
    if graded:
        assert "held back, not graded 3" in text(section(page, "graded"))


def test_nothing_held_back_needs_no_section(page_of):
    page = page_of(a_class(6))
    assert section(page, "held") is None and "held back" not in text(page)


def test_what_waits_is_said(page_of):
    waiting = frozenset({("s98", NOTEBOOK), ("s99", NOTEBOOK)})
    failed = frozenset({("s99", NOTEBOOK)})
    page = page_of(a_class(6), unsettled=Unsettled((), waiting, failed))
    assert rows(section(page, "waiting").table)[1:] == [
        ["s98", TITLE, "the run was stopped before it"],
        ["s99", TITLE, "a machine failed, or was too busy for a verdict"],
    ]
    assert page.main.find("section")["aria-labelledby"] == "waiting"


def test_late_and_repeated_submissions_need_a_look(page_of):
    notes = ("handed in late, says Canvas", "handed in 3 times; the last, x, counts")
    page = page_of([record(flags=notes)])
    assert [each[0] for each in listed(section(page, "look"))] == [
        "Handed in late, says Canvas",
        "Handed in 3 times; the last, x, counts",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0.0 s"), (59.94, "59.9 s"), (59.96, "1 min 0 s"), (3599.6, "1 h 0 min")],
)
def test_durations(seconds, said):
    assert duration(seconds) == said


def test_full_core_leaves_further_exercises_out():
    assert full_core(record(outcomes=("RIGHT", "RIGHT", "WRONG")))
    assert not full_core(record(outcomes=("RIGHT", "WRONG", "RIGHT")))
    assert not full_core(record(exercises=()))


def test_a_large_class_has_a_small_page(tmp_path):
    path = tmp_path / "report.html"
    write_report(a_class(1400), path, course_places(), WRITTEN)
    print(f"{path.stat().st_size / 1400:.0f} bytes for each submission")
    assert path.stat().st_size < 1400 * 450


def test_the_order_of_records_does_not_matter(page_of):
    assert str(page_of(a_class(20))) == str(page_of(a_class(20)[::-1]))


def test_without_records_it_says_what_to_do(page_of):
    assert "Nothing was graded yet" in text(page_of([]))


def test_titles_may_be_missing(page_of, tmp_path):
    assert text(page_of([record()], Places(tmp_path)).h3) == NOTEBOOK


def test_a_half_character_costs_nothing(page_of):
    page = page_of([record(flags=("a \ud800 half",))])
    assert "A ? half" in text(section(page, "look"))


def test_it_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("the old one")
    broken = replace(record(), wall_seconds=None)
    with pytest.raises(TypeError):
        write_report([record(), broken], path, course_places())
    assert path.read_text() == "the old one"
    assert list(tmp_path.glob("*part*")) == []


def attacked():
    """A submission with markup wherever text of a submission can stand."""
    exercise = ExerciseResult(ATTACK, "WRONG", 0, 4, True, ATTACK, ATTACK)
    facts = {"flags": (ATTACK, f"{ATTACK} 1"), "reasons": (ATTACK,)}
    facts |= {"suspicions": (ATTACK,), "answers": {ATTACK: "90:3:aa:bb"}}
    facts["misplaced"] = tuple(
        Misplaced(ATTACK, 3, ATTACK, ATTACK, 3.0, counts) for counts in (True, False)
    )
    some = {"exercises": (exercise,), "notebook": ATTACK, **facts}
    return [record(ATTACK, **some), record(f"{ATTACK}2", **some), record()]


def test_what_a_submission_says_is_text(page_of):
    page = page_of(attacked(), unsettled=Unsettled((HeldBack(*[ATTACK] * 4),)))
    tags = {tag.name for tag in page.find_all()}
    assert not tags & {"img", "iframe", "link", "object", "base", "form"}
    (script,) = page("script")
    assert script.get_text() == FILTER.read_text(encoding="utf-8") and not script.attrs
    digest = base64.b64encode(hashlib.sha256(script.get_text().encode()).digest())
    policy = page.find("meta", attrs={"http-equiv": True})["content"]
    assert f"script-src 'sha256-{digest.decode()}'" in policy
    assert ATTACK in page.get_text()
    assert {tag["href"][0] for tag in page("a")} == {"#"}
    assert not re.search(r"url\(|@import", str(page.style))
    assert not [
        name for tag in page.find_all() for name in tag.attrs if name[:2] == "on"
    ]


def test_tables_have_captions_and_scopes(page_of):
    page = page_of(a_class(12), unsettled=Unsettled(HELD))
    assert all(table.caption for table in page("table"))
    assert all(head.get("scope") in ("col", "row") for head in page("th"))
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {tag["href"][1:] for tag in page("a")} <= set(ids)


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def tab(chromium):
    tab = chromium.new_page()
    tab.set_default_timeout(30_000)
    yield tab
    tab.close()


@in_browser
@pytest.mark.parametrize("guarded", [True, False], ids=["as it is", "escaping alone"])
def test_nothing_in_it_runs_or_is_fetched(tab, page_of, tmp_path, guarded):
    page_of(attacked())
    path = tmp_path / "report.html"
    if not guarded:
        policy = '<meta http-equiv="Content-Security-Policy"'
        assert policy in path.read_text()
        path.write_text(path.read_text().replace(policy, "<meta name=policy"))
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(path.as_uri())
    assert tab.evaluate("window.ran") is None
    assert asked == [path.as_uri()]


@in_browser
@pytest.mark.parametrize(
    ("n", "width", "theme"),
    [
        (0, 1366, "light"),
        (1, 400, "dark"),
        (24, 1366, "dark"),
        (200, 1366, "light"),
        (200, 400, "dark"),
    ],
)
def test_axe_finds_no_fault(tab, page_of, tmp_path, n, width, theme):
    rest = Unsettled(HELD * (n == 24), frozenset({("s99", NOTEBOOK)}))
    several = (outside(), outside("02/p"), outside(counts=True))
    more = [record(s, WRONG_STEP, misplaced=several) for s in ("s97", "s98")]
    page_of([*a_class(n), *(attacked() + more if n == 24 else [])], unsettled=rest)
    tab.emulate_media(color_scheme=theme)
    tab.set_viewport_size({"width": width, "height": 768})
    tab.goto((tmp_path / "report.html").as_uri())
    tab.evaluate(
        "document.querySelectorAll('details').forEach(each => each.open = true)"
    )
    found = Axe().run(tab).response
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}
    assert [
        (rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]
    ] == []
    assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def shown(tab):
    """All names of students that can be seen, once each."""
    names = tab.locator("bdi:visible").all_inner_texts()
    return sorted({each for each in names if re.fullmatch(r"s\d+", each)})


@in_browser
def test_a_field_shows_one_student_in_all_lists(tab, page_of, tmp_path):
    page_of(a_class(30), unsettled=Unsettled(HELD))
    tab.goto((tmp_path / "report.html").as_uri())
    folds = "[...document.querySelectorAll('details')].map(each => each.open)"
    before, everyone = tab.evaluate(folds), shown(tab)
    field = tab.get_by_role("search").get_by_label("Show only students whose name")
    tab.keyboard.press("Tab")
    assert field.evaluate("each => each === document.activeElement")
    tab.keyboard.type("S003")
    assert tab.get_by_role("status").inner_text() == "1 of 32 students"
    assert shown(tab) == ["s003"]
    assert tab.locator("#mistakes ~ ul > li:visible").count() == 1
    assert tab.locator("#look ~ .holder:visible").count() == 2
    assert tab.locator("[aria-labelledby=held] tbody tr:visible").count() == 1
    tab.keyboard.type("x")
    assert tab.get_by_role("status").inner_text() == "0 of 32 students"
    assert shown(tab) == []
    field.fill("")
    assert tab.get_by_role("status").inner_text() == ""
    assert (tab.evaluate(folds), shown(tab)) == (before, everyone)


@in_browser
def test_without_a_script_the_page_is_whole_and_has_no_field(
    chromium, page_of, tmp_path
):
    page_of(a_class(6))
    tab = chromium.new_page(java_script_enabled=False)
    tab.goto((tmp_path / "report.html").as_uri())
    assert not tab.get_by_label("Show only students").is_visible()
    assert shown(tab) == [f"s00{n}" for n in range(6)]
    tab.close()


@in_browser
def test_it_prints_black_on_white(tab, page_of, tmp_path):
    page_of(a_class(6))
    tab.emulate_media(color_scheme="dark", media="print")
    tab.goto((tmp_path / "report.html").as_uri())
    style = "getComputedStyle(document.body)"
    assert tab.evaluate(f"{style}.backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate(f"{style}.color") == "rgb(0, 0, 0)"
