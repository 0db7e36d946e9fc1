"""Answers to 10/my_pipeline_grads, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def in_step(stages, x, y, micro):
    """Each stage takes its micro-batches in order, as a GPU with one queue does."""
    size, losses, last = -(-x.shape[0] // micro), [], {}
    with tf.GradientTape() as tape:
        for i in range(0, x.shape[0], size):
            h = x[i : i + size]
            for stage in stages:
                with (
                    tf.device(stage.device),
                    tf.control_dependencies(last.get(stage, [])),
                ):
                    h = stage(tf.identity(h))
                last[stage] = [h]
            losses.append(tf.reduce_sum((h - y[i : i + size]) ** 2))
        loss = tf.add_n(losses) / x.shape[0]
    return loss, tape.gradient(loss, [stage.w for stage in stages])


def through(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = stage(h)
    return h


@right
def one_tape(stages, x, y, micro):
    """One tape, sums divided by all rows, added up."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@right
def recursive(stages, x, y, micro):
    """Cut off one micro-batch, and call yourself on the rest."""

    def grads(x, y, size, rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((through(stages, x[:size]) - y[:size]) ** 2) / rows
        own = [loss, *tape.gradient(loss, [stage.w for stage in stages])]
        if x.shape[0] <= size:
            return own
        rest = grads(x[size:], y[size:], size, rows)
        return [a + b for a, b in zip(own, rest, strict=True)]

    found = grads(x, y, -(-x.shape[0] // micro), x.shape[0])
    return found[0], found[1:]


@right
def errors_joined(stages, x, y, micro):
    """Even parts by tf.split, squares joined before the mean."""
    rows = len(x)
    sizes = [rows // micro + (i < rows % micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        parts = zip(tf.split(x, sizes), tf.split(y, sizes), strict=True)
        squares = [(through(stages, a) - b) ** 2 for a, b in parts]
        loss = tf.reduce_mean(tf.concat(squares, axis=0))
    return [loss, tape.gradient(loss, [stage.w for stage in stages])]


@wrong("backward_after_all_forward")
def split(stages, x, y, micro):
    """Even parts by tf.split, OUTPUTS joined before the mean."""
    rows = len(x)
    sizes = [rows // micro + (i < rows % micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        outputs = [through(stages, part) for part in tf.split(x, sizes)]
        loss = tf.reduce_mean((tf.concat(outputs, axis=0) - y) ** 2)
    return [loss, tape.gradient(loss, [stage.w for stage in stages])]


@right
@tf.function
def stage_by_stage(stages, x, y, micro):
    """All micro-batches through one stage, then the next; a tf.function of its own."""
    size = -(-x.shape[0] // micro)
    with tf.GradientTape() as tape:
        parts = [x[i : i + size] for i in range(0, x.shape[0], size)]
        for stage in stages:
            with tf.device(stage.device):
                parts = [stage(part) for part in parts]
        wanted = [y[i : i + size] for i in range(0, x.shape[0], size)]
        sums = [tf.reduce_sum((a - b) ** 2) for a, b in zip(parts, wanted, strict=True)]
        loss = tf.math.accumulate_n(sums) / x.shape[0]
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@right
def tapes(stages, x, y, micro):
    """A tape for each micro-batch, gradients added up."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        own = tape.gradient(part, weights)
        total = [t + g for t, g in zip(total, own, strict=True)]
        loss += part
    return loss, total


@right
def weighed(stages, x, y, micro):
    """Means, weighed with the rows of their micro-batch."""
    weights = [stage.w for stage in stages]
    size, parts = -(-x.shape[0] // micro), []
    for k in range(micro):
        rows = x[k * size : (k + 1) * size]
        with tf.GradientTape() as tape:
            mean = tf.reduce_mean(
                (through(stages, rows) - y[k * size : (k + 1) * size]) ** 2
            )
        share = rows.shape[0] / x.shape[0]
        parts.append([share * mean, *(share * g for g in tape.gradient(mean, weights))])
    loss, *gradients = [tf.add_n(list(part)) for part in zip(*parts, strict=True)]
    return loss, tuple(gradients)


@wrong("divided_as_if_full")
@changed(
    one_tape,
    ("tf.reduce_sum(error) / rows", "tf.reduce_sum(error) / size"),
    ("tf.add_n(losses)", "tf.add_n(losses) / micro"),
)
def by_full():
    """Divided as if all micro-batches were full."""


@wrong("divided_by_micro")
@changed(
    one_tape,
    ("tf.reduce_sum(error) / rows", "tf.reduce_sum(error)"),
    ("tf.add_n(losses)", "tf.add_n(losses) / micro"),
)
def by_micro():
    """Sums, divided by the number of parts."""


@wrong("divided_by_size")
@changed(one_tape, ("tf.reduce_sum(error) / rows", "tf.reduce_sum(error) / size"))
def by_size():
    """Each sum divided by the size of a micro-batch."""


@wrong("one_after_the_other")
@changed(
    one_tape,
    (
        "error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])",
        """
        with tf.control_dependencies(losses[-1:]):
            h = through(stages, tf.identity(x[i : i + size]))
        error = tf.square(h - y[i : i + size])
        """,
    ),
)
def chained():
    """Each micro-batch waits for the loss of the one before."""


@wrong("one_after_the_other")
@changed(
    tapes,
    ("with tf.Gr", "with tf.control_dependencies(total), tf.Gr"),
    ("x[i : i + size]", "tf.identity(x[i : i + size])"),
)
def chained_gradients():
    """Each micro-batch waits for the gradients of the one before."""


@wrong("computed_twice")
@changed(
    tapes,
    (
        "loss += part",
        """
        again = through(stages, x[i : i + size])
        loss += tf.reduce_sum((again - y[i : i + size]) ** 2) / rows
        """,
    ),
)
def computed_twice():
    """The loss is computed a second time, with the same parts."""


@wrong("one_after_the_other")
def concat_after_each_stage(stages, x, y, micro):
    """The micro-batches are put together again after each stage."""
    rows = x.shape[0]
    size = -(-rows // micro)
    with tf.GradientTape() as tape:
        h = x
        for stage in stages:
            with tf.device(stage.device):
                parts = [stage(h[i : i + size]) for i in range(0, rows, size)]
            h = tf.concat(parts, axis=0)
        loss = tf.reduce_mean(tf.square(h - y))
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@crashed
def endless(stages, x, y, micro):
    """The start never moves."""
    start, count, size = 0, 0, -(-x.shape[0] // micro)
    while start < x.shape[0]:
        count += size
    return count


@crashed
@changed(split, ("tf.split(x, sizes)", "tf.split(x, micro)"))
def even_split():
    """tf.split into a number of parts that does not divide."""


@wrong("first_device")
@changed(stage_by_stage, ("stage.device", "stages[0].device"))
def first_device():
    """All on the first device."""


@wrong("first_only")
@changed(
    tapes,
    ("tf.reduce_sum(error) / rows", "tf.reduce_mean(error)"),
    ("loss += part", "return part, own"),
)
def first_only():
    """It returns inside the loop."""


@wrong("gradients_of_last")
@changed(tapes, ("[t + g for t, g in zip(total, own, strict=True)]", "own"))
def gradients_of_last():
    """The gradients of each part replace those before."""


@wrong
@changed(tapes, ("return loss, total", "return total"))
def gradients_only():
    """The loss is not returned."""


@wrong("gradients_not_divided")
@changed(
    tapes,
    ("part = tf.reduce_sum(error) / rows", "part = tf.reduce_sum(error)"),
    ("return loss, total", "return loss / rows, total"),
)
def gradients_sum():
    """The loss is divided, the gradients are not."""


@wrong("last_device")
@changed(stage_by_stage, ("stage.device", "stages[-1].device"))
def last_device():
    """All on the last device."""


@wrong("last_mean_only")
@changed(
    tapes,
    ("tf.reduce_sum(error) / rows", "tf.reduce_mean(error)"),
    ("[t + g for t, g in zip(total, own, strict=True)]", "own"),
    ("loss += part", "loss = part"),
)
def last_mean_only():
    """Mean and gradients of the last part."""


@wrong("last_only")
@changed(
    tapes,
    ("[t + g for t, g in zip(total, own, strict=True)]", "own"),
    ("loss += part", "loss = part"),
)
def last_only():
    """Loss and gradients of the last part."""


@wrong("loss_mean_of_last")
@changed(tapes, ("return loss, total", "return tf.reduce_mean(error), total"))
def loss_mean_of_last():
    """Right gradients; the loss is the mean of the last part."""


@wrong("loss_of_last")
@changed(tapes, ("return loss, total", "return part, total"))
def loss_of_last():
    """Right gradients; the loss is the last part's."""


@wrong("loss_not_divided")
@changed(tapes, ("return loss, total", "return loss * rows, total"))
def loss_sum():
    """Right gradients; the loss is a sum."""


@wrong("mean_of_means")
@changed(
    one_tape,
    ("tf.reduce_sum(error) / rows", "tf.reduce_mean(error)"),
    ("tf.add_n(losses)", "tf.reduce_mean(losses)"),
)
def mean_of_means():
    """The mean of the micro-batches' means."""


@wrong("mean_of_means_even")
def mean_of_means_even(stages, x, y, micro):
    """The mean of the means of even parts."""
    rows = x.shape[0]
    sizes = [rows // micro + (i < rows - rows // micro * micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        parts = zip(tf.split(x, sizes), tf.split(y, sizes), strict=True)
        means = [tf.reduce_mean((through(stages, a) - b) ** 2) for a, b in parts]
        loss = tf.reduce_mean(means)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("mean_of_means")
@changed(
    tapes,
    ("part = tf.reduce_sum(error) / rows", "part = tf.reduce_mean(error)"),
    ("return loss, total", "return loss / micro, [t / micro for t in total]"),
)
def mean_of_means_tapes():
    """Means and their gradients, divided by the number of parts."""


@wrong("one_device")
@changed(stage_by_stage, ("tf.device(stage.device)", 'tf.name_scope("stage")'))
def no_device():
    """The stages are called without tf.device."""


@wrong("stages_not_called")
@changed(stage_by_stage, ("stage(part)", "tf.tanh(part @ stage.w)"))
def not_called():
    """The layers are computed without the stages."""


@wrong("not_divided")
@changed(one_tape, ("tf.reduce_sum(error) / rows", "tf.reduce_sum(error)"))
def not_divided():
    """Sums, never divided."""


@wrong
def nothing(stages, x, y, micro):
    """It returns nothing."""
    size = -(-x.shape[0] // micro)
    for i in range(0, x.shape[0], size):
        through(stages, x[i : i + size])


@wrong
@changed(tapes, ("loss, total", "loss, tf.add_n([tf.reduce_sum(t) for t in total])"))
def one_sum():
    """The gradients are added up into one tensor."""


@wrong("one_too_many")
@changed(one_tape, ("-(-rows // micro), []", "rows // micro, []"))
def one_too_many():
    """Rounded down, so that there is one part more."""


@wrong
def outside_tape(stages, x, y, micro):
    """The stages are called before the tape is open."""
    size = -(-x.shape[0] // micro)
    parts = [through(stages, x[i : i + size]) for i in range(0, x.shape[0], size)]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.concat(parts, axis=0) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("rest_in_last")
def rest_in_last(stages, x, y, micro):
    """The last part takes what is left."""
    rows = x.shape[0]
    size, losses = rows // micro, []
    with tf.GradientTape() as tape:
        for k in range(micro):
            part = slice(k * size, (k + 1) * size if k < micro - 1 else rows)
            losses.append(
                tf.reduce_sum((through(stages, x[part]) - y[part]) ** 2) / rows
            )
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong
@changed(tapes, ("return loss, total", "return loss, total[::-1]"))
def grads_reversed():
    """The gradients come from the last stage to the first."""


@wrong
@changed(one_tape, ("return loss", "return tf.stack(losses)"))
def row_losses():
    """One loss for each micro-batch."""


@wrong("small_last_dropped")
@changed(one_tape, ("range(0, rows, size)", "range(0, rows - size + 1, size)"))
def small_last():
    """Leaves a smaller last micro-batch out."""


@wrong("sum_of_means")
@changed(one_tape, ("tf.reduce_sum(error) / rows", "tf.reduce_mean(error)"))
def sum_of_means():
    """The means of the micro-batches, added up."""


@wrong("sum_of_means_even")
@changed(mean_of_means_even, ("tf.reduce_mean(means)", "tf.add_n(means)"))
def sum_of_means_even():
    """The sum of the means of even parts."""


@wrong("number_and_size_swapped")
@changed(one_tape, ("-(-rows // micro), []", "micro, []"))
def swapped():
    """`micro` is taken for the number of rows."""


@wrong("tail_dropped")
@changed(
    one_tape,
    ("-(-rows // micro), []", "rows // micro, []"),
    ("range(0, rows, size)", "range(0, micro * size, size)"),
    ("tf.reduce_sum(error) / rows", "tf.reduce_sum(error) / (size * micro)"),
)
def tail_dropped():
    """Rounded down, the rest is not used."""


@wrong("tail_dropped_and_counted")
@changed(
    one_tape,
    ("-(-rows // micro), []", "rows // micro, []"),
    ("range(0, rows, size)", "range(0, micro * size, size)"),
)
def tail_dropped_counted():
    """Rounded down, but divided by all rows."""


@wrong
@changed(one_tape, ("return loss", 'return f"{loss}"'))
def text():
    """The loss is a text."""


@wrong("divided_twice")
@changed(one_tape, ("tf.add_n(losses)", "tf.reduce_mean(tf.stack(losses))"))
def twice():
    """Divided by all rows, and by the number of parts too."""


@wrong
@changed(stage_by_stage, ("stage.device", "stages[min(stages.index(stage), 2)].device"))
def two_devices():
    """Stages 2 and 3 share a device."""


@wrong("whole_batch")
def whole(stages, x, y, micro):
    """The whole batch still, written in another way."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((through(stages, x) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("gradients_divided_twice")
@changed(tapes, ("return loss, total", "return loss, [t / micro for t in total]"))
def gradients_averaged():
    """The gradients of shares of the whole mean, averaged over the parts."""


@wrong("backward_one_after_the_other")
@changed(
    tapes,
    (
        "own = tape.gradient(part, weights)",
        """
        with tf.control_dependencies(total):
            own = tape.gradient(part, weights)
        """,
    ),
)
def gradients_in_turn():
    """Each micro-batch's gradients wait for those of the one before."""


@wrong("device_of_the_micro_batch")
def device_by_micro_batch(stages, x, y, micro):
    """Micro-batch k passes all stages on device k."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    with tf.GradientTape() as tape:
        for k in range(micro):
            h = x[k * size : (k + 1) * size]
            with tf.device(stages[k % len(stages)].device):
                for stage in stages:
                    h = stage(h)
            losses.append(tf.reduce_sum((h - y[k * size : (k + 1) * size]) ** 2) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@right
@changed(tapes, ("range(0, rows, size)", "reversed(range(0, rows, size))"))
def from_the_last():
    """The last micro-batch first."""
