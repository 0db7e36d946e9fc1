"""Wrong answers to 14/my_first_wrong: each is the mistake of its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest

import tensorflow as tf

from course.checks.exercises import wrong_answers
from course.checks.places import Found
from course.lessons.n14_identical_on_every_worker.worker_input import Make

Ids = list[int]
Step = tuple[Ids, list[Ids]]  # of one device, and of each worker


def _ids(dataset: tf.data.Dataset) -> list[Ids]:
    return [ids.numpy().tolist() for ids, _, _ in dataset]


@lru_cache(maxsize=1024)  # thirteen functions read the same; a dataset costs 40 ms
def _of(make: Make, rows: tf.data.Dataset, batch: int, seed: int, *many: int) -> list:
    """Return what one worker reads: many = (workers, its index, replicas)."""
    return _ids(make(tf.distribute.InputContext(*many), rows, batch, seed))


@lru_cache(maxsize=128)
def _one_device(rows: tf.data.Dataset, batch: int, seed: int) -> list[Ids]:
    return _ids(rows.shuffle(len(rows), seed=seed).batch(batch))


def _steps(
    make: Make,
    rows: tf.data.Dataset,
    batch: int,
    seed: int,
    workers: int,
    called: Sequence[int] | None = None,
) -> Iterator[Step]:
    """Yield all steps; `called` are the indices with which `make` is called."""
    one = _one_device(rows, batch, seed)
    indices = range(workers) if called is None else called
    own = [_of(make, rows, batch, seed, workers, i, workers) for i in indices]
    for ids, *read in zip_longest(one, *own, fillvalue=[]):
        yield ids, read


def _differing(wanted: Counter, came: Counter) -> Counter:
    return (came - wanted) + (wanted - came)


def _first(steps: Iterator[Step]) -> Found:
    for step, (wanted, read) in enumerate(steps):
        differ = _differing(Counter(wanted), Counter(chain(*read)))
        if differ:
            return step, min(differ)
    return None


def first_wrong(make, rows, batch, seed, workers) -> Found:
    """Return the first step whose rows are not those of one device, and the row."""
    return _first(_steps(make, rows, batch, seed, workers))


def one_worker(make, rows, batch, seed, workers) -> Found:
    """Only worker 0 is asked, and its rows are all among those of one device until they
    are not. The other workers' rows belong to the step as well.
    """
    steps = _steps(make, rows, batch, seed, workers, called=[0])
    for step, (wanted, (own,)) in enumerate(steps):
        strange = set(own) - set(wanted)
        if strange:
            return step, min(strange)
    return None


def never_twice(make, rows, batch, seed, workers) -> Found:
    """Rows that are there are looked at, not how often: when two workers read a row in
    one step, it counts twice in the gradient.
    """
    for step, (wanted, read) in enumerate(_steps(make, rows, batch, seed, workers)):
        differ = set(wanted) ^ set(chain(*read))
        if differ:
            return step, min(differ)
    return None


def one_index(make, rows, batch, seed, workers) -> Found:
    """The function is called with the context of worker 0 for all workers, so that all
    seem to read its rows.
    """
    return _first(_steps(make, rows, batch, seed, workers, called=[0] * workers))


def two_workers(make, rows, batch, seed, workers) -> Found:
    """Only workers 0 and 1 are asked. There may be more."""
    return _first(_steps(make, rows, batch, seed, workers, called=[0, 1]))


def too_many_only(make, rows, batch, seed, workers) -> Found:
    """Only rows that are too many are looked for. In a step, rows may be missing and
    none be too many.
    """
    for step, (wanted, read) in enumerate(_steps(make, rows, batch, seed, workers)):
        extra = Counter(chain(*read)) - Counter(wanted)
        if extra:
            return step, min(extra)
    return None


def missing_only(make, rows, batch, seed, workers) -> Found:
    """Only rows that are missing are looked for. A step may have all rows, and some of
    them twice.
    """
    for step, (wanted, read) in enumerate(_steps(make, rows, batch, seed, workers)):
        missing = Counter(wanted) - Counter(chain(*read))
        if missing:
            return step, min(missing)
    return None


def until_one_ends(make, rows, batch, seed, workers) -> Found:
    """The comparison ends with the shortest dataset. Where one reads on, or ends early,
    the steps that are left differ, too.
    """
    one = _one_device(rows, batch, seed)
    own = [_of(make, rows, batch, seed, workers, w, workers) for w in range(workers)]
    return _first((ids, read) for ids, *read in zip(one, *own, strict=False))


def over_the_epoch(make, rows, batch, seed, workers) -> Found:
    """The rows of the whole epoch are counted, not those of a step. A row that comes in
    another step is another gradient.
    """
    steps = list(_steps(make, rows, batch, seed, workers))
    wanted = Counter(row for ids, _ in steps for row in ids)
    came = Counter(row for _, read in steps for own in read for row in own)
    differ = _differing(wanted, came)
    for step, (ids, read) in enumerate(steps):
        here = set(chain(ids, *read)) & set(differ)
        if here:
            return step, min(here)
    return None


def one_replica(make, rows, batch, seed, workers) -> Found:
    """The context says one replica in all, so that each worker takes the whole global
    batch. Here num_replicas_in_sync is the number of workers.
    """
    one = _one_device(rows, batch, seed)
    own = [_of(make, rows, batch, seed, workers, w, 1) for w in range(workers)]
    return _first((i, read) for i, *read in zip_longest(one, *own, fillvalue=[]))


def another_truth(make, rows, batch, seed, workers) -> Found:
    """The workers are compared with the rows as they stand in the data. One device
    shuffles them first, with the same seed.
    """
    one = _ids(rows.batch(batch))
    own = [_of(make, rows, batch, seed, workers, w, workers) for w in range(workers)]
    return _first((i, read) for i, *read in zip_longest(one, *own, fillvalue=[]))


def largest_row(make, rows, batch, seed, workers) -> Found:
    """The step is right. Of its rows that differ, the smallest number is asked for."""
    found = first_wrong(make, rows, batch, seed, workers)
    if found is None:
        return None
    steps = list(_steps(make, rows, batch, seed, workers))
    wanted, read = steps[found[0]]
    return found[0], max(_differing(Counter(wanted), Counter(chain(*read))))


MISTAKES = wrong_answers(__name__, first_wrong)
