"""By order, where kinds are equal."""

EXPECT = {"18/my_restore": "WRONG by_order"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    names = sorted(variables)
    for name, value in zip(names, (stored[n] for n in sorted(stored)), strict=False):
        own = variables[name]
        if value is None or value.dtype != own.dtype.as_numpy_dtype:
            continue
        if value.shape == own.shape:
            own.assign(value)
