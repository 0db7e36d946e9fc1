"""The film of an option: shares that are added up head to tail, step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, SEQUENTIAL, name_axes, new_figure
from course.runs.recording import steps_made

STEPS = 8
NO_OPTION = "none"


@dataclass(frozen=True, eq=False)
class Steps:
    """What steps did on some replicas.

    weights: float64, shape (steps + 1, 2). sent: what each replica gave to the sum,
        shape (steps, replicas, 2). applied: shape (steps, 2).
    """

    weights: np.ndarray
    sent: np.ndarray
    applied: np.ndarray


@dataclass(frozen=True, eq=False)
class Runs:
    """The same training on replicas and on one device, with the same option.

    limit: None where the option has none. batch: rows in a step, on all replicas.
    """

    option: str
    limit: float | None
    batch: int
    replicas: Steps
    alone: Steps

    @property
    def gaps(self) -> np.ndarray:
        """Largest difference of a weight, shape (steps + 1,)."""
        return np.abs(self.replicas.weights - self.alone.weights).max(axis=1)


def picture(now: Runs, before: Runs | None = None) -> Picture:
    """Draw, step by step, the shares head to tail, and one device's gradient."""
    figure, (arrows, distance) = new_figure(2, ratios=(1.25, 1))
    _arrows(arrows, now)
    _distance(distance, now, before)
    moments = [f"step {step}" for step in range(STEPS)]
    said = [_said(now, step) for step in range(STEPS)]
    header = ("step", "applied on replicas", "on one device", "distance after it")
    rows = [
        (
            str(step),
            _vector(now.replicas.applied[step]),
            _vector(now.alone.applied[step]),
            f"{now.gaps[step + 1]:.2g}",
        )
        for step in range(STEPS)
    ]
    return Picture(figure, describe_run(now) + ".", header, rows, moments, said)


def describe_run(now: Runs) -> str:
    """Return one line: all settings, and how far the weights are from one device's."""
    option = now.option + (f"={now.limit}" if now.option.startswith("clip") else "")
    return (
        f"{option}, {now.replicas.sent.shape[1]} replicas, {now.batch} rows in a step: "
        f"after {steps_made(STEPS)}, {_difference(now, STEPS)}"
    )


def _arrows(axis: Axes, now: Runs) -> None:
    axis.set_aspect("equal")
    axis.plot(0, 0, "k+", ms=10)
    if now.limit is not None:
        _limit(axis, now)
    ends = [now.alone.applied, np.cumsum(now.replicas.sent, axis=1)]
    points = np.concatenate([end.reshape(-1, 2) for end in ends])
    reach = now.limit or 0
    low = np.minimum(points.min(axis=0), -reach) - 0.3
    high = np.maximum(points.max(axis=0), reach) + 0.3
    # equal scales fill the panel: its sides are about as 5 to 4
    wide, tall = high - low
    middle, half = (low + high) / 2, max(wide / 5, tall / 4) / 2
    axis.set_xlim(middle[0] - 5 * half, middle[0] + 5 * half)
    axis.set_ylim(middle[1] - 4 * half, middle[1] + 4 * half)
    for step in range(STEPS):
        start = np.zeros(2)
        for replica, share in enumerate(now.replicas.sent[step]):
            says = f"step {step}: replica {replica} contributes {_vector(share)}"
            (line,) = axis.plot(
                *zip(start, start + share, strict=True),
                color=COLOURS[replica],
                marker=MARKERS[replica],
                markevery=[1],
                ms=8,
                lw=3.5,
            )
            part(line, says, since=step, until=step + 1)
            start = start + share
        for vector, colour, width, who in (
            (now.alone.applied[step], SEQUENTIAL, 2.2, "one device applies"),
            (now.replicas.applied[step], "#777777", 1.4, "the replicas apply"),
        ):
            says = f"step {step}: {who} {_vector(vector)}"
            _arrow(axis, vector, colour, width, says, step)
    for r in range(now.replicas.sent.shape[1]):
        axis.plot(
            [], [], color=COLOURS[r], marker=MARKERS[r], lw=3.5, label=f"replica {r}"
        )
    axis.plot([], [], color="#777777", lw=1.4, label="the replicas apply")
    axis.plot([], [], color=SEQUENTIAL, lw=2.2, label="one device applies")
    axis.legend(fontsize=11, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    name_axes(axis, "first part of the gradient", "second part", "shares, added up")


def _limit(axis: Axes, now: Runs) -> None:
    style = {"fill": False, "ec": "#777777", "ls": "--", "lw": 1.2}
    limit = now.limit
    shape = (
        Rectangle((-limit, -limit), 2 * limit, 2 * limit, **style)
        if now.option == "clipvalue"
        else Circle((0, 0), limit, **style)
    )
    part(axis.add_patch(shape), f"the limit of {now.option}, {limit}")
    axis.plot([], [], color="#777777", ls="--", lw=1.2, label="the limit")


def _arrow(axis: Axes, vector, colour: str, width: float, says: str, step: int) -> None:
    arrow = FancyArrowPatch(
        (0, 0),
        tuple(vector),
        arrowstyle="-|>",
        color=colour,
        lw=width,
        shrinkA=0,
        shrinkB=0,
        mutation_scale=12,
    )
    part(axis.add_patch(arrow), says, since=step, until=step + 1)


def _distance(axis: Axes, now: Runs, before: Runs | None) -> None:
    steps = np.arange(STEPS + 1)
    if before is not None:
        (line,) = axis.plot(steps, before.gaps, color="#aaaaaa", lw=1)
        part(line, f"before: {describe_run(before)}")
    for step in range(STEPS):
        after = step + 1
        (line,) = axis.plot(
            steps[step : after + 1],
            now.gaps[step : after + 1],
            color=COLOURS[0],
            marker=MARKERS[0],
        )
        part(line, f"after {steps_made(after)}: {now.gaps[after]:.2g}", since=step)
    axis.set_xlim(-0.3, STEPS + 0.3)
    shown = now.gaps if before is None else np.concatenate([now.gaps, before.gaps])
    axis.set_ylim(-0.02, 1.1 * max(0.05, float(shown.max())))
    compared = " from one device" if before is None else " (grey: run before)"
    name_axes(axis, "steps", "", f"difference{compared}")


def _said(now: Runs, step: int) -> str:
    ours, alone = now.replicas.applied[step], now.alone.applied[step]
    lengths = ", ".join(f"{np.linalg.norm(s):.2f}" for s in now.replicas.sent[step])
    return (
        f"Step {step}: the replicas contribute shares of length {lengths}. They apply "
        f"a gradient of length {np.linalg.norm(ours):.2f}; one device applies "
        f"{np.linalg.norm(alone):.2f}. After it, {_difference(now, step + 1)}."
    )


def _difference(now: Runs, steps: int) -> str:
    gap = now.gaps[steps]
    if gap < 1e-5:
        return "the weights equal one device's"
    return f"the weights differ from one device's by {gap:.2g}"


def _vector(vector: np.ndarray) -> str:
    return f"({vector[0]:.2f}, {vector[1]:.2f})"
