"""Further 1: share out each step's rows so that batch normalisation is worst."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count

import numpy as np

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.checks.failures import WrongReturn
from course.lessons.n11_faster_but_less_accurate import wrong_deal
from course.lessons.n11_faster_but_less_accurate.normalised import (
    losses_of,
    normalised,
    train_normalised,
)
from course.lessons.n11_faster_but_less_accurate.shared_batches import (
    Deal,
    Plan,
    cuts,
    train_by,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, Rows, regression

EPOCHS, TIMES = 4, 1.5  # how many times as high as on one device the loss must end
SURE = 0.9, 1.1  # what is wrong ends below 0.9 of TIMES, what is right above 1.1


@dataclass(frozen=True)
class Case:
    """Rows, and how many of them each replica takes in a step."""

    rows: Rows
    share: int
    replicas: int

    def __str__(self) -> str:
        return (
            f"{len(self.rows)} rows, {self.share} for each of {self.replicas} replicas "
            "in a step"
        )

    def plan(self, replicas: int) -> Plan:
        """Return the plan of so many replicas, with the same batch."""
        batch = self.share * self.replicas
        steps = EPOCHS * len(self.rows) // batch
        return Plan((batch // replicas,) * replicas, LEARNING_RATE, steps)


Parts = Callable[[np.ndarray, int], list[np.ndarray]]


def asked_once(function: Callable, rows: Rows) -> Parts:
    """Return what gives the parts of a step, by the numbers of its rows and replicas.

    A learner's `function` is asked once for a step, so that what is counted is what
    is trained on, in every epoch.

    Raises:
        WrongReturn: when it is used and the function's result is no list of parts.
    """
    known: dict[tuple[bytes, int], list[np.ndarray]] = {}

    def parts(ids: np.ndarray, replicas: int) -> list[np.ndarray]:
        key = ids.tobytes(), replicas
        if key not in known:
            step = rows.take(ids)
            found = parts_of(function(step.x.copy(), step.y.copy(), replicas))
            if len(found) != replicas:
                wanted = f"{replicas} parts, one for each replica"
                raise WrongReturn.of(found, wanted, f"{len(found)} of them")
            known[key] = found
        return known[key]

    return parts


def dealt_by(function: Callable, rows: Rows) -> Deal:
    """Return what shares out a step's rows as a learner's `function` says."""
    return _dealt(asked_once(function, rows), rows)


def _dealt(parts: Parts, rows: Rows) -> Deal:
    def deal(shards: list[Rows]) -> list[Rows]:
        ids = _ids(shards)
        return [rows.take(ids[part]) for part in parts(ids, len(shards))]

    return deal


def _ids(shards: list[Rows]) -> np.ndarray:
    return np.concatenate([shard.ids for shard in shards])


def parts_of(answer: object) -> list[np.ndarray]:
    """Return a learner's parts as arrays of row numbers.

    Raises:
        WrongReturn: they are none.
    """
    try:
        parts = [np.asarray(part).astype(np.float64) for part in answer]
        whole = all(p.ndim == 1 and (p == np.floor(p)).all() for p in parts)
    except (TypeError, ValueError):
        whole = False
    if not whole:
        wanted = (
            "a list for each replica, with the numbers of its rows in the step, from 0"
        )
        raise WrongReturn.of(answer, wanted)
    return [part.astype(np.int64) for part in parts]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows for 4 and for 3 replicas, on which good and bad parts are far apart."""
    cases = []
    for replicas, share, steps in ((4, 3, 4), (3, 4, 5)):
        for _ in count():
            rows = regression(replicas * share * steps, int(rng.integers(10_000)))
            case = Case(rows, share, replicas)
            if _tells(case):
                cases.append(case)
                break
    return cases


def _tells(case: Case) -> bool:
    few, many = SURE[0] * TIMES, SURE[1] * TIMES
    return all(_times(f, case) < few for f in wrong_deal.MIXED) and all(
        _times(f, case) > many for f in wrong_deal.ALIKE
    )


def _counts(parts_for: Parts, case: Case) -> tuple[dict[str, tuple[int, ...]], str]:
    """Return the faults in the parts of all steps, 1 or 0 for each, and a sentence.

    missing: a row is in no part. repeated: a row is in several. larger: a part has more
    rows than it should.
    """
    missing = repeated = largest = 0
    for shards in cuts(case.plan(case.replicas), case.rows):
        ids = _ids(shards)
        parts = parts_for(ids, case.replicas)
        given = np.concatenate(parts)
        if len(given) and not 0 <= given.min() <= given.max() < len(ids):
            raise ValueError(f"rows of a step have the numbers 0 to {len(ids) - 1}")
        times = np.bincount(given, minlength=len(ids))
        missing, repeated = missing + (times == 0).sum(), repeated + (times > 1).sum()
        largest = max(largest, *map(len, parts))
    larger = largest > case.share
    found = {"missing": missing > 0, "repeated": repeated > 0, "larger": larger}
    sentence = _unfairness(int(missing), int(repeated), largest, case)
    return {name: (int(fault),) for name, fault in found.items()}, sentence


def _unfairness(missing: int, repeated: int, largest: int, case: Case) -> str:
    """Describe where the rows of all steps went."""
    said = [
        f"{number} row{'s' * (number != 1)} went to {where}"
        for number, where in ((missing, "no replica"), (repeated, "several replicas"))
        if number
    ]
    sentence = "Every row went to exactly one replica."
    if said:
        sentence = f"In all steps together, {' and '.join(said)}."
    if largest > case.share:
        sentence += f" The largest part has {largest} rows; {case.share} are allowed."
    return sentence


def _observe(function: Callable, case: Case) -> Observation:
    """Train both models on the replicas, with each step's rows as the answer says."""
    parts = asked_once(function, case.rows)
    seen, unfairness = _counts(parts, case)
    if _unfair(seen):
        return Observation(np.zeros(2), seen | {"high": (0,)}, unfairness)
    devices = virtual_devices(DEVICES)[: case.replicas]
    deal, plan = _dealt(parts, case.rows), case.plan(case.replicas)
    plain = train_by(plan, case.rows, devices, deal=deal)
    run = train_normalised(plan, case.rows, devices, deal=deal)
    one = train_normalised(case.plan(1), case.rows, devices[:1])
    times = losses_of(run, case.rows)[-1] / losses_of(one, case.rows)[-1]
    return _seen(plain.copies[-1, 0], seen, times)


def _simulate(function: Callable, case: Case) -> Observation:
    """Do the same by arithmetic."""
    seen, unfairness = _counts(asked_once(function, case.rows), case)
    if _unfair(seen):
        return Observation(np.zeros(2), seen | {"high": (0,)}, unfairness)
    return _seen(_expected_weights(case), seen, _times(function, case))


def _seen(weights: np.ndarray, counts: dict, times: float) -> Observation:
    told = f"{times:.2f}"
    return Observation(weights, counts | {"high": (int(times >= TIMES),)}, told)


def _unfair(counts: Mapping[str, tuple[int, ...]]) -> bool:
    return any(counts[fault][0] for fault in ("missing", "repeated", "larger"))


def _times(function: Callable, case: Case) -> float:
    """Return how many times as high as on one device the loss ends, in NumPy."""
    whole = [range(case.share * case.replicas)]
    return _loss(function, case) / _loss(lambda x, y, n: whole, case)


def _loss(function: Callable, case: Case) -> float:
    w = np.zeros(3)
    x, y = case.rows.x.astype(float), case.rows.y.astype(float)
    for shards in cuts(case.plan(case.replicas), case.rows):
        ids = np.concatenate([shard.ids for shard in shards])
        total = np.zeros(3)
        for part in function(x[ids], y[ids], case.replicas):
            own = ids[np.asarray(part)]
            features = normalised(x[own])
            total += 2 * (features @ w - y[own]) @ features
        w = w - LEARNING_RATE * total / len(ids)
    return float(np.mean((normalised(x) @ w - y) ** 2))


def _expected_weights(case: Case) -> np.ndarray:
    plan = case.plan(1)
    return train_sequentially(case.rows, plan.shares[0], plan.steps).copies[-1, 0]


def _expect(case: Case) -> Observation:
    counts = {"missing": (0,), "repeated": (0,), "larger": (0,), "high": (1,)}
    return Observation(_expected_weights(case), counts)


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    if _unfair(got.counts):
        return Difference(
            got.told,
            f"Expected: each row of a step in one part, {case.share} rows in each.",
        )
    if not got.counts["high"][0]:
        return Difference(
            "The model without normalisation trains as on one device. The normalised "
            f"one ends with a loss {got.told} times as high as on one device.",
            f"Expected: at least {TIMES:g} times as high.",
        )
    return Difference(
        "The model without normalisation ends with other weights than on one device.",
        "Expected: the same weights, because each step has the same rows.",
    )


MY_DEAL = Exercise(
    name="11/my_deal",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(_simulate, *wrong_deal.MISTAKES),
    right="Batch, steps, rate and the rows of each step are those of one device, and "
    "the plain model trains as on one device. The normalised one ends with at least "
    "1.5 times the loss.",
)
