"""Full global batches, taken in turn."""

EXPECT = {"01/my_stages": "WRONG full_global_batch_to_each"}


def my_stages():
    return [full_batches, from_function]
