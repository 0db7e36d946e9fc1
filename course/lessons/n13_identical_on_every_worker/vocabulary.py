"""Further exercise: one vocabulary from the word counts of all shards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.findings import drawn_apart
from course.lessons.n13_identical_on_every_worker.wrong_vocabulary import (
    MISTAKES,
    vocabulary,
)

WORDS = [
    *("ash", "bay", "cod", "dew", "elm", "fir", "gum", "hay", "ivy", "jet"),
    *("kelp", "lime", "moss", "nut", "oak", "pine", "reed"),
]


@dataclass(frozen=True)
class Text:
    """Word counts of each shard, in order, and the size of a vocabulary."""

    shards: tuple[dict[str, int], ...]
    size: int

    def __str__(self) -> str:
        return f"the word counts of {len(self.shards)} shards, size {self.size}"

    def seen_by(self, worker: int) -> list[dict[str, int]]:
        """All shards as a worker lists them: its own first, the others behind."""
        order = [*self.shards[worker:], *self.shards[:worker]]
        return [dict(counts) for counts in order]


def draw(rng: np.random.Generator) -> list[Text]:
    """Draw texts in which ties, rare words and missing words all matter."""

    def texts() -> list[Text]:
        return [_text(rng, *sizes) for sizes in ((2, 6), (3, 7), (2, 20))]

    def answers(drawn: list[Text]) -> list[list]:
        return [
            [find(text.seen_by(w), text.size) for text in drawn for w in (0, 1)]
            for find in (vocabulary, *MISTAKES)
        ]

    return drawn_apart("13/my_vocabulary", texts, answers)


def _text(rng: np.random.Generator, shards: int, size: int) -> Text:
    own = []
    for _ in range(shards):
        words = rng.permutation(WORDS)[:12].tolist()
        own.append({word: int(rng.integers(1, 9)) for word in words})
    return Text(tuple(own), size)


def observe(function: Callable, text: Text) -> Observation:
    """Ask every worker for its vocabulary, each with its own order of the shards."""
    return recorded(
        [function(text.seen_by(w), text.size) for w in range(len(text.shards))]
    )


def recorded(answers: list) -> Observation:
    """Turn the workers' lists into numbers: places in WORDS, and -1 behind the end.

    Raises:
        TypeError: an answer is no list of words.
    """
    rows = []
    for answer in answers:
        known = isinstance(answer, list | tuple) and all(w in WORDS for w in answer)
        if not known or len(answer) > 2 * len(WORDS):
            raise TypeError(
                f"the function returned {answer!r}; it must return a list of words"
            )
        places = [float(WORDS.index(word)) for word in answer]
        rows.append(places + [-1.0] * (2 * len(WORDS) - len(places)))
    return Observation(np.array(rows))


def compare(text: Text, got: Observation, truth: Observation) -> Difference:
    """Show the first worker's list that is not the right one."""
    wrong = (got.values != truth.values).any(axis=1)
    worker = int(np.argmax(wrong))
    agree = all((row == got.values[0]).all() for row in got.values)
    return Difference(
        f"On worker {worker} it returned {_words(got.values[worker])}. "
        + ("All workers have this list." if agree else "The workers' lists differ."),
        f"Expected, on all workers: {_words(truth.values[worker])}.",
    )


def _words(places: np.ndarray) -> str:
    return ", ".join(WORDS[int(p)] for p in places if p >= 0) or "no word"


MY_VOCABULARY = Exercise(
    name="13/my_vocabulary",
    cases=draw,
    observe=observe,
    expect=lambda text: recorded(
        [vocabulary(text.seen_by(w), text.size) for w in range(len(text.shards))]
    ),
    compare=compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="All workers have the vocabulary of one process that has read all shards.",
)
