"""The instrument of notebook 00: which runs of `fit` end with one device's weights?"""

from __future__ import annotations

from course.lessons.n00_start_here.curves import epoch_by_epoch, told
from course.lessons.n00_start_here.fitting import compare_fits
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Slider

KNOBS = (
    Slider("rows", "rows", 8, 40, 22),
    Choice("batch", "global batch", {"4": 4, "8": 8}, 8),
    Choice("devices", "devices", {"2": 2, "4": 4}, 4),
)


def fit_on_more_devices() -> None:
    """Show the instrument: three epochs of `fit`, on one device and on more."""
    instrument(KNOBS, compare_fits, epoch_by_epoch, told)
