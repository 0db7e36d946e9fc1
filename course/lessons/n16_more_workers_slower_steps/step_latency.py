"""Step time over the delay of a link, a line for each run, named by its messages."""

from __future__ import annotations

from matplotlib.figure import Figure

from course.lessons.n16_more_workers_slower_steps.delayed_training import DelayedRun
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, name_axes, new_figure, spread

STYLES = ("-", "--")
ROOM = 1.5  # of the axis: labels stand behind the lines


def step_latency(*runs: DelayedRun) -> Picture:
    """Draw the median step of one or two runs over the links' delay.

    Args:
        runs: over the same delays.

    Raises:
        ValueError: not one or two runs, or their delays differ.
    """
    if len(runs) not in (1, 2) or len({run.delays for run in runs}) != 1:
        raise ValueError("step_latency draws one or two runs over the same delays")
    figure, (axis,) = new_figure()
    delays = [1e3 * delay for delay in runs[0].delays]
    top = 1e3 * max(run.medians().max() for run in runs)
    heights = spread(
        [1e3 * run.medians()[-1] for run in runs], 0.27 * top, 0.12 * top, top
    )
    for index, (run, height) in enumerate(zip(runs, heights, strict=True)):
        colour, times = COLOURS[index], 1e3 * run.medians()
        axis.plot(
            delays,
            times,
            STYLES[index],
            color=colour,
            marker=MARKERS[index],
            ms=7,
            lw=2,
            clip_on=False,
        )
        axis.annotate(
            f"{run.label}:\n{_sent(run)} a step".replace(", ", ",\n"),
            (delays[-1], times[-1]),
            (delays[-1] * 1.06, height),
            fontsize=TEXT,
            color=colour,
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "lw": 1.0,
                "relpos": (0, 0.5),
            },
        ).set_in_layout(False)
    _frame(figure, delays, top)
    return Picture(
        figure,
        " ".join(map(_sentence, runs)),
        ("run", "delay, one way", "messages a step", "median step"),
        [row for run in runs for row in _rows(run)],
    )


def _frame(figure: Figure, delays: list[float], top: float) -> None:
    (axis,) = figure.axes
    axis.set_xlim(-0.02 * delays[-1], delays[-1] * ROOM)
    axis.set_ylim(0, 1.12 * top)
    axis.set_xticks(delays, [f"{delay:g}" for delay in delays])
    axis.spines.bottom.set_bounds(0, delays[-1])
    name_axes(axis, "delay of the links, one way (ms)", "a step takes (ms)")


def _sent(run: DelayedRun) -> str:
    """Say how many all-reduces a step has: each is two messages, if it is large."""
    counts = {round(count, 1) for count in run.messages}
    told = " to ".join(f"{count:g}" for count in sorted({min(counts), max(counts)}))
    words = f"{told} message{'' if told == '1' else 's'}"
    if len(counts) == 1 and min(counts) % 2 == 0:
        half = min(counts) / 2
        words = f"{half:g} all-reduce{'' if half == 1 else 's'}, {words}"
    return words


def _sentence(run: DelayedRun) -> str:
    first, last = 1e3 * run.medians()[0], 1e3 * run.medians()[-1]
    return (
        f"{run.label} has {_sent(run)} a step; a step lasts {first:.0f} ms "
        f"without delay and {last:.0f} ms with {1e3 * run.delays[-1]:g} ms one way."
    )


def _rows(run: DelayedRun) -> list[tuple[str, ...]]:
    return [
        (run.label, f"{1e3 * delay:g} ms", f"{count:g}", f"{1e3 * median:.0f} ms")
        for delay, count, median in zip(
            run.delays, run.messages, run.medians(), strict=True
        )
    ]
