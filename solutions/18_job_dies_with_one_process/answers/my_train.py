"""Answers to 18/my_train, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def halves(sizes, gradient, update):
    """Two halves, weighted by their rows."""
    for k, rows in enumerate(sizes):
        half = rows // 2
        one, other = gradient(k, 0, half), gradient(k, half, rows)
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)


@right
def larger_first(sizes, gradient, update):
    """The larger half first; fetched the other way round; with TensorFlow."""
    for k in range(len(sizes)):
        first = -(-sizes[k] // 2)
        pair = [gradient(k, 0, first), gradient(k, first, sizes[k])]
        second, one = pair[1].fetch(), pair[0].fetch()
        share = tf.constant(first / sizes[k], tf.float32)
        update(tf.constant(one) * share + tf.constant(second) * (1 - share))


@right
def two_updates(sizes, gradient, update):
    """Two updates with shares of a step, both computed before the first."""
    for k, rows in enumerate(sizes):
        cuts = [(0, rows // 2), (rows // 2, rows)]
        parts = [gradient(k, *cut) for cut in cuts]
        found = [part.fetch() for part in parts]
        for value, (first, last) in zip(found, cuts, strict=True):
            update(value * (last - first) / rows)


@right
def row_by_row(sizes, gradient, update):
    """A gradient for each row: the queue gives them to the workers."""
    for k, rows in enumerate(sizes):
        parts = [gradient(k, row, row + 1) for row in range(rows)]
        update(np.mean([part.fetch() for part in parts], axis=0))


@wrong("two_steps_at_once")
def all_pairs(sizes, gradient, update):
    """Two steps at once, in another way."""
    waiting = []
    for k, rows in enumerate(sizes):
        waiting.append(gradient(k, 0, rows))
        if len(waiting) == 2:
            for each in waiting:
                update(each.fetch())
            waiting.clear()


@wrong("one_at_a_time")
def whole(sizes, gradient, update):
    """One step after the other."""
    for k, rows in enumerate(sizes):
        update(gradient(k, 0, rows).fetch())


@wrong("one_at_a_time")
@changed(
    halves,
    ("one, other = gradient(k, 0, half), gradient(k, half, rows)", ""),
    ("one.fetch()", "gradient(k, 0, half).fetch()"),
    ("other.fetch()", "gradient(k, half, rows).fetch()"),
)
def fetched_too_early():
    """The first half is fetched before the second is in the queue."""


@wrong("plain_mean")
def mean(sizes, gradient, update):
    """The plain mean."""
    for k, rows in enumerate(sizes):
        one, other = gradient(k, 0, rows // 2), gradient(k, rows // 2, rows)
        update(np.mean([one.fetch(), other.fetch()], axis=0))


@wrong("both_whole")
@changed(mean, ("np.mean", "np.sum"))
def summed():
    """The sum of two means."""


@wrong("weights_swapped")
@changed(
    halves, ("half * one", "(rows - half) * one"), ("+ (rows - half) *", "+ half *")
)
def swapped():
    """The shares are swapped."""


@wrong("not_divided")
@changed(halves, (" / rows)", ")"))
def not_divided():
    """The division is forgotten."""


@wrong("last_row_lost")
@changed(
    mean, ("gradient(k, rows // 2, rows)", "gradient(k, rows // 2, rows // 2 * 2)")
)
def cut():
    """The last row of an odd batch is lost."""


@wrong("half_lost")
@changed(mean, ("[one.fetch(), other.fetch()]", "[one.fetch()]"))
def half():
    """The second half is never fetched."""


@wrong("same_half_twice")
@changed(mean, ("gradient(k, rows // 2, rows)", "gradient(k, 0, rows // 2)"))
def same():
    """Both get the first half."""


@wrong("one_step_late")
def prefetched(sizes, gradient, update):
    """The next step is queued before this one is written."""

    def queue(k):
        half = sizes[k] // 2
        return half, gradient(k, 0, half), gradient(k, half, sizes[k])

    ahead = queue(0)
    for k, rows in enumerate(sizes):
        half, one, other = ahead
        if k + 1 < len(sizes):
            ahead = queue(k + 1)
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)


@wrong("all_queued_first")
def all_first(sizes, gradient, update):
    """All is queued, then all is written."""
    queued = [
        (n // 2, gradient(k, 0, n // 2), n - n // 2, gradient(k, n // 2, n))
        for k, n in enumerate(sizes)
    ]
    for a, one, b, other in queued:
        update((a * one.fetch() + b * other.fetch()) / (a + b))


@wrong("half_after_half")
def one_by_one(sizes, gradient, update):
    """The second half sees the update with the first."""
    for k, rows in enumerate(sizes):
        for a, b in ((0, rows // 2), (rows // 2, rows)):
            update(gradient(k, a, b).fetch() * ((b - a) / rows))


@wrong("one_row_and_the_rest")
@changed(halves, ("half = rows // 2", "half = 1"))
def uneven():
    """One row for the first worker."""


@wrong("each_computes_all")
@changed(
    mean,
    ("gradient(k, 0, rows // 2)", "gradient(k, 0, rows)"),
    ("gradient(k, rows // 2, rows)", "gradient(k, 0, rows)"),
)
def twice():
    """Each worker gets all rows."""


@wrong("last_step_left_out")
@changed(halves, ("enumerate(sizes)", "enumerate(sizes[:-1])"))
def short():
    """The last batch is left out."""


@wrong("no_update")
@changed(halves, ("update(", "print("))
def nothing():
    """Nothing is written."""


@crashed
@changed(mean, ("one.fetch()", "one"), ("other.fetch()", "other"))
def not_fetched():
    """What is queued is taken for a gradient."""


@crashed
@changed(mean, ("enumerate(sizes)", "enumerate([*sizes, 4])"))
def too_far():
    """One batch too many."""


@crashed
def endless(sizes, gradient, update):
    """No end."""
    while True:
        update(gradient(0, 0, sizes[0]).fetch())
