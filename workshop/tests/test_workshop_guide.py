"""docs/workshop.md: its minutes add up, and it asks without telling the answer."""

import re
import shutil
import tomllib
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import nbformat
import pytest
from checkout import ROOT

from autograder import guide
from autograder.places import CourseError, course_places
from autograder.source import read_source
from course.checks.declared import causes, find_prediction
from course.checks.questions import TickTable

PLACES = course_places()
SOURCES = {each[:2]: read_source(PLACES.source(each)) for each in PLACES.names()}
PAGE = (PLACES.docs / "workshop.md").read_text(encoding="utf-8")
ROOMS = {
    number: tomllib.loads(each.path.with_name("guide.toml").read_text("utf-8"))
    for number, each in SOURCES.items()
}
ASKED = [number for number, about in ROOMS.items() if "question" not in about]
# bold, and no button of ours
OF_OTHERS = {"Learners", "You", "Nbgrader > Assignment List"}
LETTER = re.compile(r"\*\*([A-D])\*\*")


def section(number):
    """One section of the page, without its heading."""
    return re.split(r"^## .*$", PAGE, flags=re.M)[number]


def rows(text):
    """The cells of a table's rows, without its head."""
    lines = re.findall(r"^\| (.*) \|$", text, re.M)
    return [re.split(r" ?(?<!\\)\| ?", line) for line in lines[1:]]


def number_in(cell):
    found = re.match(r"\[(\d\d)", cell)
    return found and found[1]


def days():
    """The timetables: heading -> rows and the sentence below them."""
    parts = re.split(r"^### (.*)$", section(2), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def minutes_between(clocks):
    times = [datetime.strptime(clock, "%H:%M") for clock in clocks]
    return [(b - a).seconds // 60 for a, b in pairwise(times)]


@pytest.mark.parametrize("day", days())
def test_a_timetable_adds_up_to_the_minutes_in_the_headers(day):
    lines = rows(days()[day])
    spans = minutes_between([line[0] for line in lines])
    assert lines[0][0] == "09:00" and lines[-1][1] == "End"
    votes = 0
    for line, span in zip(lines, spans, strict=False):
        _, text, minutes, vote, further = line
        assert int(minutes) + int(vote or 0) == span > 0, line
        votes += int(vote or 0)
        if number := number_in(text):
            header = SOURCES[number].header
            assert int(minutes) == header.core
            assert further == " + ".join(map(str, header.further))
            assert bool(vote) == (number in ASKED)
    assert f"\n{sum(spans)} minutes, {votes} of them for votes.\n" in days()[day]


def test_the_days_have_the_notebooks_they_should():
    half, first, second = (
        [n for line in rows(text) if (n := number_in(line[1]))]
        for text in days().values()
    )
    assert half == [n for n, about in ROOMS.items() if about.get("half_day")]
    assert first == [n for n, each in SOURCES.items() if each.header.part < 3]
    assert [*first, *second] == list(SOURCES)


def test_the_practice_has_failures_of_notebooks_that_came_before():
    plans = pytest.importorskip("course.lessons.n21_mystery_jobs.plans")
    (part,) = re.findall(r"\| Two jobs .* `release --practice (\d)` \|", section(2))
    before = [number_in(line[1]) for line in rows(days()["Half a day"])]
    for plan in plans.draw_plans(1, (int(part),), 2):  # 1 is the command's own seed
        assert plan.names and plan.names <= set(before)


def test_each_notebook_has_its_question_and_a_wrong_answer():
    found = rows(section(3))
    assert [number_in(row[0]) for row in found] == list(SOURCES)
    for (_, question, wrong, ask), number in zip(found, SOURCES, strict=True):
        assert ask.endswith("?") and not LETTER.search(ask)
        if number not in ASKED:
            continue
        prediction = find_prediction(number)
        assert question == prediction.question
        if not isinstance(prediction, TickTable):
            (letter,) = LETTER.findall(wrong)
            assert letter != prediction.answer
            assert prediction.options[letter].text in wrong


def test_no_answer_stands_where_the_room_is_asked():
    text = section(3)
    for number in ASKED:
        prediction = find_prediction(number)
        if not isinstance(prediction, TickTable):
            right = prediction.options[prediction.answer]
            assert right.text not in text and right.comment not in text
    assert not re.search(r"(?i)\b(answer|option)s? (is )?[A-D]\b", text)


@pytest.mark.parametrize("number", SOURCES)
def test_what_is_said_has_no_code_that_the_learner_does_not_see(number):
    name = SOURCES[number].name
    seen, solved = (
        "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        for path in (PLACES.learner(name), PLACES.solution(name))
    )
    lines = [line.strip() for line in solved.splitlines() if len(line.strip()) > 12]
    for row in [*rows(section(3)), *rows(section(4))]:
        if number_in(row[0]) == number:
            for span in re.findall(r"`([^`]+)`", row[-1]):
                assert span in seen, span
            assert not [line for line in lines if line not in seen and line in row[-1]]


def test_each_notebook_has_two_or_three_places_with_the_lessons_own_words():
    found = rows(section(4))
    numbers = [number_in(row[0]) for row in found]
    assert numbers == sorted(numbers)
    assert {numbers.count(number) for number in SOURCES} <= {2, 3}
    for where, cause, say in found:
        assert "?" in say
        if exercise := re.search(r"`(my_\w+)`$", where):
            known = causes(f"{number_in(where)}/{exercise[1]}")
            assert cause in map(guide._cell, known.values())


def in_copies(folder):
    """All sources, in rooms of a folder that hold a copy of their guide.toml."""
    for source in SOURCES.values():
        room = folder / source.name
        room.mkdir()
        shutil.copy(source.path.with_name("guide.toml"), room)
        yield replace(source, path=room / source.path.name)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('wrong = "A"', 'wrong = "C"', "'C' is no wrong answer"),
        ('wrong = "A"', 'wrong = "E"', "'E' is no wrong answer"),
        ("np.random: new", "tf.random: new", "is no wrong tick"),
        ('"against_copy_0"', '"against_copy_9"', "no mistake 'against_copy_9'"),
        ('"my_spread"', '"my_spraed"', "did you mean 00/my_spread"),
        ("question =", "vote =", "guide.toml lacks question of notebook"),
        ("ask =", "ask", "guide.toml is no TOML"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, old, new, words):
    sources = list(in_copies(tmp_path))
    for file in sorted(tmp_path.glob("*/guide.toml")):
        text = file.read_text(encoding="utf-8")
        if old in text:  # in the first of the rooms that has it
            file.write_text(text.replace(old, new, 1), encoding="utf-8")
            break
    with pytest.raises(CourseError, match=words):
        guide.render_guide(PLACES, sources)


def test_a_room_comes_and_goes_with_its_lines(tmp_path):
    first, *others = in_copies(tmp_path)
    assert first.name in PAGE and first.name not in guide.render_guide(PLACES, others)
    first.path.with_name("guide.toml").unlink()
    with pytest.raises(CourseError, match="lacks wrong, ask, stuck of notebook"):
        guide.render_guide(PLACES, [first, *others])


def test_commands_options_and_pages_are_there():
    from typer.main import get_command

    from autograder.cli import app

    commands = get_command(app).commands
    of_workshop = commands["workshop"].commands
    named = set(re.findall(r"course workshop (\w+)", PAGE))
    assert named == of_workshop.keys()
    assert set(re.findall(r"`?course (\w+)", section(2))) <= commands.keys()
    known = {
        name
        for command in of_workshop.values()
        for each in command.params
        for name in each.opts
    }
    known |= {name for each in commands["mark"].params for name in each.opts}
    assert set(re.findall(r"(--[a-z-]+)", PAGE)) <= known
    scripts = [*(ROOT / "workshop").glob("room/static/*.js")]
    scripts += (ROOT / "workshop" / "inside").rglob("remoteEntry.js")
    pages = [ROOT / "workshop" / "room" / "templates" / "day.html"]
    shown = "".join(each.read_text() for each in [*scripts, *pages])
    stopped = re.search(r"\*\*You stopped .*?\*\*(.*?)^- ", section(6), re.M | re.S)[1]
    text = section(5).split("**While the")[0] + stopped
    for button in set(re.findall(r"\*\*([A-Z][^*:]+)\*\*", text)) - OF_OTHERS:
        assert f'"{button}"' in shown or f">{button}<" in shown, button
    room = (ROOT / "workshop" / "room" / "static" / "vote.js").read_text()
    for button in re.findall(r"\*\*([^*]+)\*\*", section(5).split("**A vote**")[1]):
        assert f'"{button}"' in room


def test_what_the_page_says_of_passwords_and_printing():
    accounts = pytest.importorskip("workshop.accounts")
    pages = pytest.importorskip("workshop.account_pages")
    assert (pages.TRIES, pages.WAIT_SECONDS) == (5, 60)
    pages = [path for path, _ in accounts.NativeAuthenticator.get_handlers(None, None)]
    assert {"/signup", "/authorize", "/change-password/([^/]+)"} <= set(pages)
    said = ("command.py", "disk.py")
    command = "".join((ROOT / "workshop" / each).read_text() for each in said)
    (printed,) = re.findall(r"```\n(The workshop runs.*?)```", PAGE, re.S)
    for line in printed.splitlines():
        begin = re.match(r"`.*`|[^:`,]*", line)[0]
        begin = line.removeprefix(begin) if begin.startswith("`") else begin
        assert begin.split(" teacher")[0] in command
