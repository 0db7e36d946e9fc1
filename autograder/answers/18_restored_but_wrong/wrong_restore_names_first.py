"""Names are compared first, and all else afterwards."""

EXPECT = {"18/my_restore": "WRONG names_first"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    bad = set(stored) ^ set(variables)
    if bad:
        raise ValueError(f"wrong names: {bad}")
    for name, variable in variables.items():
        value = stored[name]
        dtype, shape = variable.dtype.as_numpy_dtype, variable.shape
        if value is None or value.dtype != dtype or value.shape != shape:
            bad.add(name)
    if bad:
        raise ValueError(f"wrong: {bad}")
    for name, variable in variables.items():
        variable.assign(stored[name])
