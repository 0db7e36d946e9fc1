"""What a gradient of an embedding costs in each form, and wrong answers to it."""

from __future__ import annotations

from collections.abc import Sequence

from course.checks.exercises import wrong_answers

NUMBER, ID = 4, 8  # bytes of a float32, and of an int64
Ids = Sequence[Sequence[int]]  # [worker][lookup]


def _once(ids: Ids) -> list[int]:
    return [len(set(own)) for own in ids]


def _union(ids: Ids) -> int:
    return len({each for own in ids for each in own})


def _rows(counts: Sequence[int], width: int, of_id: int = ID) -> float:
    """Return the bytes over a link if the workers send so many rows each."""
    return (len(counts) - 1) * max(counts) * (width * NUMBER + of_id)


def _table(workers: int, rows: int, width: int) -> float:
    return 2 * (workers - 1) / workers * rows * width * NUMBER


def _with_ids_of(size: int, ids: Ids, rows: int, width: int) -> tuple[int, float]:
    counts = ([len(own) for own in ids], _once(ids))
    found = [_rows(each, width, of_id=size) for each in counts]
    return _least([*found, _table(len(ids), rows, width)])


def _with_once(count: float, ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """Return the answer if each worker sent `count` rows with each id once."""
    came, _, table = costs(ids, rows, width)
    return _least([came, _rows([count] * len(ids), width), table])


def _least(found: Sequence[float]) -> tuple[int, float]:
    form = min(range(len(found)), key=lambda each: found[each])
    return form, found[form]


def costs(ids: Ids, rows: int, width: int) -> list[float]:
    """Return the bytes over a link in each form."""
    came, once = _rows([len(own) for own in ids], width), _rows(_once(ids), width)
    return [came, once, _table(len(ids), rows, width)]


def cheapest(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """Return the form with the fewest bytes, the first of equals, and its bytes."""
    return _least(costs(ids, rows, width))


def as_they_come(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It always takes the rows as they are. If ids repeat, or if nearly all rows of the
    table are used, another form is smaller.
    """
    return 0, costs(ids, rows, width)[0]


def always_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It always sends each id once. If nearly all rows of a small table are used, the
    table itself is smaller. If no id repeats, nothing can be added up.
    """
    return 1, costs(ids, rows, width)[1]


def never_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It compares only the rows as they are with the whole table. A worker can also add
    up the rows of a repeated id before it sends.
    """
    came, _, table = costs(ids, rows, width)
    return (0, came) if came <= table else (2, table)


def ids_forgotten(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts the numbers in the rows but not their ids. Each row is sent with an id
    of 8 bytes.
    """
    return _with_ids_of(0, ids, rows, width)


def ids_of_4_bytes(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts 4 bytes for an id. An id is an int64: 8 bytes."""
    return _with_ids_of(4, ids, rows, width)


def once_over_all(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts an id once even if several workers look it up. Before a worker sends,
    it can add up only its own rows.
    """
    return _with_once(_union(ids) / len(ids), ids, rows, width)


def union_of_ids(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It lets each worker send a row for every id that any worker looks up. A worker
    sends rows only for its own ids.
    """
    return _with_once(_union(ids), ids, rows, width)


def worker_0_only(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts the different ids of worker 0 only. All workers send as many rows as
    the one with most.
    """
    return _with_once(_once(ids)[0], ids, rows, width)


def not_the_longest(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It lets each worker send only its own number of rows, or the workers' mean. All
    workers send as many rows as the one with most.
    """
    return _with_once(sum(_once(ids)) / len(ids), ids, rows, width)


def own_rows_too(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts the rows of all workers. A worker has its own rows already and gets
    only those of the others.
    """
    came, once, table = costs(ids, rows, width)
    more = len(ids) / (len(ids) - 1)
    return _least([came * more, once * more, table])


def table_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It counts the table once. In an all-reduce of W workers, 2 (W - 1) / W times the
    table passes over each link: first the parts to add up, then the sums.
    """
    came, once, _ = costs(ids, rows, width)
    return _least([came, once, rows * width * NUMBER])


def the_most_bytes(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """It takes the form with the MOST bytes."""
    found = costs(ids, rows, width)
    return found.index(max(found)), max(found)


def last_of_equals(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """If two forms need equally many bytes, it returns the last of them. Return the
    first.
    """
    form, least = _least(costs(ids, rows, width)[::-1])
    return 2 - form, least


MISTAKES = wrong_answers(__name__, cheapest, costs)
