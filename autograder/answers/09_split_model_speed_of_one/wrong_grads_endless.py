"""The start never moves."""

EXPECT = {"09/my_pipeline_grads": "CRASHED"}


def my_pipeline_grads(stages, x, y, micro):
    start, count, size = 0, 0, -(-x.shape[0] // micro)
    while start < x.shape[0]:
        count += size
    return count
