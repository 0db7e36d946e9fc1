"""assert_consumed alone."""

EXPECT = {"18/my_restore": "WRONG asked_afterwards"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(**variables).restore(path).assert_consumed()
