"""All workers, but still sums."""

EXPECT = {"14/my_first_difference": "WRONG sums"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (_name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if abs(values.sum() - its_values.sum()) > 1e-6:
                    return moment, position
    return None
