"""Wrong answers to 18/my_train: each is the mistake of its name."""

from course.checks.exercises import wrong_answers


def _halves(sizes, gradient):
    """Yield (rows, rows of the first half, both halves) of each batch, queued."""
    for k, rows in enumerate(sizes):
        half = rows // 2
        yield rows, half, (gradient(k, 0, half), gradient(k, half, rows))


def two_steps_at_once(sizes, gradient, update):
    """Two workers compute two steps on the same weights, and the second of them is
    written as if it had seen the first. Both must work at the same step.
    """
    for k in range(0, len(sizes), 2):
        pair = [gradient(i, 0, sizes[i]) for i in range(k, min(k + 2, len(sizes)))]
        for one in pair:
            update(one.fetch())


def two_batches_averaged(sizes, gradient, update):
    """The gradients of two batches make one step. One device makes two, the second of
    them on other weights.
    """
    for k in range(0, len(sizes), 2):
        one, other = gradient(k, 0, sizes[k]), gradient(k + 1, 0, sizes[k + 1])
        update((one.fetch() + other.fetch()) / 2)


def one_at_a_time(sizes, gradient, update):
    """Each gradient is fetched before the next one is in the queue, so that one worker
    computes and the other waits. The weights are right.
    """
    for k, rows in enumerate(sizes):
        update(gradient(k, 0, rows).fetch())


def plain_mean(sizes, gradient, update):
    """The two gradients count alike. They are means over different numbers of rows: the
    larger part has to count more.
    """
    for _, _, (one, other) in _halves(sizes, gradient):
        update((one.fetch() + other.fetch()) / 2)


def both_whole(sizes, gradient, update):
    """Both gradients are applied whole, as a sum or one after the other: that is a step
    of twice the length. Each is the mean of its own part.
    """
    for _, _, (one, other) in _halves(sizes, gradient):
        update(one.fetch())
        update(other.fetch())


def weights_swapped(sizes, gradient, update):
    """Each gradient counts with the rows of the other part."""
    for rows, half, (one, other) in _halves(sizes, gradient):
        update(((rows - half) * one.fetch() + half * other.fetch()) / rows)


def not_divided(sizes, gradient, update):
    """The gradients are sums over rows: nobody divides by the number of rows."""
    for rows, half, (one, other) in _halves(sizes, gradient):
        update(half * one.fetch() + (rows - half) * other.fetch())


def last_row_lost(sizes, gradient, update):
    """Where the number of rows is odd, the last row is in neither part."""
    for k, rows in enumerate(sizes):
        half = rows // 2
        one, other = gradient(k, 0, half), gradient(k, half, 2 * half)
        update((one.fetch() + other.fetch()) / 2)


def last_taken_along(sizes, gradient, update):
    """The last row of each part is left out: `last` is the row after the last."""
    for k, rows in enumerate(sizes):
        half = rows // 2
        one, other = gradient(k, 0, half - 1), gradient(k, half, rows - 1)
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)


def half_lost(sizes, gradient, update):
    """Only the first part is applied; what the other worker computed is lost."""
    for _, _, (one, _) in _halves(sizes, gradient):
        update(one.fetch())


def same_half_twice(sizes, gradient, update):
    """Both workers compute the same rows, those at the beginning."""
    for k, rows in enumerate(sizes):
        one, _ = gradient(k, 0, rows // 2), gradient(k, 0, rows // 2)
        update(one.fetch())


def one_step_late(sizes, gradient, update):
    """A step is queued before the step before it is written: its gradient comes from
    weights that are one step old.
    """
    before = None
    for rows, half, (one, other) in _halves(sizes, gradient):
        if before is not None:
            update(before)
        before = (half * one.fetch() + (rows - half) * other.fetch()) / rows
    update(before)


def all_queued_first(sizes, gradient, update):
    """All is queued before the first update, so that each gradient comes from the
    weights of the beginning.
    """
    for rows, half, (one, other) in list(_halves(sizes, gradient)):
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)


def half_after_half(sizes, gradient, update):
    """The second part is computed after the update with the first: on other weights,
    and while the first worker waits.
    """
    for k, rows in enumerate(sizes):
        half = rows // 2
        update(half / rows * gradient(k, 0, half).fetch())
        update((rows - half) / rows * gradient(k, half, rows).fetch())


def one_row_and_the_rest(sizes, gradient, update):
    """One worker gets one row and the other all the rest, so that one of them waits
    nearly all the time. The weights are right.
    """
    for k, rows in enumerate(sizes):
        one, other = gradient(k, 0, 1), gradient(k, 1, rows)
        update((one.fetch() + (rows - 1) * other.fetch()) / rows)


def each_computes_all(sizes, gradient, update):
    """Each worker computes the whole batch: both are busy, and nothing is gained. The
    weights are right.
    """
    for k, rows in enumerate(sizes):
        one, other = gradient(k, 0, rows), gradient(k, 0, rows)
        update((one.fetch() + other.fetch()) / 2)


def last_step_left_out(sizes, gradient, update):
    """The last batch is left out."""
    for rows, half, (one, other) in _halves(sizes[:-1], gradient):
        update((half * one.fetch() + (rows - half) * other.fetch()) / rows)


def no_update(sizes, gradient, update):
    """No step is written: update is never called."""
    for _ in _halves(sizes, gradient):
        pass


MISTAKES = wrong_answers(__name__)
