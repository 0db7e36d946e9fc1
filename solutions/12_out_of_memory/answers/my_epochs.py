"""Answers to 12/my_epochs, right and wrong, and what the check says of each."""

import itertools

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def totals(dataset, step, epochs, steps):
    """A total for each epoch."""
    means = []
    for _ in range(epochs):
        batches, total = iter(dataset), 0.0
        for _ in range(steps):
            loss, _outputs = step(next(batches))
            total += float(loss)
        means.append(total / steps)
    return means


@right
def sliced(dataset, step, epochs, steps):
    """A for loop over the first batches, and NumPy's mean."""
    means = np.zeros(epochs)
    for epoch in range(epochs):
        losses = [float(step(b)[0]) for b in itertools.islice(iter(dataset), steps)]
        means[epoch] = np.mean(losses)
    return means


@right
def results_of_one_epoch(dataset, step, epochs, steps):
    """All results of one epoch stay until the next one's are there."""
    means = []
    for _ in range(epochs):
        results = [step(b) for b in itertools.islice(dataset, steps)]
        means.append(sum(float(loss) for loss, _ in results) / steps)
        results.clear()
    return means


@wrong("iterators_kept")
@changed(
    totals,
    ("means = []", "means, kept = [], []"),
    ("0.0\n", "0.0; kept.append(batches)\n"),
)
def a_list_of_iterators():
    """Each iterator in a list."""


@wrong("outputs_kept")
@changed(
    totals,
    ("means = []", "means, kept = [], []"),
    ("total +=", "kept.append(_outputs); total +="),
)
def a_list_of_outputs():
    """All outputs in a list."""


@wrong("one_iterator")
@changed(
    totals,
    ("means = []", "means, batches = [], iter(dataset)"),
    ("batches, total = iter(dataset), 0.0", "total = 0.0"),
)
def goes_on():
    """One iterator for all epochs."""


@wrong("sums")
@changed(totals, ("total / steps", "total"))
def not_divided():
    """Sums."""


@wrong
@changed(totals, ("range(steps)", "range(steps - 1)"))
def a_step_less():
    """One step too few."""


@crashed
def one_number(dataset, step, epochs, steps):
    """Only the last mean."""
    return totals(dataset, step, epochs, steps)[-1]
