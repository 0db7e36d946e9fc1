"""A damaged array is passed over."""

EXPECT = {"18/my_restore": "WRONG damage_passed"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
    own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
    wrong = [
        n
        for n in {*stored, *own}
        if kinds.get(n) != own.get(n, 0) and stored.get(n, 0) is not None
    ]
    if wrong:
        raise ValueError(f"wrong: {sorted(wrong)}")
    for name, variable in variables.items():
        if stored[name] is not None:
            variable.assign(stored[name])
