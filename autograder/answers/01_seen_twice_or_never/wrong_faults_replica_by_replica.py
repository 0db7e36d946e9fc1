"""All steps of replica 0, then all steps of replica 1."""

EXPECT = {"01/my_first_faults": "WRONG replica_by_replica"}


def my_first_faults(steps, rows):
    again, seen = None, set()
    for lane in zip(*steps, strict=True):
        for shard in lane:
            for row in shard:
                if row in seen and again is None:
                    again = row
                seen.add(row)
    return again, min(set(range(rows)) - seen, default=None)
