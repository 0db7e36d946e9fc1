"""All workers and names, but means."""

EXPECT = {"14/my_first_difference": "WRONG sums_and_names"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if name != its_name or abs(values.mean() - its_values.mean()) > 1e-6:
                    return moment, position
    return None
