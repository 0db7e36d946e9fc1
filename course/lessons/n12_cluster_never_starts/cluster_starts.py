"""Start a real cluster with given TF_CONFIGs; record who listened where, what came.

While TensorFlow waits for other workers, no Python runs in a worker. So its ports are
read from outside.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from course.runs.cluster import Cluster, End, note

LONGEST = 200  # characters of an error that are kept
_ABORTED = re.compile(r"Collective ops is aborted by: (.*)")
EVERY = 0.05  # seconds between two looks at the ports


@dataclass(frozen=True)
class Member:
    """One worker of a start.

    config: its TF_CONFIG; None: the variable was not set.
    listens: the ports on which TensorFlow waited for calls there.
    outcome: "returned", "raised", "waited", "left" or "killed".
    error: the error's class and words, or "".
    line: where it stood when it was stopped, or "".
    value: what its function returned.
    """

    config: str | None
    listens: tuple[int, ...]
    outcome: str
    error: str = ""
    line: str = ""
    value: object = None


@dataclass(frozen=True)
class ClusterStart:
    """What came of starting workers on 127.0.0.1.

    label: how figures name it.
    hosts: where worker 0, worker 1, ... are to listen, such as "127.0.0.1:20000".
    """

    label: str
    hosts: tuple[str, ...]
    members: tuple[Member, ...]

    @property
    def lists(self) -> list[list[str]]:
        """The addresses of all workers as each TF_CONFIG has them."""
        return [_cluster(member.config).get("worker", []) for member in self.members]

    @property
    def listens(self) -> list[str]:
        """Where worker 0, worker 1, ... really listened; "" where nowhere."""
        return [
            next((f"127.0.0.1:{port}" for port in member.listens), "")
            for member in self.members
        ]


def start_cluster(
    work: Callable[..., object],
    tf_configs: Callable[[list[str]], Sequence[str | None]] | None = None,
    *arguments: object,
    workers: int = 2,
    wrong: tuple[int, int] | None = None,
    label: str = "",
) -> ClusterStart:
    """Run `work(number, *arguments)` in real workers until all end, or nobody moves.

    Args:
        work: what each worker runs; `number` is 0 in worker 0.
        tf_configs: called with the hosts; returns a TF_CONFIG for each worker. None:
            the right ones.
        *arguments: given to `work`.
        workers: how many.
        wrong: (worker, entry): in this worker's list, this entry gets a port on which
            nobody listens.
        label: how figures name it; the name of `tf_configs` by default.
    """
    with Cluster({"worker": workers, "ps": 1}) as cluster:
        hosts, names = cluster.hosts["worker"], [f"worker {k}" for k in range(workers)]
        if tf_configs is None:
            texts = [_without_ps(cluster.configs[name]) for name in names]
        else:
            texts = list(tf_configs(list(hosts)))
        if wrong is not None:
            worker, entry = wrong
            texts[worker] = texts[worker].replace(hosts[entry], cluster.hosts["ps"][0])
        for number, (name, text) in enumerate(zip(names, texts, strict=True)):
            own = (_inside, work, number, *arguments)
            cluster.start(*own, only=[name], configs={name: text})
        with _Watch(cluster, names) as watch:
            run = cluster.join()
    members = tuple(
        _member(text, watch.listens[name], run[name])
        for name, text in zip(names, texts, strict=True)
    )
    name = getattr(tf_configs, "__name__", "right TF_CONFIGs")
    return ClusterStart(label or name, tuple(hosts), members)


class _Watch(threading.Thread):
    """Reads the ports on which processes listen, from outside, until it is left."""

    def __init__(self, cluster: Cluster, names: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self._cluster, self._over = cluster, threading.Event()
        self.listens: dict[str, set[int]] = {name: set() for name in names}

    def __enter__(self) -> _Watch:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(EVERY):
            for name, ports in self.listens.items():
                ports.update(_ports(self._cluster.pid(name)))


def _inside(work: Callable, number: int, *arguments: object) -> object:
    """In a worker: do its work; tell where it listened, and the words of an error."""
    try:
        return work(number, *arguments)
    except Exception as error:
        note(says=_own_words(str(error)))
        raise
    finally:
        note(listens=_ports(os.getpid()))


def _own_words(text: str) -> str:
    """Return the part of an error's text that says most: it may have 30 lines."""
    found = _ABORTED.search(text)
    words = found[1] if found else (text.strip() or "no words").splitlines()[0]
    return words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."


def _ports(pid: int) -> list[int]:
    try:
        found = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return []
    return [each.laddr.port for each in found if each.status == psutil.CONN_LISTEN]


def _member(config: str | None, listens: set[int], end: End) -> Member:
    told = end.facts
    ports = tuple(sorted({*listens, *told.get("listens", ())}))
    error = f"{end.error}: {told.get('says', '')}" if end.outcome == "raised" else ""
    line = end.line if end.outcome == "waited" else ""
    return Member(config, ports, end.outcome, error, line, end.value)


def _without_ps(text: str) -> str:
    config = json.loads(text)
    del config["cluster"]["ps"]
    return json.dumps(config)


def _cluster(config: str | None) -> dict[str, list[str]]:
    try:
        return dict(json.loads(config or "{}").get("cluster", {}))
    except (ValueError, AttributeError):
        return {}
