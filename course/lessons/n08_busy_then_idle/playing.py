"""This notebook's instrument: which part of an input pipeline waits for which?"""

from __future__ import annotations

from dataclasses import replace

import tensorflow as tf

from course.checks.failures import sentences_of
from course.lessons.n08_busy_then_idle.busy_lanes import DECODE, busy_lanes
from course.lessons.n08_busy_then_idle.input_pipeline import (
    LANES,
    READERS,
    STEP,
    Make,
    Read,
    Workers,
    reading,
    tell_steps,
)
from course.lessons.n08_busy_then_idle.one_core import on_one_core
from course.pictures.picture import Picture
from course.runs.spans import SpanRecorder, Timeline
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

ELEMENTS = 8
SLOW = 2  # the element whose read takes longer, where one does
PLAYED_LANES = (*LANES[:-1], DECODE, LANES[-1])
READS = {  # seconds: of a read, and of that of element SLOW
    "20 ms": (0.02, 0.02),
    "60 ms": (0.06, 0.06),
    "60 ms, one 200 ms": (0.06, 0.2),
}
KNOBS, MINE = "as the knobs say", "my_dataset"
AHEAD = {"nothing": 0, "what TensorFlow adds": -1, "prefetch(4)": 4}


def who_waits_for_whom() -> None:
    """Show the instrument."""
    instrument(
        [
            Slider("calls", "num_parallel_calls", 1, READERS, READERS),
            Choice("cores", "cores", {str(n): n for n in (1, 2, 4)}, 1),
            Choice("reads", "a read", {name: name for name in READS}, "60 ms"),
            Choice("decode", "then decode", {"no": 0, "40 ms": 40}, 0),
            Choice("ahead", "read ahead", AHEAD, AHEAD["prefetch(4)"]),
            Choice("kept", "order", {"kept": True, "free": False}, True),
            Choice("make", "dataset", {KNOBS: KNOBS}, KNOBS, mine="08/my_dataset"),
        ],
        run,
        picture,
        tell,
        idle=idle_knobs,
    )


def idle_knobs(calls: int, make: Make | str, **others: object) -> dict[str, str]:
    """Return, for each knob that changes nothing now, why it does not."""
    if make != KNOBS:
        why = f"{MINE} decides this itself."
        return {"calls": why, "ahead": why, "kept": why}
    if calls == 1:
        return {"kept": "With one call at a time, the order can't change."}
    return {}


def run(
    calls: int,
    cores: int,
    reads: str,
    decode: int,
    ahead: int,
    kept: bool,
    make: Make | str,
) -> Timeline:
    """Run a step of 20 ms on each of eight elements.

    Args:
        calls: reads that `map` may do at a time.
        cores: by default, a dataset has as many threads as its maker may use cores; so
            many it has here, on any machine.
        reads: one of READS.
        decode: ms of work of one decoder; 0 for none.
        ahead: one of the values of AHEAD.
        kept: whether elements keep their order.
        make: KNOBS, or the learner's own function in place of `calls`, `ahead`, `kept`.

    Raises:
        StepFailed: `make`, or what it returned, stops with an error.
    """
    usual, slow = READS[reads]
    recorder = SpanRecorder()
    readers = Workers(
        recorder, LANES[:-1], "read", lambda i: slow if i == SLOW else usual
    )
    decoder = Workers(recorder, [DECODE], "decode", lambda i: decode / 1000)
    read, decoded = reading(readers), reading(decoder)

    def by_knobs(read: Read, n: int) -> tf.data.Dataset:
        numbers = tf.data.Dataset.range(n)
        several = calls if calls > 1 else None
        return numbers.map(read, several, deterministic=kept if several else None)

    mine = make != KNOBS
    make_dataset = make if mine else by_knobs

    def steps() -> bool:
        dataset = make_dataset(read, ELEMENTS)
        if decode:
            dataset = dataset.map(decoded)
        dataset = dataset.with_options(_options(cores, -1 if mine else ahead))
        if ahead > 0 and not mine:
            dataset = dataset.prefetch(ahead)
        for nth, element in enumerate(dataset):
            if nth == 3 * ELEMENTS:  # it may have no end
                break
            recorder.wait("step", STEP, str(int(element)), "step")
        return True

    with sentences_of(make_dataset):
        on_one_core(steps)
    label = _label(calls, cores, reads, decode, mine)
    if not mine:
        label += ", nothing ahead" * (ahead == 0) + ", order free" * (not kept)
    return recorder.timeline(label, PLAYED_LANES)


def picture(now: Timeline, before: Timeline | None) -> Picture:
    """Draw the run, and the one before it beside."""
    runs = [replace(now, label=_short(now))]
    if before is not None and before is not now:
        runs.insert(0, replace(before, label=f"before: {_short(before)}"))
    return busy_lanes(*runs)


def _short(run: Timeline) -> str:
    """The label without what only the line of the run has room for."""
    return ", ".join(run.label.split(", ")[:3]).replace(MINE, "mine")


def tell(now: Timeline) -> str:
    """Say in one line how long an element took."""
    return f"{now.label}: {tell_steps(now)}"


def _label(calls: int, cores: int, reads: str, decode: int, mine: bool) -> str:
    what = MINE if mine else f"{calls} call{'s' * (calls > 1)}"
    usual, slow = (round(1000 * seconds) for seconds in READS[reads])
    read = str(usual) if slow == usual else f"{usual} (one {slow})"
    more = f" + {decode}" if decode else ""
    return f"{what}, {cores} core{'s' * (cores > 1)}, {read}{more} ms"


def _options(cores: int, ahead: int) -> tf.data.Options:
    options = tf.data.Options()
    if cores > 1:
        options.threading.private_threadpool_size = cores
    if ahead == 0:
        options.experimental_optimization.apply_default_optimizations = False
    return options
