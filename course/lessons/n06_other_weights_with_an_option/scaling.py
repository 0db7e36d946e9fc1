"""Further exercise: one loss scale for all replicas, and one decision in each step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import sentences_of
from course.checks.findings import drawn_apart
from course.lessons.n06_other_weights_with_an_option.wrong_scaling import (
    RULES,
    Rule,
    right,
)
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out

SCALE = 1024.0  # in the first step
ONE_LARGE = np.ones((6, 2, 2), np.float32)  # the example's shares
ONE_LARGE[3, 1] = 100.0
PARTS = (
    "first part of the gradient",
    "second part of the gradient",
    "next scale",
    "next count",
)


@dataclass(frozen=True, eq=False)
class Shares:
    """The replicas' shares of the gradient: float32, shape (steps, replicas, 2)."""

    shares: np.ndarray

    def __str__(self) -> str:
        steps, replicas, _ = self.shares.shape
        return f"{steps} steps on {replicas} replicas"


def run_scaled(scaled: Callable, shares: np.ndarray, devices: list[str]) -> np.ndarray:
    """Call a rule for the loss scale in every step, on every replica.

    Args:
        scaled: `scaled(share, scale, good, ctx)` returns the gradient that is applied,
            and the scale and the count for the next step. `share` is the replica's
            share times the scale, in float16 and back: infinite where that is too
            large. `scale` is a float32, `good` an int32 scalar.
        shares: float32, shape (steps, replicas, 2).
        devices: one for each replica.

    Raises:
        StepFailed: `scaled` stopped with an error; it says where, and why.

    Returns:
        float64 of shape (steps, replicas, 4): gradient, scale, count.
    """
    strategy = mirrored(devices)

    def step(share, scale, good):
        context = tf.distribute.get_replica_context()
        held = tf.cast(tf.cast(share * scale, tf.float16), tf.float32)
        gradient, scale, good = scaled(held, scale, good, context)
        gradient = tf.ensure_shape(tf.cast(gradient, tf.float32), [2])
        scale = tf.ensure_shape(tf.cast(scale, tf.float32), [])
        return gradient, scale, tf.ensure_shape(tf.cast(good, tf.int32), [])

    run = tf.function(lambda *values: strategy.run(step, args=values))
    scales, goods = [np.float32(SCALE)] * len(devices), [np.int32(0)] * len(devices)
    rows = []
    for own in shares.astype(np.float32):
        values = [hand_out(strategy, parts) for parts in (own, scales, goods)]
        with sentences_of(scaled), deadline(STEP_SECONDS):
            came = run(*values)
        gradients, scales, goods = (_on_each(strategy, part) for part in came)
        rows.append(np.column_stack([gradients, scales, goods]))
    return np.array(rows, np.float64)


def scaled_table(returned: np.ndarray) -> str:
    """Return what `run_scaled` returned as a table with a header, a line for a step."""
    replicas = returned.shape[1]
    names = "".join(f"  {f'replica {replica}:':<29}" for replica in range(replicas))
    columns = f"  {'gradient':<14}{'scale':>7}{'count':>8}" * replicas
    lines = [f"{'':4}{names.rstrip()}", f"step{columns}"]
    for step, each in enumerate(returned):
        cells = (
            f"  {f'({first:g}, {second:g})':<14}{scale:>7g}{good:>8g}"
            for first, second, scale, good in each
        )
        lines.append(f"{step:4}{''.join(cells)}")
    return "\n".join(lines)


def _on_each(strategy: tf.distribute.Strategy, value: object) -> list[np.ndarray]:
    own = each_replica(strategy, value)  # one, where all replicas return the same
    return own * (strategy.num_replicas_in_sync // len(own))


def follow(rule: Rule, shares: np.ndarray) -> np.ndarray:
    """Return what `run_scaled` returns of a rule that is written in NumPy."""
    replicas = shares.shape[1]
    scales, goods = np.full(replicas, SCALE), np.zeros(replicas)
    rows = []
    for own in shares.astype(np.float64):
        with np.errstate(all="ignore"):
            held = (own * scales[:, None]).astype(np.float16).astype(np.float64)
            came = rule(held, scales, goods)
        gradients, scales, goods = (
            np.broadcast_to(part, shape)
            for part, shape in zip(
                came, ((replicas, 2), (replicas,), (replicas,)), strict=True
            )
        )
        rows.append(np.column_stack([gradients, scales, goods]))
    return np.array(rows)


def draw(rng: np.random.Generator) -> list[Shares]:
    """Draw runs whose shares overflow, now on one replica, now on another."""

    def drawn() -> list[Shares]:
        return [_shares(rng, replicas) for replicas in (2, 4, 3)]

    def results(cases: list[Shares]) -> list[list[np.ndarray]]:
        return [
            [follow(rule, case.shares) for case in cases] for rule in (right, *RULES)
        ]

    def differ(first: list, second: list) -> bool:
        pairs = zip(first, second, strict=True)
        return not all(np.allclose(a, b, 0, 1e-3, equal_nan=True) for a, b in pairs)

    return drawn_apart(MY_SCALED.name, drawn, results, differ)


def _shares(rng: np.random.Generator, replicas: int) -> Shares:
    steps = 14
    shares = rng.uniform(1, 4, (steps, replicas, 2)) * rng.choice([-1, 1], (2,))
    for step in (int(rng.integers(1, 4)), int(rng.integers(5, 8)), 9, 10):
        shares[step, rng.integers(replicas), rng.integers(2)] *= 40
    shares[0, :, 0] = rng.uniform(40, 60, replicas)  # finite, and so is their sum
    shares[12, :2, 1] = 2000.0, -2000.0  # infinite at any scale, of both signs
    return Shares(shares.astype(np.float32))


def _observe(scaled: Callable, case: Shares) -> Observation:
    devices = virtual_devices(DEVICES)[: case.shares.shape[1]]
    return Observation(run_scaled(scaled, case.shares, devices))


def _compare(case: Shares, got: Observation, truth: Observation) -> Difference:
    near = np.isclose(got.values, truth.values, rtol=1e-5, atol=1e-5)
    step, replica, part = (int(index) for index in np.argwhere(~near)[0])
    apart = np.ptp(got.values[step, :, 2]) > 0
    came, wanted = got.values[step, replica, part], truth.values[step, replica, part]
    return Difference(
        f"Replica {replica} returned {came:.6g} as the {PARTS[part]}."
        + " The replicas' scales differ." * bool(apart),
        f"Expected {wanted:.6g}, on every replica.",
        f"In step {step}.",
        {"step": step + 1, "replica": replica},
    )


MY_SCALED = Exercise(
    name="06/my_scaled",
    cases=draw,
    observe=_observe,
    expect=lambda case: Observation(follow(right, case.shares)),
    compare=_compare,
    tolerance=1e-4,  # gradients reach 200: float32 keeps seven digits
    mistakes=tuple(
        Mistake(
            rule.__name__.strip("_"),
            cause,
            lambda case, rule=rule: Observation(follow(rule, case.shares)),
        )
        for rule, cause in RULES.items()
    ),
    right="All replicas have one scale and make one decision: if one replica "
    "overflows, all skip the step.",
)
