"""What this notebook draws: how much memory a step takes, and where it fails."""

from dataclasses import replace

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n12_out_of_memory.epoch_curve import epoch_curve
from course.lessons.n12_out_of_memory.epoch_memory import EpochMemory
from course.lessons.n12_out_of_memory.memory_curve import memory_curve
from course.lessons.n12_out_of_memory.memory_film import memory_film
from course.lessons.n12_out_of_memory.memory_limit import StepMemory
from course.pictures.parts import parts_at


def step_memory(label, rows, limit=None, layers=None, gradients=(1.0, 2.0), size=15):
    """A step that takes two blocks for each layer and gives back one of them."""
    used, names = [], []
    for k in range(layers or 8):
        share = size * rows / 60_000
        used += [(k + 1) * share, (k + 2) * share, (k + 1) * share]
        names += [f"layer {k + 1}: {what}" for what in ("matmul", "tanh", "freed")]
    backward = () if layers else range(8, 0, -1)
    used += [k * size * rows / 60_000 for k in backward]
    names += [f"layer {k}: backward" for k in backward]
    failed = {"asked": size, "held": used[-1], "error": "ResourceExhaustedError: OOM"}
    found = {"gradients": np.array(gradients, np.float32)}
    return StepMemory(
        label,
        limit,
        tuple(names),
        (rows,) * len(used),
        tuple(used),
        **(failed if layers else found),
    )


WHOLE = step_memory("broken_gradients", 60_000)
FAILS = step_memory("broken_gradients", 60_000, 80, 5)
FITS = step_memory("my_gradients", 16_000, 80)
AT_ONCE = StepMemory("my_gradients", 80, (), (), (), 300.0, 0.0, "MemoryError: no")
CLIMBS = EpochMemory("broken_epochs", tuple(22.0 * k for k in range(8)), (0.3,) * 8)
STAYS = EpochMemory("my_epochs", (0.0, *[13.0] * 7), (0.3,) * 8)
PICTURES = {
    "memory that grows": lambda: epoch_curve(CLIMBS),
    "memory that grows, and that does not": lambda: epoch_curve(CLIMBS, STAYS),
    "out of memory": lambda: memory_curve(WHOLE, FAILS),
    "out of memory, then fits": lambda: memory_curve(WHOLE, FAILS, FITS),
    "out of memory twice": lambda: memory_curve(WHOLE, FAILS, FAILS),
    "fails before the first layer": lambda: memory_curve(WHOLE, FAILS, AT_ONCE),
    "fits, other gradients": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 16_000, 80, gradients=(1.0, 9.0))
    ),
    "fits, no gradients": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 16_000, 80, gradients=())
    ),
    "fails late": lambda: memory_curve(
        WHOLE, FAILS, step_memory("my_gradients", 60_000, 80, 8)
    ),
}


def several_calls():
    """A step of four calls."""
    one = step_memory("my_gradients", 16_000, 80)
    return replace(one, names=4 * one.names, rows=4 * one.rows, used=4 * one.used)


PICTURES |= {
    "a film of a step": lambda: memory_film(WHOLE),
    "a film that stops": lambda: memory_film(FAILS, WHOLE),
    "a film of four calls": lambda: memory_film(several_calls(), FAILS),
    "a film without a moment": lambda: memory_film(AT_ONCE),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_where_memory_ended():
    words = PICTURES["out of memory, then fits"]().sentence
    assert (
        "broken_gradients stops at layer 6, matmul: 75.0 MB are in use and 15.0 MB "
        "more are asked for, 10.0 MB over the limit of 80." in words
    )
    assert "up to 16,000 rows at a time take 36.0 MB, and the limit is 80." in words
    assert "equal those of all rows at once (largest difference 0e+00)" in words
    assert "off by up to 7" in PICTURES["fits, other gradients"]().sentence
    assert "not one finite gradient" in PICTURES["fits, no gradients"]().sentence


def test_amounts_that_are_printed_are_over_the_limit():
    over = replace(FAILS, held=65.26, asked=14.8)
    said = "65.3 MB are in use and 14.8 MB more are asked for, 0.1 MB over the limit"
    assert said in memory_film(over).sentence
    # an operation that had taken some memory for itself: how much is not known
    assert "over the limit" not in memory_film(replace(FAILS, held=65.0)).sentence


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs with a limit, not 0"):
        memory_curve(WHOLE)
    with pytest.raises(ValueError, match="one of them has none"):
        memory_curve(WHOLE, WHOLE)


def test_a_film_says_what_each_bar_is():
    film = memory_film(FAILS, WHOLE)
    assert film.moments[:2] == ["layer 1: matmul", "layer 1: tanh"]
    assert film.moments[-1] == "stopped"
    assert parts_at(film.figure, 0) == [
        "layer 1, matmul: takes 15.0 MB; 15.0 MB in use"
    ]
    assert "asks for 15.0 MB more" in " ".join(parts_at(film.figure, 15))
    assert "it stops after layer 5" in film.sentence
    assert "it runs to the end" in memory_film(WHOLE).sentence


def test_what_an_epoch_adds_is_said_without_what_the_first_ones_fill():
    assert "broken_epochs: +22 MB with every epoch" in epoch_curve(CLIMBS).sentence
    assert "my_epochs: +0 MB with every epoch" in epoch_curve(CLIMBS, STAYS).sentence


def test_runs_without_an_epoch_are_refused():
    with pytest.raises(ValueError, match="one or two runs with epochs"):
        epoch_curve(EpochMemory("my_epochs", (), ()))
