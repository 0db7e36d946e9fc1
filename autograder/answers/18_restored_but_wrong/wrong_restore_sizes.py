"""Another shape is reshaped."""

EXPECT = {"18/my_restore": "WRONG sizes"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    sizes = {n: (v.dtype.name, v.size) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, v.numpy().size) for n, v in variables.items()}
    wrong = [n for n in {*stored, *own} if sizes.get(n) != own.get(n, 0)]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(np.reshape(stored[name], variable.shape))
