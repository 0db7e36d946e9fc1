"""assert_existing_objects_matched alone."""

EXPECT = {"18/my_restore": "WRONG existing_only"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    status = tf.train.Checkpoint(**variables).restore(path)
    status.assert_existing_objects_matched()
