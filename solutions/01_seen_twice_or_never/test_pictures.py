"""What this notebook draws: which replica got which row in which step."""

import pytest
from picture_rules import picture_tests

from course.lessons.n01_seen_twice_or_never.epochs import Epoch
from course.lessons.n01_seen_twice_or_never.id_grid import id_grid, small_id_grids


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
TEN = epoch("one device", [[part] for part in cut(10, 4)], 10, 4)
TAIL = epoch("B: next inside run", [cut(10, 4)[:2]], 10, 4)
TWICE = epoch("A: plain batches", [[part] * 2 for part in cut(10, 4)], 10, 4)
MIXED = epoch("own shuffles", [((3, 1), (1, 4)), ((3, 3), (3,))], 10, 4)
EMPTY = epoch("no step", [], 10, 4)
PICTURES = {
    "one grid": lambda: id_grid(TEN, TWICE),
    "grids before and after": lambda: id_grid(ALONE, PLAIN, SHARED),
    "a grid without a step": lambda: id_grid(TEN, EMPTY, MIXED),
    "small grids": lambda: small_id_grids(TEN, [TWICE, TAIL, MIXED, EMPTY, TWICE]),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_grid_says_what_is_repeated_and_what_is_missing():
    words = PICTURES["grids before and after"]().sentence
    assert "broken_stages: all 22 rows seen 4 times" in words
    assert "my_stages: each row once, in the same step as on one device" in words
    words = PICTURES["small grids"]().sentence
    assert "B: next inside run: rows 8, 9 never seen" in words
    assert (
        "own shuffles: rows 1, 3 seen up to 4 times, 7 of 10 rows never seen" in words
    )
    assert "no step: all 10 rows never seen" in words


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs on the same 22 rows"):
        id_grid(ALONE, TWICE)
    with pytest.raises(ValueError, match="up to five runs on the same 10 rows"):
        small_id_grids(TEN, [])
