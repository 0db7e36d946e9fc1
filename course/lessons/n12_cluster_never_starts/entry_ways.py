"""Ways to find the wrong entry of the wrong list: the right one, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from course.lessons.n12_cluster_never_starts.recorded import Recorded
from course.places import Found

Finder = Callable[[Recorded], Found]


def _wrong(case: Recorded) -> Iterator[tuple[int, int]]:
    """Yield all (worker, entry) that do not lead to the worker they are for."""
    for worker, own in enumerate(case.lists):
        for entry in range(max(len(own), len(case.listens))):
            if own[entry : entry + 1] != case.listens[entry : entry + 1]:
                yield worker, entry


def right(case: Recorded) -> Found:
    """Return the first wrong entry in the first wrong list."""
    return next(_wrong(case), None)


def _not_like_the_first(case: Recorded) -> Found:
    """Worker 0's list is taken for the truth, and the entry is not looked at."""
    for worker, own in enumerate(case.lists):
        if own != case.lists[0]:
            return worker, 0
    return None


def _entry_not_like_the_first(case: Recorded) -> Found:
    for worker, own in enumerate(case.lists):
        for entry, address in enumerate(case.lists[0]):
            if own[entry : entry + 1] != (address,):
                return worker, entry
    return None


def _suspects_not_like_the_first(case: Recorded) -> Found:
    """Only lists that differ from worker 0's are looked at; then rightly."""
    for worker, own in enumerate(case.lists):
        if own != case.lists[0]:
            for entry, address in enumerate(own):
                if address != case.listens[entry]:
                    return worker, entry
    return None


def _as_long_as_the_first(case: Recorded) -> Found:
    length = len(case.lists[0])
    places = (place for place in _wrong(case) if place[1] < length)
    return next(places, None)


def _only_list_0(case: Recorded) -> Found:
    return next((place for place in _wrong(case) if place[0] == 0), None)


def _compared_by(part: Callable[[str], str]) -> Callable[[Recorded], Found]:
    """Compare parts of the addresses."""

    def find(case: Recorded) -> Found:
        lists = tuple(tuple(map(part, own)) for own in case.lists)
        return right(Recorded("", lists, tuple(map(part, case.listens))))

    return find


def _own_address_everywhere(case: Recorded) -> Found:
    for worker, own in enumerate(case.lists):
        for entry, address in enumerate(own):
            if address != case.listens[worker]:
                return worker, entry
    return None


def _membership(case: Recorded) -> Found:
    """An address is wrong only where nobody at all listens there."""
    for worker, own in enumerate(case.lists):
        for entry, address in enumerate(own):
            if address not in case.listens:
                return worker, entry
    return None


def _missing_here(case: Recorded) -> Found:
    """A worker is missing where its address is nowhere in the list."""
    for worker, own in enumerate(case.lists):
        for entry, address in enumerate(case.listens):
            if address not in own:
                return worker, entry
    return None


def _own_only(case: Recorded) -> Found:
    """Each worker's own entry only."""
    for worker, own in enumerate(case.lists):
        if worker < len(own) and own[worker] != case.listens[worker]:
            return worker, worker
    return None


def _own_skipped(case: Recorded) -> Found:
    return next((place for place in _wrong(case) if place[0] != place[1]), None)


def _common_believed(case: Recorded) -> Found:
    believed = max(case.lists, key=case.lists.count)
    return right(Recorded("", case.lists, believed))


def _zipped_with_first(case: Recorded) -> Found:
    return _zipped(Recorded("", case.lists, case.lists[0]))


def _zipped(case: Recorded) -> Found:
    """Stop where the shorter list ends."""
    for worker, own in enumerate(case.lists):
        for entry, (a, b) in enumerate(zip(own, case.listens, strict=False)):
            if a != b:
                return worker, entry
    return None


def _last(case: Recorded) -> Found:
    return max(_wrong(case), default=None)


def _by_entry(case: Recorded) -> Found:
    """The first entry over all lists comes first."""
    return min(_wrong(case), key=lambda place: place[::-1], default=None)


def _last_in_list(case: Recorded) -> Found:
    places = list(_wrong(case))
    return max((p for p in places if p[0] == places[0][0]), default=None)


def _swapped(case: Recorded) -> Found:
    place = right(case)
    return place and place[::-1]


def _from_one(case: Recorded) -> Found:
    place = right(case)
    return place and (place[0] + 1, place[1] + 1)


MISREADINGS: dict[str, tuple[Finder, str]] = {
    "first_list_believed": (
        _not_like_the_first,
        "worker 0's list is taken for the truth, and the entry is always 0. Where "
        "workers really listen is in `listens`.",
    ),
    "first_list_believed_entry_found": (
        _entry_not_like_the_first,
        "the entry is found, but worker 0's list is still taken for the truth. It "
        "may be the wrong one.",
    ),
    "first_list_still_compared": (
        _suspects_not_like_the_first,
        "the entry is looked for in `listens`, but only where a list differs from "
        "worker 0's. That one may be wrong, or all may be wrong in the same way.",
    ),
    "as_long_as_the_first": (
        _as_long_as_the_first,
        "entries are counted by worker 0's list. That one may be the short one: "
        "count those of `listens`.",
    ),
    "first_list_only": (
        _only_list_0,
        "only worker 0's list is looked at, as with a return in the outer loop.",
    ),
    "ports_only": (
        _compared_by(lambda address: address.split(":")[1]),
        "only ports are compared. The host may be wrong, too; and on real machines "
        "all workers may have the same port.",
    ),
    "hosts_only": (
        _compared_by(lambda address: address.split(":")[0]),
        "only hosts are compared. The port may be wrong.",
    ),
    "own_address_everywhere": (
        _own_address_everywhere,
        "each entry is compared with the worker's own address. Entry k is for "
        "worker k: compare it with listens[k].",
    ),
    "always_entry_0": (
        lambda case: (place := right(case)) and (place[0], 0),
        "the worker is found, but the entry is always 0.",
    ),
    "anybody_listens": (
        _membership,
        "an address passes where ANY worker listens there. Entry k must be the "
        "address of worker k: the right addresses in another order are wrong.",
    ),
    "nowhere_in_the_list": (
        _missing_here,
        "a worker is looked for anywhere in the list. Entry k must be the address "
        "of worker k.",
    ),
    "own_entry_only": (
        _own_only,
        "only each worker's own entry is looked at. Every entry counts, also those "
        "of the others.",
    ),
    "own_entry_skipped": (
        _own_skipped,
        "each worker's own entry is not looked at. Every entry counts, also the "
        "worker's own.",
    ),
    "most_common_list_believed": (
        _common_believed,
        "the list that most workers have is taken for the truth. All of them may "
        "have the same fault: where workers listen is in `listens`.",
    ),
    "first_list_believed_and_zipped": (
        _zipped_with_first,
        "each list is compared with worker 0's, which may be the wrong one. Where "
        "workers really listen is in `listens`.",
    ),
    "shorter_list": (
        _zipped,
        "where a list is too short, nothing is found (zip, for one, ends with the "
        "shorter). A missing entry is wrong, too.",
    ),
    "last_place": (
        _last,
        "it is the last wrong place. The first was asked for.",
    ),
    "first_entry_of_all": (
        _by_entry,
        "it goes through the entries first, and then through the workers. The "
        "first WORKER was asked for, and in its list the first entry.",
    ),
    "last_in_the_list": (
        _last_in_list,
        "the worker is right; the entry is the last wrong one of its list, not the "
        "first.",
    ),
    "swapped": (
        _swapped,
        "the two numbers are right, in the wrong order: first the worker, then the "
        "entry.",
    ),
    "from_one": (
        _from_one,
        "workers and entries are counted from 1; both count from 0.",
    ),
    "always_none": (
        lambda case: None,
        "it finds nothing in any recording.",
    ),
}
