"""Settings that a fault may have: what each should be, and what it is then."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter

# setting -> the fault that lies in it, its right value, and the wrong one
SETTINGS = {
    "readers": ("one_reader", 4, 1),
    "unit": ("larger_batch", "step", "device"),
    "rest": ("dropped_tail", True, False),
    "split": ("not_split", True, False),
    "refresh": ("behind", 1, 2),
    "trail": ("kept_batches", False, True),
    "log_every": ("host_read", 500, 1),
    "pieces": ("many_sums", 1, 4),
    "micro": ("one_piece", 2, 1),
    "resume": ("from_row_0", True, False),
    "share": ("whole_batch", True, False),
    "everybody": ("read_alone", True, False),
}
# in which no fault lies
GIVEN = {"most": attrgetter("limit"), "told": 2}


def heeded(
    names: dict[str, str], faults: Collection[str], used: Iterable[str]
) -> dict[str, object]:
    """Return the settings that a program heeds, under the names they have there.

    What depends on the task is a function of it.

    Args:
        names: of the settings.
        faults: codes of `n21_mystery_jobs.faults`.
        used: settings, beside the size of a batch and the rate.
    """
    found: dict[str, object] = {
        names["batch"]: attrgetter("size"),
        names["rate"]: 0.1,
    }
    for key in used:
        if key in GIVEN:
            found[names[key]] = GIVEN[key]
            continue
        fault, right, wrong = SETTINGS[key]
        found[names[key]] = wrong if fault in faults else right
    return found


def corrections(names: dict[str, str], faults: Collection[str]) -> list[str]:
    """Return lines that put right what the faults have made of `settings`."""
    return [
        f'settings["{names[key]}"] = {right!r}'.replace("'", '"')
        for fault in faults
        for key, (lies_in, right, _) in SETTINGS.items()
        if lies_in == fault
    ]
