"""Answers to 14/my_first_wrong, right and wrong, and what the check says of each."""

from collections import Counter
from itertools import zip_longest

import numpy as np
import tensorflow as tf

from autograder.answers import changed, right, wrong


@right
def counters(make, rows, batch, seed, workers):
    """Counts of each step, compared both ways."""

    def ids(dataset):
        return [ids.numpy().tolist() for ids, _, _ in dataset]

    one = ids(rows.shuffle(len(rows), seed=seed).batch(batch))
    own = [
        ids(
            make(
                tf.distribute.InputContext(
                    num_input_pipelines=workers,
                    input_pipeline_id=worker,
                    num_replicas_in_sync=workers,
                ),
                rows,
                batch,
                seed,
            )
        )
        for worker in range(workers)
    ]
    for step, (wanted, *came) in enumerate(zip_longest(one, *own, fillvalue=[])):
        wanted, came = Counter(wanted), Counter(row for ids in came for row in ids)
        wrong = (came - wanted) + (wanted - came)
        if wrong:
            return step, min(wrong)
    return None


@right
def table(make, rows, batch, seed, workers):
    """A table of counts, step x row: what workers read, less what one device reads."""
    n = len(rows)
    counts = np.zeros((2 * n * workers, n), int)
    for step, (ids, _, _) in enumerate(rows.shuffle(n, seed=seed).batch(batch)):
        np.add.at(counts[step], ids.numpy(), -1)
    for worker in range(workers):
        context = tf.distribute.InputContext(workers, worker, workers)
        for step, (ids, _, _) in enumerate(make(context, rows, batch, seed)):
            np.add.at(counts[step], ids.numpy(), 1)
    steps, wrong = np.nonzero(counts)
    return (int(steps[0]), int(wrong[0])) if len(steps) else None


@wrong("one_worker")
def one_worker_sorted(make, rows, batch, seed, workers):
    """The shipped code, written otherwise."""
    one = rows.shuffle(len(rows), seed=seed).batch(batch)
    mine = make(tf.distribute.InputContext(workers, 0, workers), rows, batch, seed)
    for step, (wanted, came) in enumerate(zip(one, mine, strict=False)):
        for row in sorted(came[0].numpy()):
            if row not in wanted[0].numpy():
                return step, row
    return None


@wrong("until_one_ends")
@changed(counters, ("zip_longest(one, *own, fillvalue=[])", "zip(one, *own)"))
def shortest():
    """The shortest dataset ends the comparison."""


@wrong("too_many_only")
@changed(counters, ("(came - wanted) + (wanted - came)", "came - wanted"))
def extra():
    """Only rows that are too many."""


@wrong("missing_only")
@changed(counters, ("(came - wanted) + (wanted - came)", "wanted - came"))
def missing():
    """Only rows that are missing."""


@wrong("largest_row")
@changed(counters, ("min(wrong)", "max(wrong)"))
def largest():
    """The largest row of the step."""


@wrong
@changed(counters, ("return step, min(wrong)", "return min(wrong)"))
def row_only():
    """Only the row."""
