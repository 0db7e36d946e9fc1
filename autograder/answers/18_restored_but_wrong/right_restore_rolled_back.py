"""TensorFlow restores; a fault puts all values back."""

EXPECT = {"18/my_restore": "RIGHT"}


def my_restore(folder, variables):
    before = {name: variable.numpy() for name, variable in variables.items()}
    path = tf.train.latest_checkpoint(folder)
    status = None
    try:
        status = tf.train.Checkpoint(**variables).restore(path)
        status.assert_consumed()
    except Exception as error:
        if status is not None:
            status.expect_partial()
        for name, value in before.items():
            variables[name].assign(value)
        raise ValueError(f"{folder} {faults(path, variables)}") from error


def faults(path, variables):
    try:
        stored = read_all(path)
    except Exception:
        return "can not be read"
    stored.pop("save_counter", None)
    kinds = {n: (str(v.dtype), v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    return [n for n in stored.keys() | own.keys() if kinds.get(n) != own.get(n, 0)]
