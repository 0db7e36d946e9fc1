"""Further exercise: put decode, cache, shuffle, augment and batch in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from course.checks.exercises import Data
from course.checks.failures import listed
from course.checks.properties import Properties, Property
from course.lessons.n08_busy_then_idle.ordered_pieces import (
    AUGMENTED,
    EPOCHS,
    Epochs,
    run_pieces,
)


@dataclass(frozen=True)
class Case:
    """A number of examples, the batch, and the seed of the shuffle."""

    examples: int
    batch: int
    seed: int

    def __str__(self) -> str:
        return f"{self.examples} examples in batches of {self.batch}, for two epochs"


PROPERTIES = Properties(
    {
        "each": Property(
            "Some epoch does not have each example once.",
            "each example once in each epoch.",
        ),
        "sized": Property(
            "The sizes of the batches are wrong, or there are none.",
            "batches of the given size; only the last may be smaller.",
        ),
        "augmented": Property(
            "Not every example was augmented once in an epoch.",
            "each example goes through augment once in an epoch.",
        ),
        "decoded once": Property(
            "Some examples were decoded in both epochs.",
            "each example is decoded once, in both epochs together.",
        ),
        "augmented anew": Property(
            "The second epoch had the augmented examples of the first.",
            "each example is augmented again in the second epoch.",
        ),
        "mixed": Property(
            "In the second epoch, the same examples were in a batch together.",
            "the second epoch puts other examples together into batches.",
        ),
    }
)


def _draw(rng: np.random.Generator) -> list[Case]:
    """Draw two jobs, whose examples do not divide by the batch."""
    return [
        Case(examples, batch, int(rng.integers(1, 1000)))
        for examples, batch in ((int(rng.choice([13, 14, 15])), 4), (17, 5))
    ]


def _observe(function: Callable, case: Case) -> Data:
    """Run two epochs of what `function` puts in order.

    Returns "values", float64, all numbers that came; "sizes", of each batch; "counts",
    batches in each epoch; "axes" of each kind of element; "decoded" and "augmented".
    """
    pieces = listed(function)
    came = run_pieces(pieces, case.examples, case.batch, case.seed)
    batches = [batch for epoch in came.batches for batch in epoch]
    return {
        "values": np.array([v for batch in batches for v in batch], np.float64),
        "sizes": np.array([len(batch) for batch in batches], np.int64),
        "counts": np.array([len(epoch) for epoch in came.batches], np.int64),
        "axes": np.array(came.shapes, np.int64),
        "decoded": np.array(came.decoded),
        "augmented": np.array(came.augmented),
    }


def _epochs(seen: Data) -> Epochs:
    values, batches = iter(seen["values"].tolist()), iter(seen["sizes"].tolist())
    epochs = [
        tuple(tuple(islice(values, size)) for size in islice(batches, count))
        for count in seen["counts"].tolist()
    ]
    counts = int(seen["decoded"]), int(seen["augmented"])
    return Epochs(tuple(epochs), tuple(seen["axes"].tolist()), *counts)


def _holds(case: Case, seen: Data) -> dict[str, bool]:
    came, n, size = _epochs(seen), case.examples, case.batch
    sizes = [size] * (n // size) + [n % size] * (n % size > 0)
    numbers = [
        sorted(int(value) for batch in epoch for value in batch)
        for epoch in came.batches
    ]
    added = {round(v % 1, 3) for epoch in came.batches for b in epoch for v in b}
    batches = [
        [frozenset(map(int, batch)) for batch in epoch] for epoch in came.batches
    ]
    together = [set(epoch) for epoch in batches] if came.shapes == (1,) else batches
    once = added == {AUGMENTED}
    return {
        "each": all(found == list(range(n)) for found in numbers),
        "sized": came.shapes == (1,)
        and all(
            sorted(map(len, epoch), reverse=True) == sizes for epoch in came.batches
        ),
        "augmented": once,
        "decoded once": came.decoded <= n,
        # what was not augmented once shows as that
        "augmented anew": came.augmented >= EPOCHS * n or not once,
        "mixed": together[0] != together[1],
    }


SIGNS = (
    PROPERTIES.sign(
        "not_augmented_once",
        "augmented",
        "augment is missing, or is in the list twice.",
    ),
    PROPERTIES.sign(
        "no_batches",
        "sized",
        "no function makes batches, or more than one does.",
    ),
    PROPERTIES.sign(
        "decoded_again",
        "decoded once",
        "the decoded examples are not kept: keep must be after decode. Then decode "
        "runs in the first epoch only.",
    ),
    PROPERTIES.sign(
        "augmented_before_keep",
        "augmented anew",
        "augment is before keep, so its random changes are kept and repeated in each "
        "epoch.",
    ),
    PROPERTIES.sign(
        "not_mixed",
        "mixed",
        "examples are not mixed again: mix is missing, or it is before keep, which "
        "keeps its order, or after batched, where it shuffles whole batches.",
    ),
)
MY_ORDER = PROPERTIES.exercise(
    name="08/my_order",
    cases=_draw,
    observe=_observe,
    holds=_holds,
    mistakes=(),
    right="Over two epochs, each example was decoded once. In each epoch it was "
    "augmented again and mixed with other examples into batches.",
    signs=SIGNS,
    shipped="augmented_before_keep+not_mixed",
)
