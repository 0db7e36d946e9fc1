"""Values with ==."""

EXPECT = {"14/my_first_difference": "WRONG nan_differs_values_only"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (_name, values) in enumerate(entries):
            for other in snapshots[1:]:
                its_name, its_values = other[moment][position]
                if (values != its_values).any():
                    return moment, position
    return None
