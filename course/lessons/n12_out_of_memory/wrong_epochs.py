"""Wrong answers to 12/my_epochs: names are codes, docstrings causes."""

from __future__ import annotations

from course.checks.exercises import wrong_answers


def _epoch(batches, step, steps):
    return [step(next(batches)) for _ in range(steps)]


def _mean(results):
    return sum(float(loss) for loss, _ in results) / len(results)


def both_kept(dataset, step, epochs, steps):
    """The iterator and the outputs of each epoch stay alive: lists hold them until
    the function returns.
    """
    batches, results = [], []
    for _ in range(epochs):
        batches.append(iter(dataset))
        results.append(_epoch(batches[-1], step, steps))
    return [_mean(each) for each in results]


def iterators_kept(dataset, step, epochs, steps):
    """The iterator of each epoch is kept, and with it the batches that it has read
    ahead and no step has taken.
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


def batches_kept(dataset, step, epochs, steps):
    """The batches are kept. Read each one, give it to the step, and forget it."""
    kept, means = [], []
    for _ in range(epochs):
        batches = iter(dataset)
        kept.append([next(batches) for _ in range(steps)])
        means.append(_mean([step(batch) for batch in kept[-1]]))
    return means


def best_outputs_kept(dataset, step, epochs, steps):
    """The outputs of one step of each epoch are kept, such as those of its best step.
    That is slower than to keep all, but it grows as well.
    """
    kept, means = [], []
    for _ in range(epochs):
        results = _epoch(iter(dataset), step, steps)
        kept.append(min(results, key=lambda result: float(result[0])))
        means.append(_mean(results))
    return means


def one_iterator(dataset, step, epochs, steps):
    """One iterator goes through all epochs. Nothing grows, but each epoch goes on where
    the one before stopped. In the shipped function, each begins with the first batch.
    """
    batches = iter(dataset)
    return [_mean(_epoch(batches, step, steps)) for _ in range(epochs)]


def last_loss(dataset, step, epochs, steps):
    """The last loss of each epoch is returned, not the mean of its losses."""
    return [float(_epoch(iter(dataset), step, steps)[-1][0]) for _ in range(epochs)]


def mean_so_far(dataset, step, epochs, steps):
    """The mean is over all epochs so far. Start the total and the count again in each
    epoch.
    """
    means, total, count = [], 0.0, 0
    for _ in range(epochs):
        total += steps * _mean(_epoch(iter(dataset), step, steps))
        count += steps
        means.append(total / count)
    return means


def sums(dataset, step, epochs, steps):
    """The sum of the losses is returned, not their mean."""
    return [steps * _mean(_epoch(iter(dataset), step, steps)) for _ in range(epochs)]


MISTAKES = wrong_answers(__name__)
