"""Further exercise: break right TF_CONFIGs so that the error blames another process."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course.checks.exercises import (
    Data,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.lessons.n13_cluster_never_starts.cluster_starts import Job, start_clusters
from course.lessons.n13_cluster_never_starts.foreseen import foreseen
from course.lessons.n13_cluster_never_starts.starts import add_up, right, texts_from
from course.lessons.n13_cluster_never_starts.written import (
    PROCESSES,
    in_short,
    letters_of,
)
from course.lessons.n13_cluster_never_starts.wrong_late_error import (
    MISTAKES,
    late_error,
)

_NAMED = re.compile(r"ipv4:([\d.]+:\d+)")
_SILENT = re.compile(r"failed to connect to all addresses$")  # before TensorFlow 2.20


@dataclass(frozen=True)
class Processes:
    """Some processes on 127.0.0.1."""

    count: int

    def __str__(self) -> str:
        return f"{self.count} hosts on 127.0.0.1"


def observe(function: Callable, case: Processes) -> Data:
    """Start real processes with the texts that `function(hosts, nobody)` returns.

    Raises:
        WrongReturn: it does not return one text for each host.
    """

    def configs(hosts: list[str], nobody: str) -> list[object]:
        return texts_from(function(list(hosts), nobody), len(hosts))

    (start,) = start_clusters(add_up, [Job(configs, "", case.count)])
    members = start.members
    return {
        "addresses": np.array([*start.at.values()]),  # the last is nobody's
        "texts": np.array([member.config for member in members]),
        "outcomes": np.array([member.outcome for member in members]),
        "errors": np.array([member.error for member in members]),
        "returned": np.array([str(member.value) for member in members]),
        "counted": np.array([(m.facts or {}).get("counted", 0) for m in members]),
    }


def _read(case: Processes, data: Data) -> Observation:
    """Say which texts are right, which processes got an error, and what it names."""
    came = {name: array.tolist() for name, array in data.items()}
    *hosts, nobody = came["addresses"]
    same = [text == own for text, own in zip(came["texts"], right(hosts), strict=True)]
    errors = [outcome == "raised" for outcome in came["outcomes"]]
    named = [place for error in came["errors"] for place in _NAMED.findall(error)]
    if any(map(_SILENT.search, came["errors"])):
        named += hosts[:1]  # it names no address, so no wrong one
    told = _told(letters_of(hosts, nobody), came, same)
    return _observation(same, came["counted"], errors, named, hosts, told)


def _observation(
    same: Sequence[bool],
    counted: Sequence[int],
    errors: Sequence[bool],
    named: Sequence[str],
    hosts: Sequence[str],
    told: str = "",
) -> Observation:
    """Return in a row: texts changed, an error, what it names, what each counted."""
    innocent = any(e and s for e, s in zip(errors, same, strict=True))
    values = [
        len(same) - sum(same),
        innocent,
        bool(named) and set(named) <= set(hosts),
        *counted,
    ]
    return Observation(np.array(values, dtype=float), told=told)


def _told(at: Mapping[str, str], came: Mapping[str, list], same: list[bool]) -> str:
    names = {address: letter for letter, address in at.items()}
    said = []
    for k, config in enumerate(came["texts"]):
        short = in_short(config, at)
        wrong = f'its text is "{short}"' if short else "its text is wrong"
        text = "its text is right" if same[k] else wrong
        error = came["errors"][k]
        error = _NAMED.sub(lambda m: f"{m[0]} ({names.get(m[1], '?')})", error)
        end = {"raised": error, "returned": f"done: returned {came['returned'][k]}"}
        ended = end.get(came["outcomes"][k], "waits, no error")
        said.append(f"{_counts(k, came['counted'][k], text)}: {ended}")
    return "; ".join(said)


def _counts(process: int, count: int, text: str = "") -> str:
    replicas = "1 replica" if count == 1 else f"{count} replicas"
    return f"{PROCESSES[process]}{f' ({text})' * bool(text)} counted {replicas}"


def _foresee(function: Callable, case: Processes) -> Observation:
    """Return what the texts give according to the rules of a start."""
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


def _compare(case: Processes, got: Observation, truth: Observation) -> Difference:
    wrong, _, _, *counted = got.values.astype(int)
    texts = "1 text is wrong" if wrong == 1 else f"{wrong} texts are wrong"
    counts = "; ".join(_counts(k, count) for k, count in enumerate(counted))
    return Difference(
        f"Real processes were started: {got.told or f'{texts}; {counts}'}.",
        "Expected: one text is wrong, and all processes count all replicas. Then a "
        "process whose text is right gets an error. Each address that an error names "
        "is one of the hosts.",
    )


MY_LATE_ERROR = Exercise(
    name="13/my_late_error",
    cases=lambda rng: [Processes(2), Processes(3)],
    observe=observe,
    expect=lambda case: _foresee(late_error, case),
    compare=_compare,
    mistakes=shown_by(_foresee, *MISTAKES),
    read=_read,
    right="Two real clusters were started with it. All processes counted all replicas. "
    "Then one whose text is right got an error that names a right address.",
)
