"""What this notebook draws: which replica got which row in which step."""

import pytest
from picture_rules import can_be_read, picture_tests

from course.lessons.n01_seen_twice_or_never.blocks import blocks_grid
from course.lessons.n01_seen_twice_or_never.epochs import Epoch
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid
from course.lessons.n01_seen_twice_or_never.playing import KNOBS, draw, feed, told
from course.pictures.parts import parts_at


def epoch(label, steps, rows, batch):
    return Epoch(label, rows, batch, tuple(tuple(map(tuple, step)) for step in steps))


def cut(rows, batch):
    return [range(rows)[i : i + batch] for i in range(0, rows, batch)]


ALONE = epoch("one device", [[part] for part in cut(22, 8)], 22, 8)
PLAIN = epoch("broken_stages", [[part] * 4 for part in cut(22, 8)], 22, 8)
SHARED = epoch(
    "my_stages",
    [[part[2 * r : 2 * r + 2] for r in range(4)] for part in cut(22, 8)],
    22,
    8,
)
ALONE_ON_TWO = epoch(
    "broken_blocks", [[part[:4], part[4:]] for part in cut(22, 8)], 22, 8
)
TEN = epoch("one device", [[part] for part in cut(10, 4)], 10, 4)
TAIL = epoch("B: next inside run", [cut(10, 4)[:2]], 10, 4)
TWICE = epoch("A: plain batches", [[part] * 2 for part in cut(10, 4)], 10, 4)
MIXED = epoch("own shuffles", [((3, 1), (1, 4)), ((3, 3), (3,))], 10, 4)
EMPTY = epoch("no step", [], 10, 4)
PICTURES = {
    "one grid": lambda: id_grid(TEN, TWICE),
    "grids before and after": lambda: id_grid(ALONE, PLAIN, SHARED),
    "a grid without a step": lambda: id_grid(TEN, EMPTY, MIXED),
    "a tail that is lost": lambda: id_grid(TEN, TAIL),
    "the blocks": lambda: blocks_grid(ALONE, ALONE_ON_TWO),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_grid_says_what_is_repeated_and_what_is_missing():
    words = PICTURES["grids before and after"]().sentence
    assert "broken_stages: all 22 rows seen 4 times" in words
    assert "my_stages: each row once, in the same step as on one device" in words
    words = PICTURES["a tail that is lost"]().sentence
    assert "B: next inside run: rows 8, 9 never seen" in words
    words = PICTURES["a grid without a step"]().sentence
    assert (
        "own shuffles: rows 1, 3 seen up to 4 times, 7 of 10 rows never seen" in words
    )
    assert "no step: all 10 rows never seen" in words


def test_a_cell_says_replica_step_and_row():
    """Pointed at: from 0, and all steps where a row came more than once."""
    says = parts_at(PICTURES["a grid without a step"]().figure, 0)
    assert "one device, step 2: row 8" in says
    assert "replica 0, steps 0, 1: row 3" in says


def test_the_blocks_are_no_other_number_of_steps():
    words = PICTURES["the blocks"]().sentence
    assert words.endswith("wanted: each row once, but not in the step of one device.")


def default(**other):
    return {knob.name: knob.value for knob in KNOBS} | other


def test_the_instrument_begins_with_what_was_predicted(devices):
    now = feed(**default())
    assert draw(now).sentence.endswith("from_function: rows 1, 3, 5, 7, 9 never seen.")
    assert told(now).startswith("10 rows, batch 4, 2 replicas. 1: shard_rows, batch_")
    batches = feed(**{**default(), "pipeline": "2: batch_rows"})
    assert draw(batches).sentence == "2: batch_rows: all 10 rows seen 2 times."
    singly = feed(10, 4, 4, "5: batch_share, distribute")
    assert draw(singly).sentence.endswith(
        "in 10 steps instead of 3, no row for replicas 1, 2, 3."
    )


@pytest.mark.parametrize("pipeline", KNOBS[-1].options)
def test_each_pipeline_can_be_played_and_none_is_right(devices, pipeline):
    rows, batch, replicas, _ = KNOBS
    for count in (rows.low, rows.high):
        for size in batch.options.values():
            for n in replicas.options.values():
                if size % n:
                    with pytest.raises(ValueError, match="no equal shares"):
                        feed(count, size, n, pipeline)
                    continue
                picture = draw(feed(count, size, n, pipeline))
                can_be_read(picture)
                assert picture.sentence.startswith(f"{pipeline}: ")
    assert "in the same step" not in draw(feed(**default(pipeline=pipeline))).sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs on the same 22 rows"):
        id_grid(ALONE, TWICE)
