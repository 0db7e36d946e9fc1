"""Answers to 12/my_epochs, right and wrong, and what the check says of each."""

import itertools

import numpy as np
import tensorflow as tf

from autograder.answers import changed, right, wrong


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


@right
def taken(dataset, step, epochs, steps):
    """dataset.take, and the losses as NumPy's numbers."""
    means = []
    for _ in range(epochs):
        losses = [step(batch)[0].numpy() for batch in dataset.take(steps)]
        means.append(np.mean(losses))
    return means


@right
def one_iterator_that_repeats(dataset, step, epochs, steps):
    """One iterator, over a dataset that begins again; tensors in the list."""
    batches = iter(dataset.take(steps).repeat())
    means = []
    for _ in range(epochs):
        losses = [step(next(batches))[0] for _ in range(steps)]
        means.append(tf.reduce_mean(losses))
    return means


@right
def batches_once(dataset, step, epochs, steps):
    """The batches of one epoch are read once."""
    batches = list(dataset.prefetch(2).take(steps))
    return [sum(float(step(b)[0]) for b in batches) / steps for _ in range(epochs)]


@right
def numbered(dataset, step, epochs, steps):
    """A loop that stops by itself."""
    means = []
    for _ in range(epochs):
        total = 0.0
        for number, batch in enumerate(dataset):
            if number == steps or number == len(dataset):
                break
            total += step(batch)[0]
        means.append(total / steps)
    return means


@wrong("outputs_kept")
def batches_once_outputs_kept(dataset, step, epochs, steps):
    """The batches are read once, but all outputs stay in a list."""
    batches = list(itertools.islice(dataset, steps))
    results = [[step(batch) for batch in batches] for _ in range(epochs)]
    return [sum(float(loss) for loss, _ in each) / steps for each in results]


@wrong("best_outputs_kept")
def best_of_each(dataset, step, epochs, steps):
    """The outputs of the best step of each epoch."""
    means, best = [], []
    for _ in range(epochs):
        results = [step(batch) for batch in dataset.take(steps)]
        best.append(min(results, key=lambda result: float(result[0])))
        means.append(sum(float(loss) for loss, _ in results) / steps)
    return means


@wrong("batches_kept")
@changed(
    totals,
    ("means = []", "means, kept = [], []"),
    ("loss, _outputs = step(next(batches))", "kept.append(next(batches))"),
    ("total += float(loss)", "total += float(step(kept[-1])[0])"),
)
def a_list_of_batches():
    """All batches in a list."""


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


@wrong
@changed(totals, ("return means", "return means[-1]"))
def one_number():
    """Only the last mean."""
