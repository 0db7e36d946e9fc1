"""Names and dtypes."""

EXPECT = {"18/my_restore": "WRONG no_shape"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    wrong = []
    for name in {*stored, *variables} - {"save_counter"}:
        value, own = stored.get(name), variables.get(name)
        if value is None or own is None or value.dtype != own.dtype.as_numpy_dtype:
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])
