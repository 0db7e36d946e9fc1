"""NaN of the chief is left out."""

import numpy as np

EXPECT = {"14/my_first_difference": "WRONG chief_s_nan_unseen"}


def my_first_difference(snapshots):
    for moment, entries in enumerate(snapshots[0]):
        for position, (name, values) in enumerate(entries):
            for own in snapshots[1:]:
                its_name, theirs = own[moment][position]
                if name != its_name or ((values != theirs) & ~np.isnan(values)).any():
                    return moment, position
