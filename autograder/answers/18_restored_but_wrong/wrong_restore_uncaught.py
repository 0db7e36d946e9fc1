"""read_all's errors are not caught."""

EXPECT = {"18/my_restore": "WRONG read_uncaught"}


def my_restore(folder, variables):
    stored = read_all(folder)
    stored.pop("save_counter", None)
    wrong = []
    for name in set(stored) | set(variables):
        value, variable = stored.get(name), variables.get(name)
        if (
            value is None
            or variable is None
            or value.dtype != variable.dtype.as_numpy_dtype
            or value.shape != variable.shape
        ):
            wrong.append(name)
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    for name, variable in variables.items():
        variable.assign(stored[name])
