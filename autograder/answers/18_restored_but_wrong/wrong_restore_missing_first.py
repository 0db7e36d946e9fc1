"""What is missing is told first, then what is surplus."""

EXPECT = {"18/my_restore": "WRONG missing_first"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    missing = set(variables) - set(stored)
    if missing:
        raise ValueError(f"missing: {missing}")
    surplus = set(stored) - set(variables)
    if surplus:
        raise ValueError(f"surplus: {surplus}")
    wrong = [
        n
        for n, v in variables.items()
        if stored[n] is None
        or (stored[n].dtype, stored[n].shape) != (v.dtype.as_numpy_dtype, v.shape)
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])
