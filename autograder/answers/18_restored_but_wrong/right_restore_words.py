"""A word for each fault, in a list."""

EXPECT = {"18/my_restore": "RIGHT"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError("No checkpoint was found in " + str(folder))
    try:
        stored = read_all(path)
    except tf.errors.OpError as error:
        raise ValueError(f"{path}: the index can not be read ({error})") from None
    stored.pop("save_counter", None)
    faults = []
    for name in sorted(set(stored) | set(variables)):
        if name not in variables:
            faults.append(f"{name}: only in the file")
        elif name not in stored:
            faults.append(f"{name}: only in the program")
        elif stored[name] is None:
            faults.append(f"{name}: damaged")
        elif stored[name].dtype != variables[name].dtype.as_numpy_dtype:
            faults.append(f"{name}: stored as {stored[name].dtype}")
        elif stored[name].shape != tuple(variables[name].shape):
            faults.append(f"{name}: stored with shape {stored[name].shape}")
    if faults:
        raise ValueError("; ".join(faults))
    for name in variables:
        variables[name].assign(stored[name])
