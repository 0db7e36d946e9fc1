"""What a gradient of an embedding costs in each form, and wrong answers to that."""

from __future__ import annotations

from collections.abc import Sequence

from course.checks.exercises import wrong_answers

NUMBER, ID = 4, 8  # bytes of a float32, and of an int64
Ids = Sequence[Sequence[int]]  # [worker][lookup]


def _once(ids: Ids) -> list[int]:
    return [len(set(own)) for own in ids]


def _rows(counts: Sequence[int], width: int, of_id: int = ID) -> float:
    """Bytes over a link where workers hand on so many rows each."""
    return (len(counts) - 1) * max(counts) * (width * NUMBER + of_id)


def _table(workers: int, rows: int, width: int) -> float:
    return 2 * (workers - 1) / workers * rows * width * NUMBER


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
    """The rows are always handed on as they come. Where ids come again and again, or
    nearly all rows are used, another form is smaller.
    """
    return 0, costs(ids, rows, width)[0]


def always_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """Each id is always sent once. Where nearly all rows of a small table are used, the
    table itself is smaller; where no id comes twice, there is nothing to add up.
    """
    return 1, costs(ids, rows, width)[1]


def never_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """Only rows as they come and the whole table are compared. A worker can add up the
    rows of an id that came several times before it sends.
    """
    came, _, table = costs(ids, rows, width)
    return (0, came) if came <= table else (2, table)


def ids_forgotten(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """The numbers of the rows are counted, and not the ids that say which rows they
    are: 8 bytes for each.
    """
    counts = ([len(own) for own in ids], _once(ids))
    found = [_rows(each, width, of_id=0) for each in counts]
    return _least([*found, _table(len(ids), rows, width)])


def once_over_all(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """An id that several workers have counts once. A worker can add up its own rows
    only, before it sends: it doesn't know the others'.
    """
    came, _, table = costs(ids, rows, width)
    every = len({each for own in ids for each in own})
    return _least([came, _rows([every / len(ids)] * len(ids), width), table])


def not_the_longest(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """The workers' own numbers of rows are added up. All of them send as many rows as
    the one that has most: shorter ones are filled up.
    """
    came, _, table = costs(ids, rows, width)
    counts = _once(ids)
    mean = sum(counts) / len(counts)
    return _least([came, _rows([mean] * len(counts), width), table])


def own_rows_too(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """The rows of all workers are counted. A worker has its own already: it gets those
    of the others.
    """
    came, once, table = costs(ids, rows, width)
    more = len(ids) / (len(ids) - 1)
    return _least([came * more, once * more, table])


def table_once(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """The table counts once. In an all-reduce of W workers 2 (W - 1) / W of it pass
    over each link: first the parts that are added up, then the sums.
    """
    came, once, _ = costs(ids, rows, width)
    return _least([came, once, rows * width * NUMBER])


def the_most_bytes(ids: Ids, rows: int, width: int) -> tuple[int, float]:
    """The form with the MOST bytes is taken."""
    found = costs(ids, rows, width)
    return found.index(max(found)), max(found)


MISTAKES = wrong_answers(__name__, cheapest, costs)
