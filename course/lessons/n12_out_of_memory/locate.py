"""Locate: which event is the first that does not fit, and how much is missing?"""

from __future__ import annotations

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n12_out_of_memory.records import draw, first_over, in_use
from course.lessons.n12_out_of_memory.wrong_first_failure import MISTAKES

MY_FIRST_FAILURE = finding(
    "12/my_first_failure",
    Place(("index",), ("missing",)),
    draw,
    given=lambda ledger: (list(ledger.events), ledger.limit),
    find=lambda events, limit: first_over(in_use(events), limit),
    nothing=lambda ledger: (
        f"at most {in_use(ledger.events).max():g} MB are in use, and "
        f"the limit is {ledger.limit:g}."
    ),
    wanted="the index of the first event (among all events) after which more than the "
    "limit is in use, and how many MB over the limit that is.",
    mistakes=MISTAKES,
    usual={
        "one_late": "the index is one too large: the first event has the index 0.",
        "nothing_found": "it finds nothing in any recording, but in three of them more "
        "than the limit is in use at some moment.",
    },
    right="Right on five recordings, two of which fit.",
)
