"""The largest row that never came."""

EXPECT = {"01/my_first_faults": "WRONG largest_never_seen"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for step in steps:
        for shard in step:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, max(set(range(rows)) - seen, default=None)
