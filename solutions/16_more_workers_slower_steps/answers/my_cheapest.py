"""Answers to 16/my_cheapest, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def a_list_of_costs(ids, rows, width):
    """Three costs, and the least of them."""
    others = len(ids) - 1
    row = 4 * width + 8
    costs = [
        others * len(ids[0]) * row,
        others * max(len(set(own)) for own in ids) * row,
        2 * others / len(ids) * rows * 4 * width,
    ]
    return costs.index(min(costs)), min(costs)


@right
def with_numpy(ids, rows, width):
    """Counts by NumPy, as an array."""
    once = max(np.unique(own).size for own in ids)
    numbers = np.array([len(ids[0]), once]) * (width * 4 + 8)
    costs = np.append(numbers, 2 * rows * width * 4 / len(ids)) * (len(ids) - 1)
    return np.array([costs.argmin(), costs.min()])


@wrong("as_they_come")
@changed(a_list_of_costs, ("costs.index(min(costs)), min(costs)", "0, costs[0]"))
def always_as_they_come():
    """The first one, always."""


@wrong("ids_forgotten")
@changed(a_list_of_costs, ("4 * width + 8", "4 * width"))
def without_ids():
    """Numbers only."""


@wrong("table_once")
@changed(a_list_of_costs, ("2 * others / len(ids) * rows", "rows"))
def one_table():
    """As if the table passed once."""


@wrong("ids_of_4_bytes")
@changed(a_list_of_costs, ("4 * width + 8", "4 * width + 4"))
def ids_of_four_bytes():
    """int32 ids."""


@wrong("own_rows_too")
@changed(
    a_list_of_costs,
    ("others * len", "len(ids) * len"),
    ("others * max", "len(ids) * max"),
)
def all_workers():
    """Rows of all workers."""


@wrong("union_of_ids")
@changed(
    a_list_of_costs,
    ("max(len(set(own)) for own in ids)", "len({each for own in ids for each in own})"),
)
def all_ids():
    """A row for each id that any worker looks up."""


@wrong("worker_0_only")
@changed(a_list_of_costs, ("max(len(set(own)) for own in ids)", "len(set(ids[0]))"))
def ids_of_worker_0():
    """As if all workers had the ids of worker 0."""


@wrong("last_of_equals")
@changed(
    a_list_of_costs,
    (
        "return costs.index(min(costs)), min(costs)",
        "return max(k for k in range(3) if costs[k] == min(costs)), min(costs)",
    ),
)
def the_last():
    """Of equals, the last."""


@wrong("not_the_longest")
@changed(
    a_list_of_costs,
    (
        "max(len(set(own)) for own in ids)",
        "sum(len(set(own)) for own in ids) / len(ids)",
    ),
)
def the_mean():
    """The mean over the workers."""


@wrong
def only_the_form(ids, rows, width):
    """No bytes."""
    return 2
