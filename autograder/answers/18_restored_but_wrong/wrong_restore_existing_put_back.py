"""The error's words, and all old values put back."""

EXPECT = {"18/my_restore": "WRONG assert_existing_objects_matched_error_put_back"}


def my_restore(folder, variables):
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_existing_objects_matched()
    except Exception as error:
        for name, variable in variables.items():
            variable.assign(before[name])
        raise ValueError(str(error)) from error
