"""Further exercise: break right TF_CONFIGs so that the error blames somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n13_cluster_never_starts.cluster_starts import (
    ClusterStart,
    Job,
    start_clusters,
)
from course.lessons.n13_cluster_never_starts.foreseen import foreseen
from course.lessons.n13_cluster_never_starts.starts import add_up, right, texts_from
from course.lessons.n13_cluster_never_starts.written import letters_of
from course.lessons.n13_cluster_never_starts.wrong_late_error import (
    MISTAKES,
    late_error,
)

_NAMED = re.compile(r"ipv4:([\d.]+:\d+)")
_SILENT = re.compile(r"failed to connect to all addresses$")  # before TensorFlow 2.20


@dataclass(frozen=True)
class Workers:
    """So many workers on 127.0.0.1."""

    count: int

    def __str__(self) -> str:
        return f"{self.count} hosts on 127.0.0.1"


def observe(function: Callable, case: Workers) -> Observation:
    """Start real workers with the texts that `function(hosts, nobody)` returns.

    Raises:
        TypeError: it does not return one text for each host.
    """

    def configs(hosts: list[str], nobody: str) -> list[object]:
        return texts_from(function(list(hosts), nobody), len(hosts))

    (start,) = start_clusters(add_up, [Job(configs, "", case.count)])
    hosts = [*start.at.values()][:-1]
    same = [
        m.config == text for m, text in zip(start.members, right(hosts), strict=True)
    ]
    counted = [(m.facts or {}).get("counted", 0) for m in start.members]
    errors = [member.outcome == "raised" for member in start.members]
    named = [place for m in start.members for place in _NAMED.findall(m.error)]
    if any(_SILENT.search(member.error) for member in start.members):
        named += hosts[:1]  # it names nobody, so nobody who is not there
    return _observation(
        same, counted, errors, named, hosts, _told(start, same, counted)
    )


def _observation(
    same: Sequence[bool],
    counted: Sequence[int],
    errors: Sequence[bool],
    named: Sequence[str],
    hosts: Sequence[str],
    told: str = "",
) -> Observation:
    """Put in a row: texts changed, replicas counted, an error, what it names."""
    innocent = any(e and s for e, s in zip(errors, same, strict=True))
    values = [
        len(same) - sum(same),
        sum(counted),
        innocent,
        bool(named) and set(named) <= set(hosts),
    ]
    return Observation(np.array(values, dtype=float), told=told)


def _told(start: ClusterStart, same: list[bool], counted: list[int]) -> str:
    names = {address: letter for letter, address in start.at.items()}
    said = []
    for k, member in enumerate(start.members):
        text = "its text is right" if same[k] else f"its text is {member.config}"
        error = _NAMED.sub(lambda m: f"{m[0]} ({names.get(m[1], '?')})", member.error)
        end = {"raised": error, "returned": f"done with {member.value}"}
        ended = end.get(member.outcome, "waits, no error")
        said.append(f"worker {k} ({text}) counted {counted[k]} replicas: {ended}")
    return "; ".join(said)


def _foresee(function: Callable, case: Workers) -> Observation:
    """Return what comes of texts whose start the rules foresee."""
    at = letters_of([f"127.0.0.1:{k}" for k in range(case.count)], "127.0.0.1:9")
    hosts = [*at.values()][:-1]
    texts = function(list(hosts), at["x"])
    same = [text == own for text, own in zip(texts, right(hosts), strict=True)]
    seen = foreseen(texts)
    fails = set(range(case.count)) if seen.odd else set(seen.in_vain)
    if seen.in_vain and case.count > 2:  # one more gets an error, any of the others
        fails |= set(range(case.count))
    errors = [worker in fails for worker in range(case.count)]
    return _observation(same, seen.counted, errors, [*seen.in_vain.values()], hosts)


def _compare(case: Workers, got: Observation, truth: Observation) -> Difference:
    wrong, counted, *_ = got.values.astype(int)
    told = got.told or f"wrong texts {wrong}, replicas counted by all workers {counted}"
    return Difference(
        f"Real workers were started: {told}.",
        "Expected: one text is wrong. All workers count all replicas. Then comes an "
        "error, in a worker whose text is right; and each address that errors name "
        "is one of the hosts.",
    )


MY_LATE_ERROR = Exercise(
    name="13/my_late_error",
    cases=lambda rng: [Workers(2), Workers(3)],
    observe=observe,
    expect=lambda case: _foresee(late_error, case),
    compare=_compare,
    mistakes=shown_by(_foresee, *MISTAKES),
    right="Two real clusters were started with it: all counted all replicas, and the "
    "error came to a worker whose text is right and named an address that is right.",
)
