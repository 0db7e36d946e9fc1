"""Wrong answers to 12/my_epochs: names are codes, docstrings causes."""

from __future__ import annotations

from course.checks.exercises import wrong_answers


def _epoch(batches, step, steps):
    return [step(next(batches)) for _ in range(steps)]


def _mean(results):
    return sum(float(loss) for loss, _ in results) / len(results)


def both_kept(dataset, step, epochs, steps):
    """The iterator and the outputs of each epoch stay: lists hold them until the
    function returns.
    """
    batches, results = [], []
    for _ in range(epochs):
        batches.append(iter(dataset))
        results.append(_epoch(batches[-1], step, steps))
    return [_mean(each) for each in results]


def iterators_kept(dataset, step, epochs, steps):
    """The iterator of each epoch is kept, and with it the batches that it has read
    ahead and nobody took.
    """
    kept, means = [], []
    for _ in range(epochs):
        kept.append(iter(dataset))
        means.append(_mean(_epoch(kept[-1], step, steps)))
    return means


def outputs_kept(dataset, step, epochs, steps):
    """The outputs of the steps are kept beside the losses. A list of what a step
    returns holds all of it.
    """
    results = [_epoch(iter(dataset), step, steps) for _ in range(epochs)]
    return [_mean(each) for each in results]


def one_iterator(dataset, step, epochs, steps):
    """One iterator goes through all epochs: nothing grows, and each epoch goes on where
    the one before stopped. In the shipped function each begins with the first batch.
    """
    batches = iter(dataset)
    return [_mean(_epoch(batches, step, steps)) for _ in range(epochs)]


def last_loss(dataset, step, epochs, steps):
    """The last loss of each epoch is returned, and not the mean of its losses."""
    return [float(_epoch(iter(dataset), step, steps)[-1][0]) for _ in range(epochs)]


def mean_so_far(dataset, step, epochs, steps):
    """The mean goes over all epochs so far: total and number must begin anew with each
    of them.
    """
    means, total, count = [], 0.0, 0
    for _ in range(epochs):
        total += steps * _mean(_epoch(iter(dataset), step, steps))
        count += steps
        means.append(total / count)
    return means


def sums(dataset, step, epochs, steps):
    """The sum of the losses is returned, and not their mean."""
    return [steps * _mean(_epoch(iter(dataset), step, steps)) for _ in range(epochs)]


MISTAKES = wrong_answers(__name__)
