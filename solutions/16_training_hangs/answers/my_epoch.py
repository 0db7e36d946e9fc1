"""Answers to 16/my_epoch, right and wrong, and what the check says of each."""

import sys
import threading
from itertools import chain, repeat

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


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


@wrong("from_the_start_again")
def again(batches, no_rows, step, sum_over_workers):
    """From the start again, until all have ended."""
    own = list(batches)
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k % len(own)] if own else no_rows))
        k += 1


@wrong("step_without_rows")
def asked_after(batches, no_rows, step, sum_over_workers):
    """Asked after the step whether it had rows."""
    batches = iter(batches)
    left = True
    while left:
        batch = next(batches, None)
        step(*(no_rows if batch is None else batch))
        left = sum_over_workers(batch is not None) > 0


@wrong("asked_at_the_end_only")
@changed(two_loops, ("sum_over_workers(1)", ""))
def asked_at_the_end():
    """Only who has ended asks."""


@wrong
def asked_once(batches, no_rows, step, sum_over_workers):
    """Asked once, at the start."""
    most = sum_over_workers(1)
    for x, y in batches:
        step(x, y)
    if most < 0:
        step(*no_rows)


@wrong("leaves_when_it_has_none")
def asked_once_more(batches, no_rows, step, sum_over_workers):
    """Asks with each batch, and once more at the end."""
    for x, y in batches:
        sum_over_workers(1)
        step(x, y)
    sum_over_workers(0)


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


@wrong("first_batch_again")
def first_again(batches, no_rows, step, sum_over_workers):
    """The first batch again."""
    own = list(batches)
    spare = own[0] if own else no_rows
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k] if k < len(own) else spare))
        k += 1


@wrong("small_batches_dropped")
def full_only(batches, no_rows, step, sum_over_workers):
    """Only full batches."""
    own = list(batches)
    size = max((len(x) for x, _ in own), default=0)
    own = [(x, y) for x, y in own if len(x) == size]
    k = 0
    while sum_over_workers(k < len(own)) > 0:
        step(*(own[k] if k < len(own) else no_rows))
        k += 1


@wrong("last_batch_again")
def last_again(batches, no_rows, step, sum_over_workers):
    """The last batch again."""
    batches = iter(batches)
    last = no_rows
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        last = last if batch is None else batch
        step(*last)
        batch = next(batches, None)


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


@wrong("mean_of_steps")
def mean(batches, no_rows, step, sum_over_workers):
    """The mean number of steps."""
    own = list(batches)
    workers = sum_over_workers(1)
    for k in range(int(sum_over_workers(len(own)) / workers)):
        step(*(own[k] if k < len(own) else no_rows))


@wrong("no_step")
def nothing(batches, no_rows, step, sum_over_workers):
    """Nothing is done."""
    pass


@wrong("one_step_more")
def one_more(batches, no_rows, step, sum_over_workers):
    """One empty step at the end."""
    for x, y in batches:
        step(x, y)
    step(*no_rows)


@wrong("one_large_step")
def one_step(batches, no_rows, step, sum_over_workers):
    """All rows at once."""
    own = [no_rows, *batches]
    step(tf.concat([x for x, _ in own], 0), tf.concat([y for _, y in own], 0))


@wrong("step_without_rows")
def right_and_one_more(batches, no_rows, step, sum_over_workers):
    """A right loop, and then one step without rows."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        step(*(no_rows if batch is None else batch))
        batch = next(batches, None)
    step(*no_rows)


@wrong("step_left_out")
def step_left_out(batches, no_rows, step, sum_over_workers):
    """Asked, but without rows the step is left out."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        if batch is not None:
            step(*batch)
        batch = next(batches, None)


@wrong("sum_of_steps")
def epoch_sum(batches, no_rows, step, sum_over_workers):
    """The sum of all steps."""
    own = list(batches)
    for k in range(int(sum_over_workers(len(own)))):
        step(*(own[k] if k < len(own) else no_rows))


@wrong("until_less_than_two")
def two_workers(batches, no_rows, step, sum_over_workers):
    """Two workers are taken for granted."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) >= 2:
        step(*(batch or no_rows))
        batch = next(batches, None)


@wrong("until_one_ends")
def until_one_ends(batches, no_rows, step, sum_over_workers):
    """All stop with the shortest."""
    workers = sum_over_workers(1)
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) == workers:
        step(*batch)
        batch = next(batches, None)


@wrong
def waits(batches, no_rows, step, sum_over_workers):
    """A barrier of its own, in Python: nobody else knows of it."""
    threading.Barrier(2).wait()
    for x, y in batches:
        step(x, y)


@wrong("row_of_zeros")
def zeros(batches, no_rows, step, sum_over_workers):
    """A row of zeros stands for nothing."""
    batches = iter(batches)
    batch = next(batches, None)
    while sum_over_workers(batch is not None) > 0:
        step(*(batch or (tf.zeros((1, 2)), tf.zeros(1))))
        batch = next(batches, None)
