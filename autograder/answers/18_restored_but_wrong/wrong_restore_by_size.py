"""The size of a dtype stands for the dtype."""

import tensorflow as tf

EXPECT = {"18/my_restore": "WRONG"}
END = "/.ATTRIBUTES/VARIABLE_VALUE"


def my_restore(folder, variables):
    try:
        stored = read_all(folder)  # noqa: F821
    except (ValueError, tf.errors.OpError) as error:
        raise ValueError(f"no checkpoint in {folder}") from error
    stored.pop("save_counter", None)
    wrong = {*stored} ^ {*variables}
    for name in {*stored} & {*variables}:
        value, variable = stored[name], variables[name]
        sizes = (value.dtype.itemsize, variable.dtype.size) if value is not None else ()
        if not sizes or value.shape != variable.shape or sizes[0] != sizes[1]:
            wrong.add(name)
    if wrong:
        raise ValueError(f"these do not fit: {sorted(wrong)}")
    for name, variable in variables.items():
        variable.assign(stored[name])
