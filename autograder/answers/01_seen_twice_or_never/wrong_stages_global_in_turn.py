"""Global batches, taken in turn."""

EXPECT = {"01/my_stages": "WRONG global_batch_to_each"}


def my_stages():
    return [batch_rows, from_function]
