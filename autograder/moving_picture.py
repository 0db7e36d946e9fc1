"""A film of notebook 09 as a GIF: one loop as it came, and mended, in the same time."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from PIL import Image

NOTEBOOK = "four_devices_speed_of_one"  # without its number, which may change
CELLS = ("start", "tools", "my_train-broken", "my_train-fix", "run-mine")
TITLES = "the loop as it came", "the same loop, mended"
FRAMES, LAST = 36, 40  # of the film; how many more its last one stays
MILLISECONDS = 60  # of a frame
DOTS = 110  # per inch
COLOURS = 64


def moving_picture(code: Mapping[str, str], comment: str) -> bytes:
    """Run the two trainings; return when each replica worked, as a GIF file.

    code: of the solution notebook's cells, by their ids; comment: for the file.
    """
    shown, namespace = [], {}
    for name in CELLS:
        if name == CELLS[-1]:
            namespace.update(timeline=lambda *runs: runs, show=shown.append)
        exec(compile(code[name], f"{NOTEBOOK} {name}", "exec"), namespace)
    frames = [Image.open(io.BytesIO(png)) for png in _frames(shown[0])]
    palette = frames[-1].convert("RGB").quantize(COLOURS)
    small = [each.convert("RGB").quantize(palette=palette) for each in frames]
    out = io.BytesIO()
    times = [MILLISECONDS] * (FRAMES - 1) + [MILLISECONDS * LAST]
    small[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=small[1:],
        duration=times,
        loop=0,
        comment=comment.encode(),
        optimize=True,
    )
    return out.getvalue()


def _frames(runs: Sequence) -> Iterator[bytes]:
    """Draw runs side by side, as PNG files: what goes on is hollow, then filled."""
    from course.pictures.parts import at_moment
    from course.pictures.span_film import draw_span
    from course.pictures.style import COLOURS as LANES
    from course.pictures.style import HATCHES, TEXT, name_axes, new_figure

    figure, axes = new_figure(len(runs), sharey=True)
    longest = max(run.seconds for run in runs)
    lanes = runs[0].lanes
    times = [longest * k / (FRAMES - 1) for k in range(FRAMES)]
    for axis, run, title in zip(axes, runs, TITLES, strict=True):
        axis.set_xlim(-0.01 * longest, 1.02 * longest)
        name_axes(axis, "", "", title)
        axis.spines.left.set_visible(False)
        axis.tick_params(axis="y", length=0)
        for span in run.spans:
            row = lanes.index(span.lane)
            look = LANES[row], HATCHES[row], "white"
            begin, end = span.begin - run.begin, span.end - run.begin
            moved = replace(span, begin=begin, end=end)
            draw_span(axis, moved, row, times, look, "")
    axes[0].set_ylim(len(lanes) - 0.4, -0.6)
    axes[0].set_yticks(range(len(lanes)), lanes)
    figure.supxlabel("seconds (the work is a wait; numbers: steps)", fontsize=TEXT)
    for moment in range(FRAMES):
        out = io.BytesIO()
        with at_moment(figure, moment):
            figure.savefig(out, format="png", dpi=DOTS, facecolor="white")
        yield out.getvalue()
