"""Answers to 05/my_lost_update, right and wrong, and what the check says of each."""

from autograder.answers import changed, right, wrong


@right
def backwards(events):
    """From each write, look back to the last read of its thread."""
    for index, (thread, kind, _) in enumerate(events):
        if kind != "write":
            continue
        last = max(i for i in range(index) if events[i][:2] == (thread, "read"))
        others = [v for t, k, v in events[last:index] if k == "write" and t != thread]
        if others:
            return index, others[-1] - events[last][2]


@right
def lost_seen(events):
    """Remember what each thread has seen."""
    held, seen = None, {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        elif held is not None and seen[thread] != held:
            return index, held - seen[thread]
        held = value
    return None


@right
def versions(events):
    """Count the writes; a read remembers the count."""
    version, held, read = 0, events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            read[thread] = (version, value)
            continue
        if read[thread][0] != version:
            return [index, np.float64(held - read[thread][1])]
        version, held = version + 1, value
        read[thread] = (version, value)


@wrong
@changed(lost_seen, ("return index, held - seen[thread]", "return index"))
def index_only():
    """The index without the amount."""


@wrong
@changed(lost_seen, ("held - seen[thread]", "(held - seen[thread]) / 2"))
def unknown():
    """Half the amount: no known mistake."""


@wrong
@changed(lost_seen, ("return None", "return 0"))
def zero():
    """Zero instead of None where nothing is lost."""
