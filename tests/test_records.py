"""The graders are graded: all that answers gave is judged again, at every run."""

import os
from pathlib import Path

import pytest
import tensorflow as tf
from card_rules import faults_in

from autograder.answers.reading import answer_files
from autograder.places import course_places
from autograder.proof.command import name_of, recorders, run_again
from autograder.proof.known import known_answers, short_name
from autograder.proof.recording import AnswerFile, bench_of, misjudged, verdict_line
from autograder.proof.sample import drawn

PLACES = course_places(Path(__file__).resolve().parent.parent)
FILES = {name_of(path): path for path in answer_files(PLACES)}


def test_the_records_are_of_this_python():
    """Elsewhere they are judged as they are; only CI must have the same."""
    path = FILES["00/my_spread"]
    file = AnswerFile(PLACES, path, bench_of(PLACES, path))
    if not file.of_this_python and not os.environ.get("CI"):
        pytest.skip(f"recorded with Python {file.stored.python}: judged as they are")
    assert file.of_this_python


@pytest.mark.parametrize("name", FILES)
def test_each_answer_has_a_record_with_the_verdict_it_is_known_for(devices, name):
    tf.random.set_seed(7)  # as some judged before it may leave it: it must not matter
    path = FILES[name]
    file = AnswerFile(PLACES, path, bench_of(PLACES, path))
    stale = file.stale()
    lines = [f"{name}/{each}: {why}" for each, why in stale.items()]
    lines += [f"{name}/{each}: its answer is gone" for each in file.left_over()]
    if lines:
        lines.append(f"Run: course record {name.replace('/', ' ')}")
    for answer in file.answers:
        if short_name(answer) in stale:
            continue
        stored = file.records[short_name(answer)]
        verdicts = file.verdicts(stored.observations)
        wrong = misjudged(answer, verdicts)
        if not wrong and verdict_line(verdicts) != stored.verdict:
            wrong = [f"{answer}: the index says {stored.verdict}; delete the records"]
        lines += wrong
        lines += {
            f"{answer}: {fault}"
            for verdict in verdicts.values()
            for fault in faults_in(verdict.outcome, verdict.message)
        }
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
