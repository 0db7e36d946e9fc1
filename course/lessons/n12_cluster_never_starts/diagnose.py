"""Further exercise: name what is wrong in TF_CONFIGs, without starting anything."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.lessons.n12_cluster_never_starts.config_sets import Configs, draw

CODES = (
    "alone",
    "other cluster",
    "no task",
    "index out of range",
    "index twice",
)
Found = set[tuple[int, str]]


def right(case: Configs, *without: str) -> Found:
    """Return what is wrong in which worker's TF_CONFIG, `without` some codes."""
    clusters = [config.get("cluster") for config in case.configs]
    indices = [_index_of(config) for config in case.configs]
    found = set()
    for worker, (cluster, index) in enumerate(zip(clusters, indices, strict=True)):
        if not cluster:
            found.add((worker, "alone"))
            continue
        codes = {
            "other cluster": 2 * clusters.count(cluster) <= len(clusters),
            "no task": index < 0,
            "index out of range": index >= len(cluster["worker"]),
            "index twice": index >= 0 and indices.count(index) > 1,
        }
        found |= {(worker, code) for code in codes if codes[code]}
    return {each for each in found if each[1] not in without}


def _index_of(config: dict) -> int:
    return config.get("task", {}).get("index", -1)


def shipped(case: Configs) -> Found:
    """What the notebook ships: worker 0 is believed, only later twins are seen."""
    configs = case.configs
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    for worker, config in enumerate(configs):
        hosts, index = config.get("cluster", {}).get("worker", []), _index_of(config)
        codes = {
            "other cluster": config.get("cluster") != configs[0].get("cluster"),
            "no task": index < 0,
            "index out of range": index > len(hosts),
            "index twice": config.get("task")
            in [each.get("task") for each in configs[:worker]],
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found


def _changed(case: Configs, code: str, found: Found) -> Found:
    """The right answer with another set for one code."""
    return right(case, code) | {each for each in found if each[1] == code}


def _partly(*codes: str) -> Callable[[Configs], Found]:
    """These rules as shipped, the others mended."""

    def find(case: Configs) -> Found:
        old = {each for each in shipped(case) if each[1] in codes}
        return right(case, *codes) | old

    return find


def _by_majority(enough: Callable[[list, dict], bool]) -> Callable[[Configs], Found]:
    """`enough(all clusters, cluster)` says whether a cluster is the right one."""

    def find(case: Configs) -> Found:
        clusters = [config.get("cluster") for config in case.configs]
        other = {
            (w, "other cluster")
            for w, own in enumerate(clusters)
            if own and not enough(clusters, own)
        }
        return _changed(case, "other cluster", other)

    return find


def _most_common(clusters: list, own: dict) -> bool:
    return own == max(filter(None, clusters), key=clusters.count)


def _half_is_enough(clusters: list, own: dict) -> bool:
    return 2 * clusters.count(own) >= len(clusters)


def _half_of_the_others(clusters: list, own: dict) -> bool:
    return 2 * clusters.count(own) > sum(map(bool, clusters))


def _one_too_far(case: Configs) -> Found:
    """An index that equals the number of addresses is allowed."""
    late = {
        (w, "index out of range")
        for w, c in enumerate(case.configs)
        if c and _index_of(c) > len(c["cluster"]["worker"])
    }
    return _changed(case, "index out of range", late)


def _believed(case: Configs) -> Found:
    """Worker 0's cluster is taken for the right one."""
    first = case.configs[0].get("cluster")
    other = {
        (w, "other cluster")
        for w, c in enumerate(case.configs)
        if c and c["cluster"] != first
    }
    return _changed(case, "other cluster", other)


def _later_twin(case: Configs) -> Found:
    """Of two workers with one index, only the later is named."""
    twins = [each for each in right(case) if each[1] == "index twice"]
    return right(case) - {min(twins, default=None)}


def _missing_twins(case: Configs) -> Found:
    """No index counts as an index that others may have, too."""
    lost = [worker for worker, code in right(case) if code == "no task"]
    none = sum(_index_of(config) < 0 for config in case.configs)
    return right(case) | {(w, "index twice") for w in lost if none > 1}


def _empty_is_more(case: Configs) -> Found:
    """An empty TF_CONFIG lacks a task and has another cluster, too."""
    alone = [worker for worker, code in right(case) if code == "alone"]
    more = {(w, code) for w in alone for code in ("no task", "other cluster")}
    return right(case) | more


def observation(case: Configs, found: object) -> Observation:
    """Return 1.0 for each (worker, code) that is in the answer.

    Raises:
        TypeError: it is not a set of such pairs.
    """
    wanted = "a set of pairs (worker, code), the codes as in the list above"
    if not isinstance(found, set | frozenset | list | tuple):
        raise TypeError(f"the function returned {found!r}; it must return {wanted}")
    values = np.zeros((len(case.configs), len(CODES)))
    for each in found:
        pair = tuple(each) if isinstance(each, tuple | list) else ()
        if len(pair) != 2 or pair[1] not in CODES or pair[0] not in range(len(values)):
            raise TypeError(f"{each!r} is in the answer; it must be {wanted}")
        values[int(pair[0]), CODES.index(pair[1])] = 1.0
    return Observation(values.ravel())


def _words(case: Configs, values: np.ndarray) -> str:
    pairs = np.argwhere(values.reshape(len(case.configs), len(CODES)))
    return ", ".join(f"({w}, {CODES[c]!r})" for w, c in pairs) or "nothing"


def _compare(case: Configs, got: Observation, truth: Observation) -> Difference:
    return Difference(
        f"It found {_words(case, got.values)}.",
        f"Expected: {_words(case, truth.values)}.",
    )


def _mistake(code: str, find: Callable[[Configs], Found], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: observation(case, find(case)))


def _forgets(code: str) -> Mistake:
    name = code.replace(" ", "_")
    return _mistake(
        f"never_{name}",
        lambda case: right(case, code),
        f"{code!r} is never found, the other codes are.",
    )


MY_DIAGNOSE = Exercise(
    name="12/my_diagnose",
    cases=draw,
    observe=lambda function, case: observation(
        case, function(copy.deepcopy(list(case.configs)))
    ),
    expect=lambda case: observation(case, right(case)),
    compare=_compare,
    mistakes=(
        _mistake(
            "as_shipped",
            shipped,
            "three things: worker 0's cluster is taken for the right one, of two equal "
            "indices only the later one is named, and the last index is len - 1.",
        ),
        _mistake(
            "cluster_and_twin_as_shipped",
            _partly("other cluster", "index twice"),
            "two things: worker 0's cluster is taken for the right one, and of two "
            "equal indices only the later one is named.",
        ),
        _mistake(
            "cluster_and_range_as_shipped",
            _partly("other cluster", "index out of range"),
            "two things: worker 0's cluster is taken for the right one, and the last "
            "index is len - 1.",
        ),
        _mistake(
            "twin_and_range_as_shipped",
            _partly("index twice", "index out of range"),
            "two things: of two equal indices only the later one is named, and the "
            "last index is len - 1.",
        ),
        _mistake(
            "twin_as_shipped",
            _partly("index twice"),
            "of two workers with the same index, only the later is named. Nobody knows "
            "which of them is wrong: name both, and count only workers that have one.",
        ),
        _mistake(
            "most_common_cluster",
            _by_majority(_most_common),
            "the most common cluster is taken for the right one. It must be that of "
            "MORE THAN HALF; where none is, all are 'other cluster'.",
        ),
        _mistake(
            "half_is_enough",
            _by_majority(_half_is_enough),
            "exactly half of the workers is taken for more than half.",
        ),
        _mistake(
            "half_of_those_with_a_cluster",
            _by_majority(_half_of_the_others),
            "empty TF_CONFIGs are left out when half is counted. More than half of ALL "
            "workers was asked for.",
        ),
        _mistake(
            "first_cluster_believed",
            _believed,
            "worker 0's cluster is taken for the right one. Here the right one is what "
            "more than half of the workers have.",
        ),
        _mistake(
            "later_twin_only",
            _later_twin,
            "of two workers with the same index, only the later is named. Nobody knows "
            "which of them is wrong: name both.",
        ),
        _mistake(
            "one_too_far",
            _one_too_far,
            "an index that equals the number of addresses is let through. The last one "
            "is that number less 1.",
        ),
        _mistake(
            "missing_index_twice",
            _missing_twins,
            "two workers WITHOUT an index count as two with the same one.",
        ),
        _mistake(
            "empty_is_more",
            _empty_is_more,
            "of an empty TF_CONFIG, more is said than 'alone'.",
        ),
        *map(_forgets, CODES),
        _mistake(
            "nothing_found",
            lambda case: set(),
            "nothing is found in any set.",
        ),
    ),
    right="Right on fourteen sets: a healthy one, one fault, two of a kind, several.",
)
