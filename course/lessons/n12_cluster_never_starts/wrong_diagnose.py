"""Wrong answers to 12/my_diagnose: each is the mistake of its name."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter

from course.checks.exercises import wrong_answers
from course.lessons.n12_cluster_never_starts.config_sets import (
    CODES,
    Found,
    index_of,
    whats_wrong,
)


def as_shipped(configs: list[dict]) -> Found:
    """Three things: worker 0's cluster is taken for the right one, of two equal indices
    only the later one is named, and the last index is len - 1.
    """
    found = {(worker, "alone") for worker, config in enumerate(configs) if not config}
    tasks = [config.get("task") for config in configs]
    for worker, config in enumerate(configs):
        hosts, index = config.get("cluster", {}).get("worker", []), index_of(config)
        codes = {
            "other cluster": config.get("cluster") != configs[0].get("cluster"),
            "no task": index < 0,
            "index out of range": index > len(hosts),
            "index twice": tasks[worker] in tasks[:worker],
        }
        found |= {(worker, code) for code in codes if config and codes[code]}
    return found


def _still(configs: list[dict], *codes: str) -> Found:
    """These codes as shipped, the others mended."""
    old = {each for each in as_shipped(configs) if each[1] in codes}
    return whats_wrong(configs, *codes) | old


def _other(configs: list[dict], code: str, has: Callable[[dict], bool]) -> Found:
    """The code for every TF_CONFIG that has it by another rule, the others mended."""
    found = {(w, code) for w, config in enumerate(configs) if config and has(config)}
    return whats_wrong(configs, code) | found


def _rare(
    configs: list[dict], most: float, told: Callable = itemgetter("cluster")
) -> Found:
    """'other cluster' where no more than `most` have it, by what is `told` of each."""
    all_told = [told(config) for config in configs if config]
    return _other(configs, "other cluster", lambda c: all_told.count(told(c)) <= most)


def _also(configs: list[dict], *codes: str) -> Found:
    """These codes for each empty TF_CONFIG, too."""
    alone = [worker for worker, config in enumerate(configs) if not config]
    return whats_wrong(configs) | {(worker, code) for worker in alone for code in codes}


def cluster_and_twin_as_shipped(configs: list[dict]) -> Found:
    """Two things: worker 0's cluster is taken for the right one, and of two equal
    indices only the later one is named.
    """
    return _still(configs, "other cluster", "index twice")


def cluster_and_range_as_shipped(configs: list[dict]) -> Found:
    """Two things: worker 0's cluster is taken for the right one, and the last index is
    len - 1.
    """
    return _still(configs, "other cluster", "index out of range")


def twin_and_range_as_shipped(configs: list[dict]) -> Found:
    """Two things: of two equal indices only the later one is named, and the last index
    is len - 1.
    """
    return _still(configs, "index twice", "index out of range")


def twin_as_shipped(configs: list[dict]) -> Found:
    """Of two workers with the same index, only the later is named. Nobody knows which
    of them is wrong: name both, and count only those with an index.
    """
    return _still(configs, "index twice")


def most_common_cluster(configs: list[dict]) -> Found:
    """The most common cluster is taken for the right one. It must be that of MORE THAN
    HALF; where none is, all are 'other cluster'.
    """
    clusters = [config["cluster"] for config in configs if config]
    usual = max(clusters, key=clusters.count)
    return _other(configs, "other cluster", lambda config: config["cluster"] != usual)


def half_is_enough(configs: list[dict]) -> Found:
    """Exactly half of the workers is taken for more than half."""
    return _rare(configs, (len(configs) - 1) / 2)


def half_of_those_with_a_cluster(configs: list[dict]) -> Found:
    """Empty TF_CONFIGs are left out when half is counted. More than half of ALL workers
    was asked for.
    """
    return _rare(configs, sum(map(bool, configs)) / 2)


def first_cluster_believed(configs: list[dict]) -> Found:
    """Worker 0's cluster is taken for the right one. Here the right one is what more
    than half of the workers have.
    """
    return _still(configs, "other cluster")


def later_twin_only(configs: list[dict]) -> Found:
    """Of two workers with the same index, only the later is named. Nobody knows which
    of them is wrong: name both.
    """
    found = whats_wrong(configs)
    twins = [each for each in found if each[1] == "index twice"]
    return found - {min(twins, default=None)}


def one_too_far(configs: list[dict]) -> Found:
    """An index that equals the number of addresses is let through. The last one is that
    number less 1.
    """
    return _still(configs, "index out of range")


def missing_index_twice(configs: list[dict]) -> Found:
    """Two workers WITHOUT an index count as two with the same one."""
    indices = [index_of(config) for config in configs]
    return _other(configs, "index twice", lambda c: indices.count(index_of(c)) > 1)


def empty_is_more(configs: list[dict]) -> Found:
    """Of an empty TF_CONFIG, more is said than 'alone'."""
    return _also(configs, "no task", "other cluster")


def empty_is_without_task(configs: list[dict]) -> Found:
    """Of an empty TF_CONFIG, more is said than 'alone'."""
    return _also(configs, "no task")


def empty_is_another_cluster(configs: list[dict]) -> Found:
    """Of an empty TF_CONFIG, more is said than 'alone'."""
    return _also(configs, "other cluster")


def index_0_is_none(configs: list[dict]) -> Found:
    """Index 0 counts as none: `not 0` is true. Ask whether it is there."""
    return _other(configs, "no task", lambda config: index_of(config) < 1)


def task_without_index(configs: list[dict]) -> Found:
    """'no task' is found only where the task is missing as a whole; a task may lack its
    index, too.
    """
    return _other(configs, "no task", lambda config: "task" not in config)


def one_code_each(configs: list[dict]) -> Found:
    """Each worker has one code at most: an elif, or a return, ends the search. One
    TF_CONFIG may have several.
    """
    first: dict[int, str] = {}
    for worker, code in sorted(whats_wrong(configs), key=lambda f: CODES.index(f[1])):
        first.setdefault(worker, code)
    return set(first.items())


def order_ignored(configs: list[dict]) -> Found:
    """Lists with the same addresses in another order count as equal. The order says who
    is who: it is another cluster.
    """
    half = len(configs) / 2
    return _rare(configs, half, lambda config: sorted(config["cluster"]["worker"]))


def _never(code: str) -> Callable[[list[dict]], Found]:
    """Return the answer that lacks a code."""

    def answer(configs: list[dict]) -> Found:
        return whats_wrong(configs, code)

    answer.__name__ = f"never_{code.replace(' ', '_')}"
    answer.__doc__ = f"{code!r} is never found, the other codes are."
    return answer


def nothing_found(configs: list[dict]) -> Found:
    """Nothing is found in any set."""
    return set()


MISTAKES = (*wrong_answers(__name__), *map(_never, CODES))
