"""TensorFlow's errors become one that names, after the values were written."""

EXPECT = {"18/my_restore": "WRONG refused_too_late"}


def my_restore(folder, variables):
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        raise ValueError(f"no checkpoint in {folder}")
    try:
        tf.train.Checkpoint(**variables).restore(path).assert_consumed()
    except Exception as error:
        try:
            stored = read_all(path)
        except tf.errors.OpError:
            raise ValueError(f"no readable checkpoint in {folder}") from error
        stored.pop("save_counter", None)
        kinds = {n: (v.dtype.name, v.shape) for n, v in stored.items() if v is not None}
        own = {n: (v.dtype.name, tuple(v.shape)) for n, v in variables.items()}
        wrong = [n for n in {*stored, *own} if kinds.get(n) != own.get(n, 0)]
        raise ValueError(f"wrong: {wrong}") from error
