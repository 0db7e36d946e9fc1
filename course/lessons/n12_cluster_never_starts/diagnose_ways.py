"""Ways to say what is wrong in TF_CONFIGs: the right one, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from course.lessons.n12_cluster_never_starts.config_sets import Configs

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


def _without(code: str, case: Configs) -> Found:
    return right(case, code)


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


def _empty_is_more(*codes: str) -> Callable[[Configs], Found]:
    """An empty TF_CONFIG has these codes, too."""

    def find(case: Configs) -> Found:
        alone = [worker for worker, code in right(case) if code == "alone"]
        return right(case) | {(w, code) for w in alone for code in codes}

    return find


def _index_0_is_none(case: Configs) -> Found:
    """`not index` is true of 0."""
    none = {
        (w, "no task") for w, c in enumerate(case.configs) if c and _index_of(c) < 1
    }
    return _changed(case, "no task", none)


def _task_only(case: Configs) -> Found:
    """A task without an index is let through."""
    lost = {(w, "no task") for w, c in enumerate(case.configs) if c and "task" not in c}
    return _changed(case, "no task", lost)


def _one_code_each(case: Configs) -> Found:
    """Of each worker, the first code in the order of the list."""
    found = sorted(right(case), key=lambda pair: CODES.index(pair[1]))
    return {next(p for p in found if p[0] == w) for w in {p[0] for p in found}}


def _order_ignored(case: Configs) -> Found:
    """Lists with the same addresses in another order count as equal."""

    def alike(clusters: list, own: dict) -> bool:
        lists = [sorted(c["worker"]) for c in clusters if c]
        return 2 * lists.count(sorted(own["worker"])) > len(clusters)

    return _by_majority(alike)(case)


MISREADINGS: dict[str, tuple[Callable[[Configs], Found], str]] = {
    "as_shipped": (
        shipped,
        "three things: worker 0's cluster is taken for the right one, of two equal "
        "indices only the later one is named, and the last index is len - 1.",
    ),
    "cluster_and_twin_as_shipped": (
        _partly("other cluster", "index twice"),
        "two things: worker 0's cluster is taken for the right one, and of two "
        "equal indices only the later one is named.",
    ),
    "cluster_and_range_as_shipped": (
        _partly("other cluster", "index out of range"),
        "two things: worker 0's cluster is taken for the right one, and the last "
        "index is len - 1.",
    ),
    "twin_and_range_as_shipped": (
        _partly("index twice", "index out of range"),
        "two things: of two equal indices only the later one is named, and the "
        "last index is len - 1.",
    ),
    "twin_as_shipped": (
        _partly("index twice"),
        "of two workers with the same index, only the later is named. Nobody knows "
        "which of them is wrong: name both, and count only those with an index.",
    ),
    "most_common_cluster": (
        _by_majority(_most_common),
        "the most common cluster is taken for the right one. It must be that of "
        "MORE THAN HALF; where none is, all are 'other cluster'.",
    ),
    "half_is_enough": (
        _by_majority(_half_is_enough),
        "exactly half of the workers is taken for more than half.",
    ),
    "half_of_those_with_a_cluster": (
        _by_majority(_half_of_the_others),
        "empty TF_CONFIGs are left out when half is counted. More than half of ALL "
        "workers was asked for.",
    ),
    "first_cluster_believed": (
        _believed,
        "worker 0's cluster is taken for the right one. Here the right one is what "
        "more than half of the workers have.",
    ),
    "later_twin_only": (
        _later_twin,
        "of two workers with the same index, only the later is named. Nobody knows "
        "which of them is wrong: name both.",
    ),
    "one_too_far": (
        _one_too_far,
        "an index that equals the number of addresses is let through. The last one "
        "is that number less 1.",
    ),
    "missing_index_twice": (
        _missing_twins,
        "two workers WITHOUT an index count as two with the same one.",
    ),
    **{
        f"empty_is_{name}": (
            _empty_is_more(*codes),
            "of an empty TF_CONFIG, more is said than 'alone'.",
        )
        for name, codes in (
            ("more", ("no task", "other cluster")),
            ("without_task", ("no task",)),
            ("another_cluster", ("other cluster",)),
        )
    },
    "index_0_is_none": (
        _index_0_is_none,
        "index 0 counts as none: `not 0` is true. Ask whether it is there.",
    ),
    "task_without_index": (
        _task_only,
        "'no task' is found only where the task is missing as a whole; a task may "
        "lack its index, too.",
    ),
    "one_code_each": (
        _one_code_each,
        "each worker has one code at most: an elif, or a return, ends the search. "
        "One TF_CONFIG may have several.",
    ),
    "order_ignored": (
        _order_ignored,
        "lists with the same addresses in another order count as equal. The order "
        "says who is who: it is another cluster.",
    ),
    **{
        f"never_{code.replace(' ', '_')}": (
            partial(_without, code),
            f"{code!r} is never found, the other codes are.",
        )
        for code in CODES
    },
    "nothing_found": (
        lambda case: set(),
        "nothing is found in any set.",
    ),
}
