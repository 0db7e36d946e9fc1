"""Locate: which write is the first to lose an update, and how much does it lose?"""

from __future__ import annotations

from course.exercises import Difference, Exercise, Observation
from course.lessons.n05_different_every_run import monitors
from course.lessons.n05_different_every_run.records import Record, draw, losses
from course.places import Place

PLACE = Place(("index",), ("lost",))


def _compare(record: Record, got: Observation, truth: Observation) -> Difference:
    index, lost = got.values
    came = (
        "It returned None: nothing is lost."
        if index < 0
        else f"It returned index {index:.0f} and the amount {lost:g}."
    )
    if truth.values[0] < 0:
        return Difference(
            came,
            "Expected None: before each write, its thread has read what the variable "
            "held.",
        )
    if index < 0:
        return Difference(came, "Expected an answer: a write loses an update here.")
    if index == truth.values[0]:
        return Difference(
            f"{came} The index is right, the amount is not.",
            "Expected what the variable held just before that write, minus what the "
            "thread had read.",
        )
    amount = " The amount is right." if lost == truth.values[1] else ""
    kind = _kind_of(record, int(index))
    return Difference(
        f"{came} The index is wrong: {kind}.{amount}",
        "Expected the index, among all events, of the first write whose thread had not "
        "read what the variable held just before.",
    )


def _kind_of(record: Record, index: int) -> str:
    if index >= len(record.events):
        return f"there are only the events 0 to {len(record.events) - 1}"
    thread, kind, value = record.events[index]
    return f"event {index} is thread {thread}'s {kind} of {value:g}"


MY_LOST_UPDATE = Exercise(
    name="05/my_lost_update",
    cases=draw,
    observe=lambda function, record: PLACE.observation(function(list(record.events))),
    expect=lambda record: PLACE.observation(monitors.lost_update(record)),
    compare=_compare,
    mistakes=(
        PLACE.mistake(
            "value_falls",
            monitors.falls,
            "it looks for a value that falls. A lost update need not make it fall, and "
            "a healthy update may be negative.",
        ),
        PLACE.mistake(
            "any_crossing",
            monitors.any_crossing,
            "it takes any step of another thread between a read and a write for a "
            "loss. Reads do no harm: look for a WRITE of another thread.",
        ),
        PLACE.mistake(
            "first_read",
            monitors.first_read,
            "it compares with the first read of the thread. The value that a write "
            "builds on is the one its thread read LAST.",
        ),
        PLACE.mistake(
            "overwritten_not_overwriting",
            lambda r: monitors.first(
                r, lambda loss, events: (loss.overwritten, loss.lost)
            ),
            "the index is that of the write that was lost. Asked is the later write "
            "that overwrote it.",
        ),
        PLACE.mistake(
            "index_of_the_read",
            lambda r: monitors.first(r, lambda loss, events: (loss.read, loss.lost)),
            "the index is that of the read that went out of date. Asked is the write "
            "that used it.",
        ),
        PLACE.mistake(
            "number_among_writes",
            monitors.write_number,
            "the index counts writes only. Asked is the place among all events.",
        ),
        PLACE.mistake(
            "one_late",
            lambda r: monitors.first(
                r, lambda loss, events: (loss.write + 1, loss.lost)
            ),
            "the index is one too large: the first event has the index 0.",
        ),
        PLACE.mistake(
            "last_loss",
            lambda r: monitors.first(
                r, lambda loss, events: (loss.write, loss.lost), -1
            ),
            "it returns the last write that loses an update. Asked is the first.",
        ),
        PLACE.mistake(
            "largest_loss",
            lambda r: max(
                ((loss.write, loss.lost) for loss in losses(r.events)),
                key=lambda found: found[1],
                default=None,
            ),
            "it returns the write with the largest loss. Asked is the first.",
        ),
        PLACE.mistake(
            "own_amount",
            lambda r: monitors.first(
                r,
                lambda loss, e: (loss.write, e[loss.write][2] - e[loss.read][2]),
            ),
            "the amount is what this thread added. Asked is what the OTHERS added "
            "since it read, which is gone.",
        ),
        PLACE.mistake(
            "change_of_the_value",
            lambda r: monitors.first(
                r,
                lambda loss, e: (
                    loss.write,
                    e[loss.overwritten][2] - e[loss.write][2],
                ),
            ),
            "the amount is the change of the value by this write. That mixes what was "
            "lost with what this thread added.",
        ),
        PLACE.mistake(
            "sign",
            lambda r: monitors.first(r, lambda loss, e: (loss.write, -loss.lost)),
            "the amount has the wrong sign: what the variable held before the write, "
            "minus what the thread had read.",
        ),
        PLACE.mistake(
            "only_growth",
            monitors.only_growth,
            "it looks only for a thread that had read less than the variable held. An "
            "update may be negative, and be lost as well: look for any difference.",
        ),
        PLACE.mistake(
            "amount_without_sign",
            lambda r: monitors.first(r, lambda loss, e: (loss.write, abs(loss.lost))),
            "the amount has lost its sign: a negative update that is lost is a "
            "negative amount.",
        ),
        PLACE.mistake(
            "one_seen",
            monitors.one_seen,
            "it keeps one last read for all threads. Each thread builds on a read of "
            "its OWN: remember one for each.",
        ),
        PLACE.mistake(
            "two_writes",
            monitors.two_writes,
            "it looks for two writes in a row. A read of some thread may stand between "
            "the write that is lost and the one that overwrites it.",
        ),
        PLACE.mistake(
            "any_change",
            monitors.any_change,
            "it takes the first write that changes the value, which each write does. "
            "Compare what the variable held with what this thread had read.",
        ),
        PLACE.mistake(
            "zero_for_nothing",
            lambda r: monitors.lost_update(r) or (0, 0.0),
            "where nothing is lost, it returns (0, 0). Asked is None.",
        ),
        PLACE.mistake(
            "what_was_held",
            lambda r: monitors.first(
                r, lambda loss, e: (loss.write, e[loss.overwritten][2])
            ),
            "the amount is what the variable held. Take off what the thread had read.",
        ),
        PLACE.mistake(
            "nothing_found",
            lambda r: None,
            "it finds no loss in any recording: no return is reached, or what the "
            "variable holds and what a thread has seen never differ. Another thread's "
            "write changes only the first.",
        ),
        PLACE.mistake(
            "all_losses",
            lambda r: monitors.first(
                r,
                lambda loss, e: (loss.write, sum(x.lost for x in losses(r.events))),
            ),
            "the amount is the sum of all losses. Asked is that of the first one.",
        ),
    ),
    right="Right on eight recordings, in two of which steps cross or values fall, and "
    "nothing is lost.",
)
