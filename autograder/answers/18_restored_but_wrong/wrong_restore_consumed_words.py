"""assert_consumed's error becomes a ValueError with its words."""

EXPECT = {"18/my_restore": "WRONG assert_consumed_folder_error"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    try:
        tf.train.Checkpoint(**variables).restore(path).assert_consumed()
    except Exception as error:
        raise ValueError(f"{folder}: {error}") from error
