"""All names of both sides are printed where they differ."""

EXPECT = {"18/my_restore": "WRONG all_named_if_names_differ"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    if set(stored) != set(variables):
        raise ValueError(f"{sorted(stored)} are not {sorted(variables)}")
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
