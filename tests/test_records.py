"""The graders are graded: all that answers gave is judged again, at every run."""

import os
from pathlib import Path

import pytest

from autograder.answers.reading import answer_files
from autograder.places import course_places
from autograder.proof.command import name_of, recorders, run_again
from autograder.proof.recording import (
    Room,
    bench_of,
    known_answers,
    misjudged,
    short_name,
    told,
)
from autograder.proof.sample import drawn

PLACES = course_places(Path(__file__).resolve().parent.parent)
FILES = {name_of(path): path for path in answer_files(PLACES)}


def test_the_records_are_of_this_python():
    """Elsewhere they are judged as they are; only CI must have the same."""
    room = Room(PLACES, path := FILES["00/my_spread"], bench_of(PLACES, path))
    if not room.of_this_python and not os.environ.get("CI"):
        pytest.skip(f"recorded with Python {room.kept.python}: judged as they are")
    assert room.of_this_python


@pytest.mark.parametrize("name", FILES)
def test_each_answer_has_a_record_with_the_verdict_it_is_known_for(devices, name):
    path = FILES[name]
    room = Room(PLACES, path, bench_of(PLACES, path))
    stale = room.stale()
    lines = [f"{name}/{each}: {why}" for each, why in stale.items()]
    lines += [f"{name}/{each}: its answer is gone" for each in room.left_over()]
    if lines:
        lines.append(f"Run: course record {name.replace('/', ' ')}")
    for answer in room.answers:
        if short_name(answer) not in stale:
            entry = room.kept.entries[short_name(answer)]
            verdicts = room.judged(entry.seen)
            wrong = misjudged(answer, verdicts)
            if not wrong and told(verdicts) != entry.verdict:
                wrong = f"{answer}: the index says {entry.verdict}. Run: course record"
            lines += [wrong] if wrong else []
    assert not lines, "\n".join(lines)  # whole: pytest cuts a list


@pytest.fixture(scope="session")
def pool():
    with recorders(1) as pool:
        yield pool


@pytest.mark.prove
@pytest.mark.parametrize("name", FILES)
def test_an_answer_that_runs_again_gives_what_was_recorded(pool, name):
    """Some of all; the commit draws which, or `make prove ALL=1` takes every one."""
    path = FILES[name]
    names = [short_name(each) for each in known_answers(PLACES, path)]
    some = [each for each in names if drawn(f"{name}/{each}")]
    lines = pool.submit(run_again, PLACES, path, some).result() if some else []
    assert not lines, "\n".join(lines)
