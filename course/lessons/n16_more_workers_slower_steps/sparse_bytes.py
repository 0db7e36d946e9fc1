"""Bytes over a link for each number of ids looked up: rows, merged rows, the table."""

from __future__ import annotations

from collections.abc import Sequence

from course.lessons.n16_more_workers_slower_steps.embedding_bytes import (
    FORMS,
    ROWS,
    WIDTH,
    Sent,
)
from course.pictures.picture import Picture
from course.pictures.style import COLOURS, MARKERS, TEXT, name_axes, new_figure, spread

ROOM = 1.42  # of the axis: labels stand behind the lines


def sparse_bytes(sent: Sequence[Sent]) -> Picture:
    """Draw what passed over the link of worker 1, a line for each form.

    Raises:
        ValueError: a form was not measured.
    """
    lines = {form: [each for each in sent if each.form == form] for form in FORMS}
    if not all(lines.values()):
        raise ValueError("sparse_bytes draws each of the forms: one was not measured")
    figure, (axis,) = new_figure()
    last = max(each.lookups for each in sent)
    top = max(each.passed for each in sent) / 1000
    ends = [lines[form][-1].passed / 1000 for form in FORMS]
    heights = spread(ends, 0.16 * top, 0.05 * top, top)
    for index, (form, line) in enumerate(lines.items()):
        axis.plot(
            [each.lookups for each in line],
            [each.passed / 1000 for each in line],
            color=COLOURS[index],
            marker=MARKERS[index],
            ms=7,
            lw=2,
            clip_on=False,
        )
        axis.annotate(
            f"{form}: {line[-1].passed / 1000:.0f} kB",
            (last, ends[index]),
            (1.04 * last, heights[index]),
            fontsize=TEXT,
            color=COLOURS[index],
            va="center",
        )
    axis.set_xlim(0, ROOM * last)
    axis.set_ylim(0, 1.08 * top)
    axis.set_xticks([each.lookups for each in lines[FORMS[0]]])
    axis.spines.bottom.set_bounds(0, last)
    name_axes(axis, "ids that each worker looks up in a step", "over a link (kB)")
    return Picture(
        figure,
        f"With {last} ids on each worker, the rows as they are have {ends[0]:.0f} kB, "
        f"with each id once {ends[1]:.0f} kB, and the whole table of {ROWS} rows of "
        f"{WIDTH} numbers {ends[2]:.0f} kB.",
        ("form", "ids of each worker", "rows handed on", "bytes over the link"),
        [
            (each.form, str(each.lookups), str(each.most), str(each.passed))
            for each in sent
        ],
    )
