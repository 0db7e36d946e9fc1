"""Reports of workers, drawn so that every way to misread them shows."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

ITEMS = ("tensorflow", "policy", "code", "files", "weights", "optimizer")
NOTHING = {"seed": None, "jit": False, "checkpoint": ""}
ITEMS += tuple(NOTHING)
WORKERS = 5  # the most in any job
Report = dict[str, object]


@dataclass(frozen=True)
class Job:
    """The reports of all workers."""

    label: str
    reports: list[Report]

    def __str__(self) -> str:
        return self.label


def draw_jobs(rng: np.random.Generator) -> list[Job]:
    """Draw five jobs; in one of them, all reports are equal. Who is odd is drawn."""

    def others(workers: int) -> list[int]:
        """All workers but the chief, in any order."""
        return [int(worker) + 1 for worker in rng.permutation(workers - 1)]

    def text() -> str:
        return rng.bytes(4).hex()

    def report() -> Report:
        files = [f"rows-{k}.tfrecord" for k in rng.permutation(9)[:4]]
        return {
            "tensorflow": f"2.{int(rng.integers(16, 22))}.{int(rng.integers(3))}",
            "policy": "float32",
            "code": text(),
            "files": files,
            "weights": [("kernel", text()), ("bias", text())],
        }

    def job(workers: int) -> list[Report]:
        chief = report()
        return [copy.deepcopy(chief) for _ in range(workers)]

    def patch(version: object) -> str:
        """The next patch release of a version."""
        major, minor, last = str(version).split(".")
        return f"{major}.{minor}.{int(last) + 1}"

    # the same fault on two neighbours, and only there
    pair = job(4)
    first = int(rng.integers(1, 3))
    for worker in (first, first + 1):
        pair[worker]["policy"] = "mixed_bfloat16"
    alone = 3 if first == 1 else 1
    pair[alone]["files"] = pair[alone]["files"][::-1]
    # the chief is the odd one; an older script reports less, a newer one more
    odd = job(4)
    odd[0]["code"] = text()
    older, newer, _ = others(4)
    del odd[older]["policy"]
    odd[newer]["optimizer"] = text()
    # one value of one variable, a patch release, one file less
    small = job(5)
    a, b, c, _ = others(5)
    small[c]["weights"][1] = ("bias", text())
    small[b]["tensorflow"] = patch(small[b]["tensorflow"])
    small[a]["files"] = small[a]["files"][:-1]
    # an item whose value is nothing is still an item
    for own in small:
        own.update(NOTHING)
    for worker, item in zip((a, b, c), NOTHING, strict=True):
        del small[worker][item]
    small[b]["seed"] = "None"  # a script that writes all as text
    # the same values, made in another order; a value under another name
    order = job(3)
    turned, named = others(3)
    order[turned]["weights"] = order[turned]["weights"][::-1]
    order[named]["weights"][0] = ("embedding", order[named]["weights"][0][1])
    return [
        Job("the reports of 4 workers", pair),
        Job("the reports of 4 workers with scripts of three ages", odd),
        Job("the reports of 5 workers", small),
        Job("the reports of 3 workers", order),
        Job("the reports of 3 equal workers", job(3)),
    ]
