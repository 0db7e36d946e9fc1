"""write is called while tracing."""

EXPECT = {"08/my_log": "WRONG while_tracing"}


def my_log(place, value, write):
    write(place, value)
    return value
