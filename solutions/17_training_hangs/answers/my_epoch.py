"""Answers to 17/my_epoch, right and wrong, and what the check says of each."""

import sys
import threading
from itertools import chain, repeat

from autograder.answers import crashed, right, wrong


@right
def endless_rows(batches, no_rows, step, sum_over_workers):
    """After its own batches come empty ones; counted are rows."""
    for x, y in chain(batches, repeat(no_rows)):
        if sum_over_workers(len(x)) == 0:
            break
        step(x, y)


@right
def exception(batches, no_rows, step, sum_over_workers):
    """StopIteration is caught instead of a default."""
    batches = iter(batches)
    while True:
        try:
            batch, have = next(batches), 1
        except StopIteration:
            batch, have = no_rows, 0
        if not sum_over_workers(have):
            return
        step(*batch)


@right
def epoch_list(batches, no_rows, step, sum_over_workers):
    """All batches in a list first, and asked before every step."""
    own = list(batches)
    k = 0
    while sum_over_workers(1 if k < len(own) else 0):
        step(*(own[k] if k < len(own) else no_rows))
        k += 1


@right
def steps_agreed(batches, no_rows, step, sum_over_workers):
    """First agree on the largest number of steps, by counting up."""
    own = list(batches)
    steps = 0
    while sum_over_workers(float(len(own) > steps)):
        steps += 1
    for k in range(steps):
        x, y = own[k] if k < len(own) else no_rows
        step(x, y)


@right
def two_loops(batches, no_rows, step, sum_over_workers):
    """One loop with rows, one without; both ask before the step."""
    for x, y in batches:
        sum_over_workers(1)
        step(x, y)
    while sum_over_workers(0) > 0:
        step(*no_rows)


@wrong
def asked_once(batches, no_rows, step, sum_over_workers):
    """Asked once, at the start."""
    most = sum_over_workers(1)
    for x, y in batches:
        step(x, y)
    if most < 0:
        step(*no_rows)


@crashed
def endless(batches, no_rows, step, sum_over_workers):
    """The loop has no end."""
    batches = iter(batches)
    while True:
        step(*next(batches, no_rows))


@wrong("own_steps_only")
def enumerated(batches, no_rows, step, sum_over_workers):
    """The shipped code, in other words."""
    for batch in batches:
        step(batch[0], batch[1])


@crashed
def error_on_one(batches, no_rows, step, sum_over_workers):
    """Who has few rows stops with an error."""
    own = list(batches)
    if len(own) < 3:
        raise ValueError("too few rows")
    for x, y in own:
        step(x, y)


@crashed
def exits(batches, no_rows, step, sum_over_workers):
    """Who has no more rows leaves the program."""
    for x, y in batches:
        step(x, y)
    sys.exit()


@wrong("leaves_when_it_has_none")
def leaves(batches, no_rows, step, sum_over_workers):
    """Asks, and leaves without rows."""
    batches = iter(batches)
    while True:
        batch = next(batches, None)
        if sum_over_workers(batch is not None) == 0 or batch is None:
            break
        step(*batch)


@crashed
def length(batches, no_rows, step, sum_over_workers):
    """A dataset of unknown length is asked for it."""
    for _ in range(int(sum_over_workers(len(batches)))):
        step(*no_rows)


@crashed
def loop_in_python(batches, no_rows, step, sum_over_workers):
    """A loop of its own that never ends."""
    while True:
        pass


@wrong("step_without_rows")
def right_and_one_more(batches, no_rows, step, sum_over_workers):
    """A right loop, and then one step without rows."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        step(*(no_rows if batch is None else batch))
        batch = next(batches, None)
    step(*no_rows)


@wrong
def waits(batches, no_rows, step, sum_over_workers):
    """A barrier of its own, in Python: nobody else knows of it."""
    threading.Barrier(2).wait()
    for x, y in batches:
        step(x, y)
