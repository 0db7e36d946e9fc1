"""A folder without a checkpoint ends it."""

EXPECT = {"18/my_restore": "CRASHED"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    stored = read_all(path)
    stored.pop("save_counter", None)
    if set(stored) != set(variables):
        raise ValueError(f"wrong: {set(stored) ^ set(variables)}")
    for name, variable in variables.items():
        variable.assign(stored[name])
