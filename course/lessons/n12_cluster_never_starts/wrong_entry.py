"""Wrong answers to 12/my_wrong_entry: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from course.checks.exercises import wrong_answers
from course.checks.places import Found

Addresses = list[str]
Lists = list[Addresses]


def _wrong(lists: Lists, listens: Addresses) -> Iterator[tuple[int, int]]:
    """Yield all (worker, entry) that do not lead to the worker they are for."""
    for worker, own in enumerate(lists):
        for entry in range(max(len(own), len(listens))):
            if own[entry : entry + 1] != listens[entry : entry + 1]:
                yield worker, entry


def right(lists: Lists, listens: Addresses) -> Found:
    """Return the first wrong entry in the first wrong list."""
    return next(_wrong(lists, listens), None)


def _first(lists: Lists, wrong: Callable[[int, int, str], bool]) -> Found:
    """Return the first (worker, entry) whose address is wrong by another rule."""
    return next(
        (
            (worker, entry)
            for worker, own in enumerate(lists)
            for entry, address in enumerate(own)
            if wrong(worker, entry, address)
        ),
        None,
    )


def first_list_believed(lists: Lists, listens: Addresses) -> Found:
    """Worker 0's list is taken for the truth, and the entry is always 0. Where workers
    really listen is in `listens`.
    """
    return next(((w, 0) for w, own in enumerate(lists) if own != lists[0]), None)


def first_list_believed_entry_found(lists: Lists, listens: Addresses) -> Found:
    """The entry is found, but worker 0's list is still taken for the truth. It may be
    the wrong one.
    """
    return as_long_as_the_first(lists, lists[0])


def first_list_still_compared(lists: Lists, listens: Addresses) -> Found:
    """The entry is looked for in `listens`, but only where a list differs from worker
    0's. That one may be wrong, or all may be wrong in the same way.
    """
    return _first(lists, lambda w, e, a: lists[w] != lists[0] and a != listens[e])


def as_long_as_the_first(lists: Lists, listens: Addresses) -> Found:
    """Entries are counted by worker 0's list. That one may be the short one: count
    those of `listens`.
    """
    length = len(lists[0])
    places = (place for place in _wrong(lists, listens) if place[1] < length)
    return next(places, None)


def first_list_only(lists: Lists, listens: Addresses) -> Found:
    """Only worker 0's list is looked at, as with a return in the outer loop."""
    return right(lists[:1], listens)


def ports_only(lists: Lists, listens: Addresses) -> Found:
    """Only ports are compared. The host may be wrong, too; and on real machines all
    workers may have the same port.
    """
    return _by_part(lists, listens, 1)


def hosts_only(lists: Lists, listens: Addresses) -> Found:
    """Only hosts are compared. The port may be wrong."""
    return _by_part(lists, listens, 0)


def _by_part(lists: Lists, listens: Addresses, part: int) -> Found:
    """Compare one part of the addresses."""
    parts = [[address.split(":")[part] for address in own] for own in lists]
    return right(parts, [address.split(":")[part] for address in listens])


def own_address_everywhere(lists: Lists, listens: Addresses) -> Found:
    """Each entry is compared with the worker's own address. Entry k is for worker k:
    compare it with listens[k].
    """
    return _first(lists, lambda w, e, address: address != listens[w])


def anybody_listens(lists: Lists, listens: Addresses) -> Found:
    """An address passes where ANY worker listens there. Entry k must be the address of
    worker k: the right addresses in another order are wrong.
    """
    return _first(lists, lambda w, e, address: address not in listens)


def nowhere_in_the_list(lists: Lists, listens: Addresses) -> Found:
    """A worker is looked for anywhere in the list. Entry k must be the address of
    worker k.
    """
    wanted = [listens] * len(lists)
    return _first(wanted, lambda w, e, address: address not in lists[w])


def own_entry_only(lists: Lists, listens: Addresses) -> Found:
    """Only each worker's own entry is looked at. Every entry counts, also those of the
    others.
    """
    return _first(lists, lambda w, e, address: w == e and address != listens[e])


def own_entry_skipped(lists: Lists, listens: Addresses) -> Found:
    """Each worker's own entry is not looked at. Every entry counts, also the worker's
    own.
    """
    return next(
        (place for place in _wrong(lists, listens) if place[0] != place[1]), None
    )


def most_common_list_believed(lists: Lists, listens: Addresses) -> Found:
    """The list that most workers have is taken for the truth. All of them may have the
    same fault: where workers listen is in `listens`.
    """
    return right(lists, max(lists, key=lists.count))


def first_list_believed_and_zipped(lists: Lists, listens: Addresses) -> Found:
    """Each list is compared with worker 0's, which may be the wrong one. Where workers
    really listen is in `listens`.
    """
    return shorter_list(lists, lists[0])


def shorter_list(lists: Lists, listens: Addresses) -> Found:
    """Where a list is too short, nothing is found (zip, for one, ends with the
    shorter). A missing entry is wrong, too.
    """
    return _first(lists, lambda w, e, a: e < len(listens) and a != listens[e])


def length_first(lists: Lists, listens: Addresses) -> Found:
    """A list that is too short is reported at its end, before its entries are compared.
    An earlier entry may be wrong, too.
    """
    for worker, own in enumerate(lists):
        if len(own) < len(listens):
            return worker, len(own)
        if own != listens:
            return next(place for place in _wrong(lists, listens) if place[0] == worker)
    return None


def last_place(lists: Lists, listens: Addresses) -> Found:
    """It is the last wrong place. The first was asked for."""
    return max(_wrong(lists, listens), default=None)


def first_entry_of_all(lists: Lists, listens: Addresses) -> Found:
    """It goes through the entries first, and then through the workers. The first WORKER
    was asked for, and in its list the first entry.
    """
    return min(_wrong(lists, listens), key=lambda place: place[::-1], default=None)


def last_in_the_list(lists: Lists, listens: Addresses) -> Found:
    """The worker is right; the entry is the last wrong one of its list, not the
    first.
    """
    places = list(_wrong(lists, listens))
    return max((p for p in places if p[0] == places[0][0]), default=None)


def always_entry_0(lists: Lists, listens: Addresses) -> Found:
    """The worker is found, but the entry is always 0."""
    place = right(lists, listens)
    return place and (place[0], 0)


MISTAKES = wrong_answers(__name__, right)
