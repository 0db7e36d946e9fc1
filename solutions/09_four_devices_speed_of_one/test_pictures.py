"""This notebook's instrument: what the switches do, and what it draws of that."""

import pytest
from picture_rules import picture_tests

from course.lessons.n09_four_devices_speed_of_one.loop_film import loop_film, summary
from course.lessons.n09_four_devices_speed_of_one.switched_loop import (
    HOST,
    IN_THE_LOOP,
    MADE_ONCE,
    NO_GRAPH,
    Lines,
    LoopRun,
    run_lines,
)
from course.pictures.parts import parts_at
from course.runs.spans import Span, Timeline

pytestmark = pytest.mark.usefixtures("devices")
LANES = (HOST, *(f"replica {r}" for r in range(4)))


def as_if_run(lines, apart, graph=0.0, slow=1.0):
    """Three steps, in each of which the replicas begin `apart` after each other."""
    spans, now = [], 0.0

    def add(lane, seconds, kind, step, begin=None):
        begin = now if begin is None else begin
        spans.append(Span(lane, begin, begin + slow * seconds, str(step), kind))
        return spans[-1].end

    for step in range(3):
        now = add(HOST, 0.03, "prepares", step)
        if graph:
            now = add(HOST, graph, "traces", step)
        call, end = now, now
        for r in range(4):
            end = add(LANES[r + 1], 0.06, "works", step, call + 0.002 + r * apart)
        spans.append(Span(HOST, call, end + 0.003, str(step), "calls"))
        now = add(HOST, 0.0005, "reads", step, end + 0.003)
    spans.append(Span(HOST, now, now + 0.001, "the end", "reads"))
    spans.sort(key=lambda span: span.begin)
    run = Timeline(str(lines), LANES, tuple(spans))
    return LoopRun(lines, run, 3 if graph else 0, 3, 0)


IN_TURN = as_if_run(Lines(reads=True, new_rate=True), 0.061)
AT_ONCE = as_if_run(Lines(MADE_ONCE, reads=True, new_rate=True), 0.0005, graph=0.1)
SLOW = as_if_run(Lines(IN_THE_LOOP, *[True] * 6), 0.2, graph=0.4, slow=3)

PICTURES = {
    "in turn": lambda: loop_film(IN_TURN),
    "at once, after in turn": lambda: loop_film(AT_ONCE, IN_TURN),
    "in turn, after at once": lambda: loop_film(IN_TURN, AT_ONCE),
    "after a slow one": lambda: loop_film(AT_ONCE, SLOW),
    "all lines, slow": lambda: loop_film(SLOW, AT_ONCE),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_moment_says_who_does_what():
    picture = PICTURES["in turn"]()
    (at,) = (k for k, m in enumerate(picture.moments) if m == "at 0.15 s")
    assert picture.said[at] == "At 0.15 s: the host is in the call; replica 2 works."
    says = parts_at(picture.figure, at)
    assert "replica 1 works, step 0: 0.09 to 0.15 s" in says
    assert "replica 2 works, step 0: 0.15 to 0.21 s, not over yet" in says
    assert not any(each.startswith("replica 3") for each in says)
    assert picture.said[-1] == summary(IN_TURN)


@pytest.mark.parametrize(
    ("lines", "at_once", "traces", "reads", "printed"),
    [
        (Lines(reads=True, new_rate=True), 1, 0, 3, 0),
        (Lines(prints=True), 1, 0, 0, 12),
        (Lines(MADE_ONCE, prints=True, tf_prints=True), 4, 1, 0, 4),
        (Lines(MADE_ONCE, reads=True), 4, 1, 3, 0),
        (Lines(MADE_ONCE, new_rate=True), 4, 3, 0, 0),
        (Lines(IN_THE_LOOP), 4, 3, 0, 0),
        (Lines(MADE_ONCE, checks=True), 1, 1, 0, 0),
        (Lines(IN_THE_LOOP, *[True] * 6), 1, 3, 3, 12),
    ],
)
@pytest.mark.prove
def test_what_each_switch_does(lines, at_once, traces, reads, printed):
    run = run_lines(lines)
    assert (run.traces, run.reads, run.printed) == (traces, reads, printed)
    works = [span for span in run.timeline.spans if span.kind == "works"]
    assert len(works) == 12
    if at_once == 1:
        assert run.at_once == 1
    else:
        assert run.at_once > 1  # a busy machine may begin one late


@pytest.mark.prove
def test_where_calls_return_at_once_only_a_read_waits_for_the_step():
    def done_in_the_loop(reads):
        spans = run_lines(Lines(MADE_ONCE, reads=reads, ahead=True)).timeline.spans
        (end,) = (span.begin for span in spans if span.name == "the end")
        return sum(span.kind == "works" and span.end <= end for span in spans)

    assert done_in_the_loop(True) == 12
    assert done_in_the_loop(False) < 12


def test_no_line_is_told_without_a_graph():
    assert str(Lines(NO_GRAPH)) == "tf.function: none"
