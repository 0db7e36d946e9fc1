"""Further exercise: one vocabulary from the word counts of all shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation

WORDS = [
    *("ash", "bay", "cod", "dew", "elm", "fir", "gum", "hay", "ivy", "jet"),
    *("kelp", "lime", "moss", "nut", "oak", "pine", "reed"),
]
Counts = Mapping[str, int]


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
    while True:
        sizes = ((2, 6), (3, 7), (2, 20))
        texts = [_text(rng, shards, size) for shards, size in sizes]
        answers = [
            [find(text.seen_by(w), text.size) for text in texts for w in (0, 1)]
            for find in FINDERS
        ]
        if all(a != b for a, b in combinations(answers, 2)):
            return texts


def _text(rng: np.random.Generator, shards: int, size: int) -> Text:
    own = []
    for _ in range(shards):
        words = rng.permutation(WORDS)[:12].tolist()
        own.append({word: int(rng.integers(1, 9)) for word in words})
    return Text(tuple(own), size)


def summed(shards: list[Counts]) -> dict[str, int]:
    """Add the counts up, words in the order in which they first come."""
    total: dict[str, int] = {}
    for counts in shards:
        for word, count in counts.items():
            total[word] = total.get(word, 0) + count
    return total


def vocabulary(shards: list[Counts], size: int) -> list[str]:
    """Return the most frequent words of all shards; ties by the alphabet."""
    return ranked(summed(shards))[:size]


def ranked(counts: Counts) -> list[str]:
    """Return words by count, the most frequent first, and then by the alphabet."""
    return sorted(counts, key=lambda word: (-counts[word], word))


def _own_shard(shards, size):
    return ranked(shards[0])[:size]


def _first_seen(shards, size):
    total = summed(shards)
    return sorted(total, key=lambda word: -total[word])[:size]


def _backwards(shards, size):
    total = summed(shards)
    return sorted(total, key=lambda word: (total[word], word), reverse=True)[:size]


def _alphabet(shards, size):
    return sorted(summed(shards))[:size]


def _sorted_late(shards, size):
    return sorted(vocabulary(shards, size))


def _of_tops(shards, size):
    tops = [{w: c[w] for w in ranked(c)[:size]} for c in shards]
    return ranked(summed(tops))[:size]


def _one_behind_the_other(shards, size):
    words = [word for counts in shards for word in ranked(counts)]
    return list(dict.fromkeys(words))[:size]


def _largest(shards, size):
    counts = {w: max(c.get(w, 0) for c in shards) for w in summed(shards)}
    return ranked(counts)[:size]


def _last_wins(shards, size):
    merged: dict[str, int] = {}
    for counts in shards:
        merged |= counts
    return ranked(merged)[:size]


def _presence(shards, size):
    counts = {w: sum(w in c for c in shards) for w in summed(shards)}
    return ranked(counts)[:size]


def _no_limit(shards, size):
    return vocabulary(shards, len(WORDS))


def _in_common(shards, size):
    total = summed(shards)
    common = {w: n for w, n in total.items() if all(w in c for c in shards)}
    return ranked(common)[:size]


MISREADINGS = {
    "own_shard": (
        _own_shard,
        "each worker uses the words of one shard, its own: the same word has another "
        "id on another worker.",
    ),
    "ties_by_first_seen": (
        _first_seen,
        "words with equal counts stand in the order in which the worker met them, and "
        "workers list the shards in different orders. Sort equal counts by the word.",
    ),
    "ties_backwards": (
        _backwards,
        "words with equal counts stand in the reverse order of the alphabet.",
    ),
    "by_the_alphabet": (
        _alphabet,
        "the words are chosen by the alphabet, not by how often they come.",
    ),
    "sorted_at_the_end": (
        _sorted_late,
        "the right words, but sorted by the alphabet: the most frequent comes first.",
    ),
    "tops_of_shards": (
        _of_tops,
        "each shard is cut to its own most frequent words before the counts are added "
        "up. A word that is not at the top anywhere can be frequent in all.",
    ),
    "one_behind_the_other": (
        _one_behind_the_other,
        "the words of one shard follow those of the other; counts of the same word are "
        "not added up.",
    ),
    "largest_count": (
        _largest,
        "of a word's counts the largest is used. Add them up.",
    ),
    "last_count": (
        _last_wins,
        "the count of the last shard replaces the others, and workers list the shards "
        "in different orders. Add them up.",
    ),
    "shards_counted": (
        _presence,
        "counted is in how many shards a word comes, not how often.",
    ),
    "no_limit": (_no_limit, "all words are returned, not only `size` of them."),
    "common_only": (
        _in_common,
        "a word that is missing in one shard is left out, however often the others "
        "have it.",
    ),
}
FINDERS = (vocabulary, *(find for find, _ in MISREADINGS.values()))


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


def _mistake(code: str) -> Mistake:
    find, cause = MISREADINGS[code]

    def observe(text: Text) -> Observation:
        workers = range(len(text.shards))
        return recorded([list(find(text.seen_by(w), text.size)) for w in workers])

    return Mistake(code, cause, observe)


MY_VOCABULARY = Exercise(
    name="13/my_vocabulary",
    cases=draw,
    observe=observe,
    expect=lambda text: recorded(
        [vocabulary(text.seen_by(w), text.size) for w in range(len(text.shards))]
    ),
    compare=compare,
    mistakes=tuple(map(_mistake, MISREADINGS)),
    right="All workers have the vocabulary of one process that has read all shards.",
)
