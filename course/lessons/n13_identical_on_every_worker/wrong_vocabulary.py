"""Wrong answers to 13/my_vocabulary: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Mapping

from course.checks.exercises import wrong_answers

Counts = Mapping[str, int]


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


def own_shard(shards: list[Counts], size: int) -> list[str]:
    """Each worker uses the words of one shard, its own: the same word has another id on
    another worker.
    """
    return ranked(shards[0])[:size]


def ties_by_first_seen(shards: list[Counts], size: int) -> list[str]:
    """Words with equal counts stand in the order in which the worker met them, and
    workers list the shards in different orders. Sort equal counts by the word.
    """
    total = summed(shards)
    return sorted(total, key=lambda word: -total[word])[:size]


def ties_backwards(shards: list[Counts], size: int) -> list[str]:
    """Words with equal counts stand in the reverse order of the alphabet."""
    total = summed(shards)
    return sorted(total, key=lambda word: (total[word], word), reverse=True)[:size]


def by_the_alphabet(shards: list[Counts], size: int) -> list[str]:
    """The words are chosen by the alphabet, not by how often they come."""
    return sorted(summed(shards))[:size]


def sorted_at_the_end(shards: list[Counts], size: int) -> list[str]:
    """The right words, but sorted by the alphabet: the most frequent comes first."""
    return sorted(vocabulary(shards, size))


def tops_of_shards(shards: list[Counts], size: int) -> list[str]:
    """Each shard is cut to its own most frequent words before the counts are added up.
    A word that is not at the top anywhere can be frequent in all.
    """
    tops = [{w: c[w] for w in ranked(c)[:size]} for c in shards]
    return ranked(summed(tops))[:size]


def one_behind_the_other(shards: list[Counts], size: int) -> list[str]:
    """The words of one shard follow those of the other; counts of the same word are not
    added up.
    """
    words = [word for counts in shards for word in ranked(counts)]
    return list(dict.fromkeys(words))[:size]


def largest_count(shards: list[Counts], size: int) -> list[str]:
    """Of a word's counts the largest is used. Add them up."""
    counts = {w: max(c.get(w, 0) for c in shards) for w in summed(shards)}
    return ranked(counts)[:size]


def last_count(shards: list[Counts], size: int) -> list[str]:
    """The count of the last shard replaces the others, and workers list the shards in
    different orders. Add them up.
    """
    merged: dict[str, int] = {}
    for counts in shards:
        merged |= counts
    return ranked(merged)[:size]


def shards_counted(shards: list[Counts], size: int) -> list[str]:
    """Counted is in how many shards a word comes, not how often."""
    counts = {w: sum(w in c for c in shards) for w in summed(shards)}
    return ranked(counts)[:size]


def no_limit(shards: list[Counts], size: int) -> list[str]:
    """All words are returned, not only `size` of them."""
    return vocabulary(shards, len(summed(shards)))


def common_only(shards: list[Counts], size: int) -> list[str]:
    """A word that is missing in one shard is left out, however often the others have
    it.
    """
    total = summed(shards)
    common = {w: n for w, n in total.items() if all(w in c for c in shards)}
    return ranked(common)[:size]


MISTAKES = wrong_answers(__name__, summed, vocabulary, ranked)
