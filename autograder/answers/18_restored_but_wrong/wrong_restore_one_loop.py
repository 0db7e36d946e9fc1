"""Looked at and written in one loop."""

EXPECT = {"18/my_restore": "WRONG written_while_looking"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    wrong = set(stored) - set(variables) - {"save_counter"}
    for name, variable in variables.items():
        value = stored.get(name)
        if value is None or (value.dtype.name, value.shape) != (
            variable.dtype.name,
            tuple(variable.shape),
        ):
            wrong.add(name)
        else:
            variable.assign(value)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
