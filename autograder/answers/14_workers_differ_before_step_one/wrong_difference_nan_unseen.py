"""Nothing is larger than NaN."""

EXPECT = {"14/my_first_difference": "WRONG nan_unseen"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if name != its_name or (abs(values - its_values) > 1e-6).any():
                    return moment, position
    return None
