"""Answers to 15/my_preflight, right and wrong, and what the check says of each."""

import json

from autograder.answers import crashed, right, wrong


@right
def loops(reports):
    """Two loops, and a list of lists."""
    found = []
    for worker in range(1, len(reports)):
        items = set(reports[worker]) | set(reports[0])
        for item in sorted(items):
            missing = object()
            theirs = reports[worker].get(item, missing)
            if theirs != reports[0].get(item, missing):
                found.append([worker, item])
    return found


@right
def preflight_set(reports):
    """A set of all pairs that fit."""
    chief = reports[0]
    return {
        (worker, item)
        for worker, own in enumerate(reports)
        for item in own.keys() | chief.keys()
        if item not in own or item not in chief or own[item] != chief[item]
    }


@wrong("missing_is_empty")
def empty_by_default(reports):
    """An empty text stands for what is missing, and nothing is as good as empty."""
    found = []
    for worker in range(1, len(reports)):
        for item in set(reports[worker]) | set(reports[0]):
            one, other = reports[worker].get(item, ""), reports[0].get(item, "")
            if one != other and (one or other):
                found.append((worker, item))
    return found


@right
def text(reports):
    """Items are compared as JSON."""

    def texts(report):
        return {(item, json.dumps(value)) for item, value in report.items()}

    chief = texts(reports[0])
    found = set()
    for worker, own in enumerate(reports):
        for item, _ in texts(own) ^ chief:
            found.add((worker, item))
    return found


@crashed
def key_error(reports):
    """Not every report has every item."""
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in own:
            if own[item] != chief[item]:
                found.add((worker, item))
    return found


@wrong
def nothing(reports):
    """It prints, and returns nothing."""
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in {*own, *chief}:
            if own.get(item) != chief.get(item):
                print(worker, item)
    print(found)
