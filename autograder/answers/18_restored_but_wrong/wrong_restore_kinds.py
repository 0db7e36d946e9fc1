"""One loop for each kind of fault; each raises."""

EXPECT = {"18/my_restore": "WRONG kinds_in_turn"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    bad = set(stored) ^ set(variables)
    if bad:
        raise ValueError(f"wrong names: {bad}")
    for name in variables:
        if stored[name] is None:
            raise ValueError(f"{name} can't be read")
    for name, variable in variables.items():
        if stored[name].dtype != variable.dtype.as_numpy_dtype:
            raise ValueError(f"{name} has another dtype")
    for name, variable in variables.items():
        if stored[name].shape != variable.shape:
            raise ValueError(f"{name} has another shape")
    for name, variable in variables.items():
        variable.assign(stored[name])
