"""What this notebook's instrument draws: a run, and the run before beside it."""

from picture_rules import picture_tests

from course.lessons.n08_busy_then_idle.input_pipeline import READERS
from course.lessons.n08_busy_then_idle.playing import (
    PLAYED_LANES,
    picture,
    tell,
)
from course.pictures.parts import parts_at
from course.runs.spans import Span, Timeline


def drawn_run(readers, read, decode, elements=8, what="4 calls"):
    """Elements read by so many readers; one decoder, if its work takes ms; the step."""
    spans, free, last = [], [0.0] * readers, 0.0
    for element in range(elements):
        at = free.index(min(free))
        begin, name = free[at], str(element)
        free[at] = begin + read
        spans.append(Span(f"reader {at}", begin, free[at], name, "read"))
        last = max(last, free[at])
        for kind, seconds in (("decode", decode / 1000), ("step", 0.02)):
            if seconds:
                spans.append(Span(kind, last, last + seconds, name, kind))
                last += seconds
    label = f"{what}, 4 cores, 60 (one 200){' + 40' * bool(decode)} ms"
    spans.sort(key=lambda span: span.begin)
    return Timeline(label, PLAYED_LANES, tuple(spans))


FEW, MANY = drawn_run(1, 0.06, 40), drawn_run(READERS, 0.06, 0)
MINE, MINE_BEFORE = (drawn_run(n, 0.06, 40, what="my_dataset") for n in (2, 4))
PICTURES = {
    "the first run": lambda: picture(MANY, None),
    "beside the run before": lambda: picture(MANY, FEW),
    "the same run again": lambda: picture(FEW, FEW),
    "the longest labels": lambda: picture(MINE, MINE_BEFORE),
}

test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_a_bar_says_what_it_is():
    said = parts_at(picture(FEW, None).figure, 0)
    assert said[:2] == [
        "reader 0: read 0, 0.00 s to 0.06 s",
        "decode: decode 0, 0.06 s to 0.10 s",
    ]


def test_the_decoder_has_a_lane_only_where_somebody_decodes():
    def lanes(*runs):
        axis = picture(*runs).figure.axes[0]
        return [label.get_text() for label in axis.get_yticklabels()]

    assert lanes(FEW, MANY) == lanes(MANY, FEW) == [*PLAYED_LANES]
    assert lanes(MANY, None) == [lane for lane in PLAYED_LANES if lane != "decode"]


def test_a_role_has_one_colour_in_all_figures():
    def colour(*runs):
        figure = picture(*runs).figure
        (legend,) = figure.legends
        names = [text.get_text() for text in legend.get_texts()]
        return legend.get_patches()[names.index("step")].get_facecolor()

    assert colour(FEW, None) == colour(MANY, None)


def test_a_run_is_told_in_a_line():
    assert tell(MANY).startswith("4 calls, 4 cores, 60 (one 200) ms: ")
    assert tell(MANY).endswith(" idle")
