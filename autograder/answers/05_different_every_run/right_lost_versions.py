"""Count the writes; a read remembers the count."""

EXPECT = {"05/my_lost_update": "RIGHT"}


def my_lost_update(events):
    version, held, read = 0, events[0][2], {}
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            read[thread] = (version, value)
            continue
        if read[thread][0] != version:
            return [index, np.float64(held - read[thread][1])]
        version, held = version + 1, value
        read[thread] = (version, value)
