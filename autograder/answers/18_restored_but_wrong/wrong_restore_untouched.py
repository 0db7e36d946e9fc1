"""The shipped code, renamed."""

EXPECT = {"18/my_restore": "NOT ATTEMPTED"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(**variables).restore(path).expect_partial()
