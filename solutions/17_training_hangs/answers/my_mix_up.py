"""Answers to 17/my_mix_up, right and wrong, and what the check says of each."""

import random
from collections import defaultdict

from autograder.answers import changed, right, wrong


@right
def next_of_its_size(calls):
    """Each call gives its place to the next one of its size, the last to the first."""
    places = defaultdict(list)
    for k, (_, elements) in enumerate(calls):
        places[elements].append(k)
    mixed = list(calls)
    for own in places.values():
        for k, other in zip(own, own[1:] + own[:1], strict=True):
            mixed[k] = calls[other]
    return mixed


@right
def drawn_until_it_fits(calls):
    """At random, until all sizes fit and nothing meets itself."""
    draw = random.Random(0)
    mixed = list(calls)
    while any(a == b or a[1] != b[1] for a, b in zip(calls, mixed, strict=True)):
        draw.shuffle(mixed)
    return mixed


@right
def queues(calls):
    """A queue for each size, which begins with its second call."""
    queues = defaultdict(list)
    for call in calls:
        queues[call[1]].append(call)
    for queue in queues.values():
        queue.append(queue.pop(0))
    return [queues[elements].pop(0) for _, elements in calls]


@wrong("other_sizes")
def by_one_place(calls):
    """The whole list is turned by one place."""
    return calls[1:] + calls[:1]


@wrong("reversed")
def turned_round(calls):
    """The list from its end."""
    return calls[::-1]


@wrong("unknown_call")
def names_moved(calls):
    """The names change places, and the numbers of elements stay."""
    names = [name for name, _ in calls]
    moved = names[1:] + names[:1]
    return [(name, elements) for name, (_, elements) in zip(moved, calls, strict=True)]


@wrong("fewer_calls")
def last_one_left_out(calls):
    """The last call is left out."""
    return calls[:-1]


@wrong("some_in_place")
def first_two_of_a_size(calls):
    """The first two calls of one size are exchanged, and the others are not."""
    mixed = list(calls)
    sizes = [elements for _, elements in calls]
    one = sizes.index(calls[0][1])
    other = sizes.index(calls[0][1], one + 1)
    mixed[one], mixed[other] = mixed[other], mixed[one]
    return mixed


@wrong("swapped_in_pairs")
@changed(
    next_of_its_size,
    (
        "zip(own, own[1:] + own[:1], strict=True)",
        "[*zip(own[::2], own[1::2]), *zip(own[1::2], own[::2])]",
    ),
)
def in_pairs():
    """Calls of one size are exchanged in pairs."""


@wrong("one_twice")
@changed(next_of_its_size, ("own[1:] + own[:1]", "own[1:] + own[1:2]"))
def one_twice():
    """Of each size one call comes twice, and one never."""


@wrong("another_number_of_calls")
def one_more(calls):
    """A call more at the beginning."""
    return calls[:1] + calls


@wrong
@changed(next_of_its_size, ("return mixed", "return dict(mixed).keys()"))
def names_only():
    """Names without their elements."""
