"""Further 2: how many replicas are worth having, by the costs of a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.step_costs import Costs


@dataclass(frozen=True)
class Case:
    """A call: costs, rows in a step, and the largest number of replicas."""

    costs: Costs
    batch: int
    most: int

    def __str__(self) -> str:
        c = self.costs
        return (
            f"fixed {c.fixed:g} ms, {c.row:g} ms a row, exchange {c.exchange:g} ms, "
            f"batch {self.batch}, at most {self.most} replicas"
        )


Time = Callable[[Case, int], float]


def step_ms(case: Case, n: int) -> float:
    """Return the ms of a step on `n` replicas: the largest share, and the exchange."""
    rows = -(-case.batch // n)
    return case.costs.fixed + case.costs.row * rows + case.costs.exchange * (n - 1)


def best(case: Case, time: Time = step_ms, last: bool = False) -> tuple[int, float]:
    """Return the number of replicas with the shortest step, and its ms."""
    numbers = range(1, case.most + 1)
    times = {n: time(case, n) for n in (reversed(numbers) if last else numbers)}
    n = min(times, key=times.get)
    return n, times[n]


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw costs of five kinds: few replicas pay, or all, or none but the first."""
    kinds = (
        # exchange as a share of the rows' work, most
        ((0.01, 0.03), 12),
        ((0.05, 0.09), 8),
        ((0.0, 0.0), 9),
        ((0.8, 1.2), 8),
        ((0.004, 0.006), 4),
    )
    cases = []
    for (low, high), most in kinds:
        # without an exchange, the last two numbers of replicas are equally good
        batch = int(rng.choice([19, 22, 23, 29] if high == 0 else [17, 19, 22, 26]))
        row = float(rng.integers(10, 40)) / 10
        exchange = round(float(rng.uniform(low, high)) * row * batch, 2)
        cases.append(
            Case(Costs(float(rng.integers(20, 60)), row, exchange), batch, most)
        )
    return cases


def _observe(function: Callable, case: Case) -> Observation:
    c = case.costs
    answer = function(c.fixed, c.row, c.exchange, case.batch, case.most)
    try:
        number, ms = (float(part) for part in answer)
    except (TypeError, ValueError):
        number = 0.5
    if number != int(number):
        raise TypeError(
            f"the function returned {answer!r}; it must return (replicas, ms): a whole "
            "number and a number"
        )
    return Observation(np.array([ms]), {"replicas": (int(number),)})


def _observation(answer: tuple[int, float]) -> Observation:
    return Observation(np.array([answer[1]]), {"replicas": (answer[0],)})


def _compare(case: Case, got: Observation, truth: Observation) -> Difference:
    n, ms = got.counts["replicas"][0], float(got.values[0])
    wanted = truth.counts["replicas"][0]
    own = step_ms(case, n) if 1 <= n <= case.most else None
    said = f"It returned {n} replica{'s' * (n != 1)} and {ms:g} ms."
    if n == wanted:
        said += " The replicas are right, the ms are not."
    elif own is None:
        said += f" The number of replicas must be from 1 to {case.most}."
    elif abs(ms - own) <= 1e-5:
        said += " So long a step takes with them, but another number is faster."
    else:
        said += f" The number is wrong, and with it a step takes {own:g} ms."
    return Difference(
        said,
        "Expected the smallest number of replicas with the shortest step, and its ms: "
        "fixed, plus the rows of the largest share, plus the exchange for each replica "
        "beyond the first.",
    )


def _mistake(
    code: str, cause: str, time: Time = step_ms, last: bool = False
) -> Mistake:
    return Mistake(code, cause, lambda case: _observation(best(case, time, last)))


def _time(
    fixed: float = 1.0,
    rows: Callable[[int, int], float] = lambda batch, n: -(-batch // n),
    exchanges: Callable[[int], float] = lambda n: n - 1,
) -> Time:
    def time(case: Case, n: int) -> float:
        c = case.costs
        return c.fixed * fixed + c.row * rows(case.batch, n) + c.exchange * exchanges(n)

    return time


MY_USEFUL_REPLICAS = Exercise(
    name="10/my_useful_replicas",
    cases=draw,
    observe=_observe,
    expect=lambda case: _observation(best(case)),
    compare=_compare,
    mistakes=(
        Mistake(
            "ideal_speed",
            "it divides the time of one device by the number of replicas. Only the "
            "work on the rows is shared; the fixed part is not, and the exchange is "
            "new.",
            lambda case: _observation((case.most, step_ms(case, 1) / case.most)),
        ),
        Mistake(
            "all_replicas",
            "it takes all replicas there are. More replicas exchange more, and have "
            "fewer rows each; from some number on, a step takes longer.",
            lambda case: _observation((case.most, step_ms(case, case.most))),
        ),
        _mistake(
            "rows_not_rounded",
            "it divides the rows exactly. A row is not cut: the largest share is "
            "rounded up, and all wait for that replica.",
            _time(rows=lambda batch, n: batch / n),
        ),
        _mistake(
            "rows_rounded_down",
            "it rounds the share down. All wait for the replica with the LARGEST one.",
            _time(rows=lambda batch, n: batch // n),
        ),
        _mistake(
            "without_exchange",
            "it leaves out the exchange.",
            _time(exchanges=lambda n: 0),
        ),
        _mistake(
            "exchange_once",
            "it counts the exchange once. It costs so much for each replica beyond the "
            "first.",
            _time(exchanges=lambda n: n > 1),
        ),
        _mistake(
            "exchange_of_all",
            "it counts the exchange for every replica. The first has nobody to wait "
            "for: n - 1.",
            _time(exchanges=lambda n: n),
        ),
        _mistake(
            "without_fixed",
            "the number is right, but the ms leave out the fixed part.",
            _time(fixed=0.0),
        ),
        _mistake(
            "fixed_shared",
            "it shares the fixed part, too. Every replica has it in full.",
            lambda case, n: step_ms(case, n) - case.costs.fixed * (1 - 1 / n),
        ),
        _mistake(
            "fixed_of_all",
            "it adds up the fixed part of all replicas. They do it at the same time.",
            lambda case, n: step_ms(case, n) + case.costs.fixed * (n - 1),
        ),
        _mistake(
            "last_of_equals",
            "where several numbers of replicas are equally fast, it takes the largest. "
            "Asked is the smallest.",
            last=True,
        ),
        Mistake(
            "stops_at_the_first_rise",
            "it stops where one more replica makes the step longer for the first time. "
            "As shares are rounded up, it may become shorter again: try all numbers.",
            lambda case: _observation(_first_rise(case)),
        ),
        Mistake(
            "one_too_few",
            "the number counts from 0: the first is 1 replica.",
            lambda case: _observation((best(case)[0] - 1, best(case)[1])),
        ),
        Mistake(
            "most_left_out",
            "the largest number of replicas is never tried.",
            lambda case: _observation(
                best(Case(case.costs, case.batch, case.most - 1))
            ),
        ),
    ),
    right="The smallest number of replicas with the shortest step, for costs of five "
    "kinds.",
)


def _first_rise(case: Case) -> tuple[int, float]:
    n = 1
    while n < case.most and step_ms(case, n + 1) < step_ms(case, n):
        n += 1
    return n, step_ms(case, n)
