"""Compared first; then TensorFlow restores."""

EXPECT = {"18/my_restore": "RIGHT"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    if not path:
        raise RestoreError(f"nothing to restore in {folder}")
    try:
        stored = read_all(path)
    except Exception as error:
        raise RestoreError(f"nothing to restore in {folder}") from error
    wrong = set(variables) ^ (set(stored) - {"save_counter"})
    for name in set(variables) & set(stored):
        value, variable = stored[name], variables[name]
        if value is None or (tf.as_dtype(value.dtype), value.shape) != (
            variable.dtype,
            variable.shape,
        ):
            wrong.add(name)
    if wrong:
        raise RestoreError(f"do not fit: {wrong}")
    status = tf.train.Checkpoint(**variables).restore(path)
    status.assert_existing_objects_matched().expect_partial()


class RestoreError(ValueError):
    """A checkpoint that does not fit."""
