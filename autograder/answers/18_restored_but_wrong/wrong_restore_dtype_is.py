"""A dtype is never the class that makes its numbers."""

EXPECT = {"18/my_restore": "WRONG everything_refused"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype is not variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])
