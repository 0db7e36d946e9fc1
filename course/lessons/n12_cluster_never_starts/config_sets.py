"""TF_CONFIGs of whole clusters, with known faults, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CODES = (
    "alone",
    "other cluster",
    "no task",
    "index out of range",
    "index twice",
)
Found = set[tuple[int, str]]


@dataclass(frozen=True)
class Configs:
    """What the TF_CONFIGs of all workers say, as dictionaries."""

    label: str
    configs: tuple[dict, ...]

    def __str__(self) -> str:
        return f"{self.label} ({len(self.configs)} workers)"


def draw(rng: np.random.Generator) -> list[Configs]:
    """Draw healthy sets and sets with one fault or several."""
    makers = {
        "a healthy set": lambda c: None,
        "two workers with one index": lambda c: _index(c, 3, 1),
        "an index too large": lambda c: _index(c, 2, len(c)),
        "an empty TF_CONFIG": lambda c: c[1].clear(),
        "a list of its own": lambda c: _list(c, 0).reverse(),
        "a list that lacks one": lambda c: _list(c, len(c) - 1).pop(),
        "a lost task": lambda c: c[2].pop("task"),
        "a task without index": lambda c: c[0]["task"].pop("index"),
        "two lost tasks": lambda c: [each.pop("task") for each in c[1:3]],
        "two indices too large": lambda c: [_index(c, i, len(c)) for i in (0, 2)],
        "several faults": _several,
    }
    some = [
        _drawn(label, spoil, int(rng.integers(4, 6)), rng)
        for label, spoil in makers.items()
    ]
    return [
        *some,
        _drawn("two clusters of equal size", _halves, 4, rng),
        _drawn("two empty ones among five", _two_empty, 5, rng),
        _drawn("one cluster beside four others", _all_but_two_differ, 5, rng),
    ]


def _drawn(label, spoil, count: int, rng: np.random.Generator) -> Configs:
    ports = rng.choice(np.arange(2_000, 9_000), count, replace=False)
    hosts = [f"node{i}:{port}" for i, port in enumerate(ports)]
    configs = [
        {"cluster": {"worker": list(hosts)}, "task": {"type": "worker", "index": i}}
        for i in range(count)
    ]
    spoil(configs)
    return Configs(label, tuple(configs))


def _index(configs: list[dict], worker: int, index: int) -> None:
    configs[worker]["task"]["index"] = index


def _list(configs: list[dict], worker: int) -> list[str]:
    return configs[worker]["cluster"]["worker"]


def _halves(configs: list[dict]) -> None:
    for worker in (1, 3):
        _list(configs, worker)[0] = "node0:1"


def _two_empty(configs: list[dict]) -> None:
    configs[0].clear()
    configs[3].clear()
    _list(configs, 2)[4] = "node4:1"


def _all_but_two_differ(configs: list[dict]) -> None:
    for worker in (1, 2, 4):
        _list(configs, worker)[0] = f"node0:{worker}"


def _several(configs: list[dict]) -> None:
    configs[0].clear()
    _list(configs, 1)[2] = "node2:1"
    _index(configs, 2, len(configs) + 1)
    _index(configs, 3, 1)


def whats_wrong(configs: Sequence[dict], *without: str) -> Found:
    """Return what is wrong in which worker's TF_CONFIG, `without` some codes."""
    clusters = [config.get("cluster") for config in configs]
    indices = [index_of(config) for config in configs]
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


def index_of(config: dict) -> int:
    """Return the index of a TF_CONFIG's task, or -1."""
    return config.get("task", {}).get("index", -1)
