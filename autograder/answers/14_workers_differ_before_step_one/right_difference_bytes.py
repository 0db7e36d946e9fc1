"""Bytes are compared; NaN is a pattern of bits like any other."""

EXPECT = {"14/my_first_difference": "RIGHT"}


def my_first_difference(snapshots):
    chief = snapshots[0]
    for moment in range(len(chief)):
        for position in range(len(chief[moment])):
            entries = [own[moment][position] for own in snapshots]
            if len({(name, v.shape, v.tobytes()) for name, v in entries}) > 1:
                return [moment, position]
