"""This notebook's instrument: what each row of each step weighs under a loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from course.lessons.n03_right_only_when_it_divides.losses import (
    Loss,
    example_weights,
    fraction,
)
from course.pictures.parts import part
from course.pictures.picture import Picture
from course.pictures.style import (
    COLOURS,
    HATCHES,
    SEQUENTIAL,
    TEXT,
    name_axes,
    new_figure,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.workloads import regression
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider


@dataclass(frozen=True, eq=False)
class Epoch:
    """What the rows of one epoch weigh.

    label: name of the loss. rows: in the epoch; batch: in a full step.
    weights: `weights[k][r]` is float64 of shape (rows of replica r in step k,).
    """

    label: str
    rows: int
    batch: int
    weights: list[list[np.ndarray]]

    @property
    def replicas(self) -> int:
        """Number of replicas."""
        return len(self.weights[0])


def weights_in_an_epoch(loss: Loss) -> None:
    """Show the weight of every row of an epoch, for rows, batch, replicas to turn.

    loss: `loss(per_example, ctx)` as in `train_with_loss`; once the exercise is solved,
        the learner's own one can be chosen as well.
    """
    instrument(
        [
            Slider("rows", "rows", 8, 24, 11),
            Choice("batch", "batch", {str(n): n for n in (6, 8, 12)}, 8),
            Choice("replicas", "replicas", {str(n): n for n in (2, 3, 4)}, 2),
            Choice("loss", "loss", {loss.__name__: loss}, loss, mine="03/my_loss"),
        ],
        run,
        picture,
        told,
    )


def run(rows: int, batch: int, replicas: int, loss: Loss) -> Epoch:
    """Measure the weights on the replicas; equal steps are measured once."""
    devices = virtual_devices(DEVICES)[:replicas]
    steps = regression(rows).batches(batch, -(-rows // batch))
    counts = [tuple(map(len, step.shards(replicas))) for step in steps]
    measured = {each: example_weights(loss, each, devices) for each in set(counts)}
    return Epoch(loss.__name__, rows, batch, [measured[each] for each in counts])


def picture(now: Epoch, before: Epoch | None = None) -> Picture:
    """Draw a bar for every row, step by step, and a line at the weight of one device.

    `before` is not drawn: other rows have other places.
    """
    figure, (axis,) = new_figure()
    most = max(float(w.max()) for step in now.weights for w in step if len(w))
    fewest = min(sum(map(len, step)) for step in now.weights)
    axis.set_ylim(0, 1.45 * max(most, 1 / fewest))
    place, centres, rows = 0, [], []
    for step, parts in enumerate(now.weights):
        right, first = 1 / sum(map(len, parts)), place
        for replica, own in enumerate(parts):
            for weight in own:
                row = len(rows)
                _bar(axis, place, weight, right, (row, replica, step))
                names = (str(step), str(row), str(replica))
                rows.append((*names, fraction(weight), fraction(right)))
                place += 1
        (line,) = axis.plot([first - 0.5, place - 0.5], [right] * 2, color=SEQUENTIAL)
        part(line, f"step {step} on one device: {fraction(right)} for each row")
        counts = " + ".join(str(len(own)) for own in parts)
        centres.append(((first + place - 1) / 2, f"step {step}\n{counts}"))
        place += 0.8
    axis.set_xticks([x for x, _ in centres], [name for _, name in centres])
    axis.tick_params(axis="x", labelsize=11, length=0)
    axis.set_xlim(-1, place)
    _legend(axis, now.replicas)
    name_axes(axis, "rows of each replica", "weight of a row", now.label)
    header = ("step", "row", "replica", "weight", "on one device")
    return Picture(figure, _sentence(now), header, rows)


def told(now: Epoch) -> str:
    """Say in one line what the rows of the last step weigh, at least and at most."""
    last = now.weights[-1]
    counts = " + ".join(str(len(own)) for own in last)
    each = np.concatenate(last) * sum(map(len, last))
    least, most = f"{each.min():.3g}", f"{each.max():.3g}"
    times = most if least == most else f"{least} to {most}"
    return (
        f"{now.label}, {now.rows} rows, batch {now.batch}, {now.replicas} replicas: a "
        f"row of the last step ({counts}) counts {times} times as on one device"
    )


def _bar(axis: Axes, place: float, weight: float, right: float, which: tuple) -> None:
    row, replica, step = which
    bars = axis.bar(
        place,
        weight,
        width=0.8,
        color=COLOURS[replica],
        edgecolor="white",
        hatch=HATCHES[replica],
    )
    words = fraction(weight)
    if abs(weight - right) > 1e-6:
        # above the line of one device, where it would pass through
        near = 0.1 * axis.get_ylim()[1]
        low = right if weight < right < weight + near else weight
        axis.annotate(
            words,
            (place, low),
            (0, 2),
            textcoords="offset points",
            fontsize=TEXT,
            ha="center",
        )
        words += f" instead of {fraction(right)}"
    part(bars[0], f"row {row}, replica {replica}, step {step}: weight {words}")


def _legend(axis: Axes, replicas: int) -> None:
    names = [
        Patch(fc=COLOURS[r], ec="white", hatch=HATCHES[r], label=f"replica {r}")
        for r in range(replicas)
    ]
    (line,) = axis.plot([], [], color=SEQUENTIAL, label="one device")
    axis.legend(
        handles=[*names, line],
        fontsize=11,
        ncols=replicas + 1,
        loc="upper right",
        frameon=False,
        borderaxespad=0.0,
    )


def _sentence(now: Epoch) -> str:
    times = [np.concatenate(step) * sum(map(len, step)) for step in now.weights]
    off = [step for step, each in enumerate(times) if np.abs(each - 1).max() > 1e-5]
    if not off:
        return f"{now.label}: every row weighs what it weighs on one device."
    steps = f"step{'s' if len(off) > 1 else ''} {', '.join(map(str, off))}"
    most = max(each.max() for each in times)
    return (
        f"{now.label}: in {steps}, not every row weighs what it weighs on one device. "
        f"The heaviest one weighs {most:.3g} times as much."
    )
