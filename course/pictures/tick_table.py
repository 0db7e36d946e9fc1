"""A table of yes and no: what was observed, beside what a learner ticked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, new_figure

LEFT, WIDE = 3.4, 2.4  # where the columns begin, and how wide one is


def tick_table(
    columns: Sequence[str],
    observed: Mapping[str, tuple[bool, ...]],
    said: Mapping[str, tuple[bool, ...]],
) -> Picture:
    """Draw one row for each observation: a full dot for yes, an empty one for no.

    Args:
        columns: the questions.
        observed: row -> the answer to each question.
        said: row -> what the learner ticked; empty where nothing was predicted.

    Raises:
        ValueError: a row has not one answer for each column.
    """
    if any(len(ticks) != len(columns) for ticks in observed.values()):
        raise ValueError(f"each row needs {len(columns)} answers")
    figure, (axis,) = new_figure()
    for index, column in enumerate(columns):
        axis.text(
            LEFT + WIDE * index, -0.9, column, fontsize=TEXT, weight="bold", va="center"
        )
    for at, (row, ticks) in enumerate(observed.items()):
        axis.text(0, at, row, fontsize=TEXT, va="center", family="monospace")
        for index, tick in enumerate(ticks):
            _answer(axis, LEFT + WIDE * index, at, tick, said.get(row), index)
    axis.set_xlim(-0.1, LEFT + WIDE * len(columns))
    axis.set_ylim(len(observed) - 0.4, -1.4)
    axis.axis("off")
    parts = [
        f"{column} yes for {sum(ticks[index] for ticks in observed.values())} of "
        f"{len(observed)}"
        for index, column in enumerate(columns)
    ]
    rows = [
        (row, *("yes" if tick else "no" for tick in ticks))
        for row, ticks in observed.items()
    ]
    return Picture(figure, f"{'; '.join(parts)}.", ("", *columns), rows)


def _answer(axis, x: float, y: float, tick: bool, said, index: int) -> None:
    axis.plot(
        x + 0.1,
        y,
        "o",
        ms=11,
        mew=1.8,
        color=COLOURS[1],
        fillstyle="full" if tick else "none",
    )
    axis.text(x + 0.3, y, "yes" if tick else "no", fontsize=TEXT, va="center")
    if said is not None and said[index] != tick:
        mine = "yes" if said[index] else "no"
        axis.text(
            x + 0.8, y, f"you said {mine}", fontsize=TEXT, va="center", color=COLOURS[0]
        )
