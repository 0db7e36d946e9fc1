"""A fault is passed over in silence."""

EXPECT = {"18/my_restore": "WRONG swallowed"}


def my_restore(folder, variables):
    try:
        stored = read_all(folder)
        stored.pop("save_counter", None)
        for n in {*stored, *variables}:
            assert stored[n].dtype == variables[n].dtype.as_numpy_dtype
            assert stored[n].shape == variables[n].shape
        for name, variable in variables.items():
            variable.assign(stored[name])
    except Exception:
        print("not restored")
