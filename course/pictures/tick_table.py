"""A table of yes and no: what was observed, beside what a learner ticked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from course.pictures.picture import Picture
from course.pictures.style import COLOURS, TEXT, new_figure

# inches: a character of a row's name, of a question in bold; a row; dot and words
NAME, BOLD, HIGH, ANSWER = 0.098, 0.11, 0.36, 2.15


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
    left = NAME * max(map(len, observed)) + 0.4
    wide = max(ANSWER, BOLD * max(map(len, columns)) + 0.2)
    across, rows_high = left + wide * len(columns), len(observed) + 1
    figure.set_size_inches(across + 0.2, HIGH * rows_high + 0.1)
    for index, column in enumerate(columns):
        x = left + wide * index
        axis.text(x, -1, column, fontsize=TEXT, weight="bold", va="center")
    for at, (row, ticks) in enumerate(observed.items()):
        axis.axhline(at - 0.5, color="#cccccc", lw=0.8, zorder=0)
        axis.text(0, at, row, fontsize=TEXT, va="center", family="monospace")
        for index, tick in enumerate(ticks):
            _answer(axis, left + wide * index, at, tick, said.get(row), index)
    axis.set_xlim(-0.05, across)
    axis.set_ylim(len(observed) - 0.5, -1.5)
    axis.axis("off")
    rows = [
        (row, *("yes" if tick else "no" for tick in ticks))
        for row, ticks in observed.items()
    ]
    return Picture(figure, _sentence(observed, said), ("", *columns), rows)


def _sentence(
    observed: Mapping[str, tuple[bool, ...]], said: Mapping[str, tuple[bool, ...]]
) -> str:
    """Say how to read the table; how many ticks were right stands above it."""
    missed = any(said.get(row, ticks) != ticks for row, ticks in observed.items())
    reading = "A filled dot means yes, an empty one no."
    return (
        f"{reading} If you said something else, it is written beside the dot."
        if missed
        else reading
    )


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
