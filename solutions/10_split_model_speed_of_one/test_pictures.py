"""This notebook's instrument: what its knobs do, and what it draws of that."""

import pytest
from picture_rules import picture_tests

from course.lessons.n10_split_model_speed_of_one import playing
from course.lessons.n10_split_model_speed_of_one.pipeline import (
    Pipeline,
    PipelineRun,
    in_micro_batches,
)
from course.lessons.n10_split_model_speed_of_one.pipeline_film import (
    pipeline_film,
    told,
)
from course.pictures.parts import parts_at
from course.runs.spans import Span, Timeline

pytestmark = pytest.mark.usefixtures("devices")
ROWS = 16


def as_if_run(pipeline):
    """A run without any delay: each direction in M + p - 1 turns, or all back on 0."""
    p, micro = pipeline.stages, pipeline.micro
    turn, about, back = 0.048 / micro, {}, (micro + p - 1) * 0.048 / micro
    for m in range(micro):
        for s in range(p):
            name = str(m) if micro > 1 else ""
            forth = Span(
                f"CPU:{s}", (m + s) * turn, (m + s + 1) * turn, name, "forward"
            )
            begin = back + (m + p - 1 - s) * turn
            lane = f"CPU:{s}"
            if not pipeline.pinned:
                begin, lane = back + (m * p + p - 1 - s) * turn, "CPU:0"
            again = Span(lane, begin, begin + turn, name, "backward")
            about[forth] = about[again] = s, ROWS // micro
    lanes = tuple(f"CPU:{s}" for s in range(p))
    spans = tuple(sorted(about, key=lambda span: span.begin))
    return PipelineRun(pipeline, Timeline("", lanes, spans), about)


ONE, FOUR, EIGHT = (as_if_run(Pipeline(4, m)) for m in (1, 4, 8))
UNPINNED = as_if_run(Pipeline(4, 8, None, False, "CPU:1"))

PICTURES = {
    "one batch": lambda: pipeline_film(ONE),
    "four, after one": lambda: pipeline_film(FOUR, ONE),
    "eight, after all on one device": lambda: pipeline_film(EIGHT, UNPINNED),
    "all on one device, after four": lambda: pipeline_film(UNPINNED, FOUR),
    "two stages": lambda: pipeline_film(as_if_run(Pipeline(2, 8, 1)), ONE),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_part_says_what_it_is():
    picture = PICTURES["four, after one"]()
    says = parts_at(picture.figure, len(picture.moments) - 1)
    assert "CPU:2: stage 2 backward, micro-batch 1 (4 rows), 108 to 120 ms" in says
    assert "nothing to do for 36 ms" in says
    assert "the run before (4 stages, one batch) ended here, after 0.38 s" in says
    assert "idle for 43% of the time" in picture.sentence
    assert told(FOUR) == "4 stages, 4 micro-batches: 43% idle, 0.17 s"


def test_the_learners_own_step_is_named():
    def my_pipeline_grads(stages, x, y, micro):
        return in_micro_batches(stages, x, y, micro)

    now = playing.run(2, 2, playing.EQUAL, playing.OWN, my_pipeline_grads)
    assert told(now).startswith("my_pipeline_grads, 2 stages, 2 micro-batches: ")


def test_a_moment_says_who_works():
    picture = PICTURES["four, after one"]()
    assert picture.said[2] == (
        "At 0.02 s: stage 0 forward (2), stage 1 forward (1), stage 2 forward (0)."
    )


@pytest.mark.prove
@pytest.mark.parametrize(
    ("stages", "micro", "slow", "backward"),
    [
        (4, 1, playing.EQUAL, playing.OWN),
        (2, 8, 1, playing.OWN),
        (3, 4, playing.EQUAL, playing.NONE),
        (4, 2, 1, "CPU:1"),
    ],
)
def test_the_instrument_answers_at_the_ends_of_its_knobs(stages, micro, slow, backward):
    now = playing.run(stages, micro, slow, backward, in_micro_batches)
    spans = now.timeline.spans
    assert len(spans) == 2 * stages * micro and set(now.about) == set(spans)
    assert all(rows == ROWS // micro for _, rows in now.about.values())
    ran = {span.lane for span in spans if span.kind == "backward"}
    own = {f"CPU:{s}" for s in range(stages)}
    wanted = {playing.OWN: own, playing.NONE: {"CPU:0"}}
    assert ran == wanted.get(backward, {backward})
    for span in spans:
        twice = 1 + (now.about[span][0] == slow)
        assert span.end - span.begin >= 0.99 * 0.003 * twice * ROWS / micro
    assert len(pipeline_film(now).rows) == len(spans)
