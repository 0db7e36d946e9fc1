"""Shipped, in two lines."""

EXPECT = {"18/my_restore": "WRONG silent"}


def my_restore(folder, variables):
    checkpoint = tf.train.Checkpoint(**variables)
    checkpoint.restore(tf.train.latest_checkpoint(folder)).expect_partial()
