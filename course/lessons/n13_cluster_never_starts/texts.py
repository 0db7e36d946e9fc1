"""Read TF_CONFIG texts as numbers: what each says, and whether a start makes sense."""

from __future__ import annotations

import json
from collections.abc import Sequence

# what kind of text a TF_CONFIG is
OBJECT, NO_TEXT, NO_JSON, NO_CLUSTER, OTHER_JSON, NO_LIST = range(6)
# where no number can be told
MISSING, UNKNOWN, WITHOUT_PORT = -1, -2, -3
TYPES = ("worker", "chief")  # of which every task trains


def reading(text: object, hosts: Sequence[str]) -> tuple[int, ...]:
    """Return what a worker's TF_CONFIG says: 4 numbers, then one for each host and one.

    They are: the kind of text; the task's type; its index; how many addresses there
    are; and for each entry, which host it is.
    """
    kind, config = _object(text)
    if kind != OBJECT:
        return (kind, *[MISSING] * (len(hosts) + 4))
    task = config.get("task")
    task = task if isinstance(task, dict) else {}
    name = task.get("type", MISSING)
    types = [MISSING, *TYPES]
    entries = [_entry(each, hosts) for each in _addresses(config)]
    shown = [*entries, *[MISSING] * (len(hosts) + 1)][: len(hosts) + 1]
    return (
        OBJECT,
        types.index(name) if name in types else UNKNOWN,
        _index(task.get("index", MISSING)),
        len(entries),
        *shown,
    )


def may_start(texts: Sequence[object], hosts: Sequence[str]) -> bool:
    """Return whether worker k's TF_CONFIG gives it the address hosts[k], for all k.

    And all have the same cluster, of these hosts only. What this cannot see is seen in
    a start.
    """
    objects = [_object(text) for text in texts]
    if any(kind != OBJECT for kind, _ in objects):
        return False
    configs = [config for _, config in objects]
    if any(config["cluster"] != configs[0]["cluster"] for config in configs):
        return False
    if sorted(_addresses(configs[0])) != sorted(hosts):
        return False
    return [_own(config) for config in configs] == list(hosts)


def _object(text: object) -> tuple[int, dict]:
    """Return the kind of a text, and what it says if that is a cluster of lists."""
    if not isinstance(text, str):
        return NO_TEXT, {}
    try:
        config = json.loads(text)
    except ValueError:
        return NO_JSON, {}
    if not isinstance(config, dict):
        return OTHER_JSON, {}
    cluster = config.get("cluster")
    if not cluster:
        return NO_CLUSTER, {}
    if not isinstance(cluster, dict) or not all(
        isinstance(hosts, list) for hosts in cluster.values()
    ):
        return NO_LIST, {}
    return OBJECT, config


def _addresses(config: dict) -> list[object]:
    """Return all addresses: chief's first, as TensorFlow counts."""
    cluster = config["cluster"]
    return [each for name in sorted(cluster) for each in cluster[name]]


def _own(config: dict) -> object:
    task = config.get("task")
    task = task if isinstance(task, dict) else {}
    name = task.get("type")
    hosts = config["cluster"].get(name, []) if name in TYPES else []
    index = _index(task.get("index", MISSING))
    return hosts[index] if 0 <= index < len(hosts) else None


def _entry(address: object, hosts: Sequence[str]) -> int:
    if address in hosts:
        return list(hosts).index(address)
    names = [host.rsplit(":", 1)[0] for host in hosts]
    return WITHOUT_PORT if address in names else UNKNOWN


def _index(index: object) -> int:
    try:
        return int(index)  # TensorFlow takes "1" for 1, too
    except (TypeError, ValueError):
        return UNKNOWN
