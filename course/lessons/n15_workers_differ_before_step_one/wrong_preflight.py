"""Wrong answers to 15/my_preflight: each is the mistake of its name."""

from __future__ import annotations

import copy

from course.checks.exercises import wrong_answers
from course.lessons.n15_workers_differ_before_step_one.reports import Report

Pairs = set[tuple[int, str]]


def preflight(reports: list[Report]) -> Pairs:
    """Return (worker, item) wherever a report differs from the chief's."""
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in {*own, *reports[0]}
        if (item in own) != (item in reports[0])
        or own.get(item) != reports[0].get(item)
    }


def neighbours(reports: list[Report]) -> Pairs:
    """Each worker is compared with the one before it, so that a second worker with the
    same fault goes unseen and a sound one behind it is named. What is missing in its
    report goes unseen, too.
    """
    return {
        (worker, item)
        for worker in range(1, len(reports))
        for item in reports[worker]
        if reports[worker][item] != reports[worker - 1].get(item)
    }


def neighbours_all_items(reports: list[Report]) -> Pairs:
    """Each worker is compared with the one before it. A second worker with the same
    fault goes unseen, and a sound one behind it is named.
    """
    return {
        (worker, item)
        for worker in range(1, len(reports))
        for item in {*reports[worker], *reports[worker - 1]}
        if reports[worker].get(item) != reports[worker - 1].get(item)
    }


def majority(reports: list[Report]) -> Pairs:
    """Each worker is compared with what most of them report. Asked is the chief's:
    where it is the odd one, all others differ from it.
    """
    nothing, found = object(), set()
    for item in {item for report in reports for item in report}:
        values = [report.get(item, nothing) for report in reports]
        usual = max(values, key=values.count)
        found |= {(w, item) for w, value in enumerate(values) if value != usual}
    return found


def own_items(reports: list[Report]) -> Pairs:
    """Only what a worker reports is compared: what is missing in its report, and the
    chief has, goes unseen.
    """
    return {(w, i) for w, i in preflight(reports) if i in reports[w]}


def chiefs_items(reports: list[Report]) -> Pairs:
    """Only what the chief reports is compared: what another worker has besides goes
    unseen.
    """
    return {(w, i) for w, i in preflight(reports) if i in reports[0]}


def common_items(reports: list[Report]) -> Pairs:
    """An item that only one of the two reports has goes unseen. It differs, too."""
    return {
        (w, i) for w, i in preflight(reports) if i in reports[w] and i in reports[0]
    }


def missing_is_none(reports: list[Report]) -> Pairs:
    """An item that is missing counts as equal to one whose value is None: `get` gives
    None for both.
    """
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in {*own, *reports[0]}
        if own.get(item) != reports[0].get(item)
    }


def compared_as_text(reports: list[Report]) -> Pairs:
    """Values are compared as `str` writes them: None and the text "None" are different
    values.
    """
    nothing = object()
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in {*own, *reports[0]}
        if str(own.get(item, nothing)) != str(reports[0].get(item, nothing))
    }


def missing_is_empty(reports: list[Report]) -> Pairs:
    """An item that is missing counts as equal to one whose value is None, False or
    empty.
    """
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in {*own, *reports[0]}
        if (own.get(item) or None) != (reports[0].get(item) or None)
    }


def files_unordered(reports: list[Report]) -> Pairs:
    """The files are sorted before they are compared. Workers that read them in another
    order have another data set for each step.
    """
    changed = copy.deepcopy(reports)
    for own in changed:
        own["files"] = sorted(own["files"])
    return preflight(changed)


def all_unordered(reports: list[Report]) -> Pairs:
    """Lists are sorted before they are compared. The order of files, and that in which
    variables were made, must be equal, too.
    """
    changed = copy.deepcopy(reports)
    for own in changed:
        own.update(files=sorted(own["files"]), weights=sorted(own["weights"]))
    return preflight(changed)


def by_majority(reports: list[Report]) -> Pairs:
    """What most workers have is taken for right. All workers follow the chief, even
    where it is the odd one.
    """
    found = set()
    for item in {item for own in reports for item in own}:
        values = [repr(own.get(item)) for own in reports]
        usual = max(values, key=values.count)
        found |= {(w, item) for w, value in enumerate(values) if value != usual}
    return found


def two_workers(reports: list[Report]) -> Pairs:
    """Only workers 0 and 1 are compared."""
    return preflight(reports[:2])


def first_item_only(reports: list[Report]) -> Pairs:
    """Of each worker only one difference is named. There can be more."""
    found = preflight(reports)
    order = [*reports[0], *(i for own in reports for i in own if i not in reports[0])]
    first = {}
    for item in order:
        for worker in range(len(reports)):
            if (worker, item) in found:
                first.setdefault(worker, item)
    return set(first.items())


def first_worker_only(reports: list[Report]) -> Pairs:
    """The function ends at the first worker that differs. There can be more."""
    found = preflight(reports)
    least = min((w for w, _ in found), default=0)
    return {(w, item) for w, item in found if w == least}


def all_workers_named(reports: list[Report]) -> Pairs:
    """Where one worker differs in an item, all are named for it."""
    items = {item for _, item in preflight(reports)}
    return {(worker, item) for worker in range(len(reports)) for item in items}


def all_others_named(reports: list[Report]) -> Pairs:
    """Where one worker differs in an item, all but the chief are named for it."""
    return {(w, item) for w, item in all_workers_named(reports) if w}


def weights_left_out(reports: list[Report]) -> Pairs:
    """The weights are not compared."""
    return {(w, item) for w, item in preflight(reports) if item != "weights"}


def counted_from_1(reports: list[Report]) -> Pairs:
    """Workers count from 0."""
    return {(worker + 1, item) for worker, item in preflight(reports)}


def never(reports: list[Report]) -> Pairs:
    """It finds no difference anywhere."""
    return set()


MISTAKES = wrong_answers(__name__, preflight)
