"""What this notebook draws: runs that end apart, and what their logs say."""

import numpy as np
from picture_rules import picture_tests

from course.lessons.n00_start_here.apart import ends_apart
from course.lessons.n00_start_here.curves import epoch_by_epoch
from course.lessons.n00_start_here.fitting import Compared, Fitted, compare_fits
from course.lessons.n00_start_here.playing import KNOBS


def compared(rows, devices, gaps, more_loss=0.0):
    loss = np.linspace(5.0, 3.0, len(gaps))
    one = Fitted(loss, np.zeros((len(gaps), 2)))
    other = loss + more_loss * np.arange(len(gaps))
    return Compared(rows, 8, devices, one, Fitted(other, np.outer(gaps, [1.0, 0.5])))


GROUPS = {
    rows: (compared(rows, 2, [gap / 2]), compared(rows, 4, [gap]))
    for rows, gap in ((17, 0.4), (18, 0.3), (20, 0.0), (22, 0.07), (23, 0.2))
}
MISSED = {f"{rows} rows": (gap[0].agrees, True) for rows, gap in GROUPS.items()}
APART = compared(22, 4, [0.1, 0.15, 0.16], 0.1)
SAME = compared(24, 2, [0.0, 0.0, 0.0])
PICTURES = {
    "nothing predicted": lambda: ends_apart(GROUPS),
    "mostly missed": lambda: ends_apart(GROUPS, MISSED),
    "a run apart": lambda: epoch_by_epoch(APART),
    "a run that agrees, after another": lambda: epoch_by_epoch(SAME, APART),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentences_say_what_came():
    words = PICTURES["nothing predicted"]().sentence
    assert "logged the same loss as one device; 4 of 5 runs on 2 devices" in words
    words = PICTURES["a run apart"]().sentence
    assert "4 devices: the weights differ from one device's by 0.160. The" in words
    assert "The logged loss differs from epoch 1 on" in words
    words = PICTURES["a run that agrees, after another"]().sentence
    assert "2 devices: the weights match one device's. All logged losses match" in words


def test_a_wrong_tick_is_marked_where_it_is_wrong():
    marked = [
        text.get_text()
        for text in PICTURES["mostly missed"]().figure.axes[0].texts
        if "✗" in text.get_text()
    ]
    assert marked == ["0.200 ✗", "0.150 ✗", "0 ✗", "0.035 ✗", "0.100 ✗", "0 ✗"]


def test_each_end_of_each_knob_can_be_drawn(devices):
    """The default setting, and the ends of rows with each batch and device count."""
    rows, batch, more = KNOBS
    default = compare_fits(rows.value, batch.value, more.value)
    assert "4 devices: the weights differ" in epoch_by_epoch(default).sentence
    for count in (rows.low, rows.high, rows.high - 1):
        for size in batch.options.values():
            for n in more.options.values():
                now = compare_fits(count, size, n)
                sentence = epoch_by_epoch(now, default).sentence
                agrees = f"{n} devices: the weights match" in sentence
                assert agrees == (count != rows.high - 1)
