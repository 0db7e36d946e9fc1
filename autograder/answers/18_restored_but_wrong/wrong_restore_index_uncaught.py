"""A folder without a checkpoint is refused; a damaged index is not."""

EXPECT = {"18/my_restore": "WRONG index_uncaught"}


def my_restore(folder, variables):
    if tf.train.latest_checkpoint(folder) is None:
        raise ValueError(f"no checkpoint in {folder}")
    stored = read_all(folder)
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype != variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])
