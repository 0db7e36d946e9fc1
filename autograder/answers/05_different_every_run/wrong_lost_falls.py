"""A falling value, written in another way."""

EXPECT = {"05/my_lost_update": "WRONG value_falls"}


def my_lost_update(events):
    values = [events[0][2]]
    for index, event in enumerate(events):
        if event[1] == "write":
            values.append(event[2])
            if values[-1] < values[-2]:
                return index, values[-2] - values[-1]
