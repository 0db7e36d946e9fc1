"""Ask a tensor for its NumPy value inside tf.function."""

EXPECT = {"03/my_loss": "CRASHED"}


def my_loss(per_example, ctx):
    return sum(per_example.numpy()) / len(per_example.numpy())
