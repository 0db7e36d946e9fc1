"""Answers to 09/my_pipeline_grads, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong


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
def split(stages, x, y, micro):
    """Even parts by tf.split, errors joined before the mean."""
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
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
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
def by_full(stages, x, y, micro):
    """Divided as if all micro-batches were full."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / size)
        loss = tf.add_n(losses) / micro
    return loss, tape.gradient(loss, weights)


@wrong("divided_by_micro")
def by_micro(stages, x, y, micro):
    """Sums, divided by the number of parts."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error))
        loss = tf.add_n(losses) / micro
    return loss, tape.gradient(loss, weights)


@wrong("divided_by_size")
def by_size(stages, x, y, micro):
    """Each sum divided by the size of a micro-batch."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / size)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("one_after_the_other")
def chained(stages, x, y, micro):
    """Each micro-batch waits for the loss of the one before."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            with tf.control_dependencies(losses[-1:]):
                h = through(stages, tf.identity(x[i : i + size]))
                losses.append(tf.reduce_sum((h - y[i : i + size]) ** 2) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("one_after_the_other")
def chained_gradients(stages, x, y, micro):
    """Each micro-batch waits for the gradients of the one before."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.control_dependencies(total), tf.GradientTape() as tape:
            h = through(stages, tf.identity(x[i : i + size]))
            part = tf.reduce_sum((h - y[i : i + size]) ** 2) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss, total


@wrong("computed_twice")
def computed_twice(stages, x, y, micro):
    """The loss is computed a second time, with the same parts."""
    rows, losses = x.shape[0], []
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total = [tf.zeros_like(w) for w in weights]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        losses.append(
            tf.reduce_sum((through(stages, x[i : i + size]) - y[i : i + size]) ** 2)
        )
    return tf.add_n(losses) / rows, total


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
def even_split(stages, x, y, micro):
    """tf.split into a number of parts that does not divide."""
    with tf.GradientTape() as tape:
        parts = [through(stages, part) for part in tf.split(x, micro)]
        loss = tf.reduce_mean((tf.concat(parts, axis=0) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


def through_of_first_device(stages, h):
    with tf.device(stages[0].device):
        for stage in stages:
            h = stage(h)
    return h


@wrong("first_device")
def first_device(stages, x, y, micro):
    """All on the first device."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(
                through_of_first_device(stages, x[i : i + size]) - y[i : i + size]
            )
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("first_only")
def first_only(stages, x, y, micro):
    """It returns inside the loop."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_mean(error)
        return part, tape.gradient(part, weights)


@wrong("gradients_of_last")
def gradients_of_last(stages, x, y, micro):
    """The gradients of each part replace those before."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        loss += part
        total = tape.gradient(part, weights)
    return loss, total


@crashed
def gradients_only(stages, x, y, micro):
    """The loss is not returned."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return total


@wrong("gradients_not_divided")
def gradients_sum(stages, x, y, micro):
    """The loss is divided, the gradients are not."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error)
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss / rows, total


def through_of_last_device(stages, h):
    with tf.device(stages[-1].device):
        for stage in stages:
            h = stage(h)
    return h


@wrong("last_device")
def last_device(stages, x, y, micro):
    """All on the last device."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(
                through_of_last_device(stages, x[i : i + size]) - y[i : i + size]
            )
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("last_mean_only")
def last_mean_only(stages, x, y, micro):
    """Mean and gradients of the last part."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_mean(error)
        loss, total = part, tape.gradient(part, weights)
    return loss, total


@wrong("last_only")
def last_only(stages, x, y, micro):
    """Loss and gradients of the last part."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        loss, total = part, tape.gradient(part, weights)
    return loss, total


@wrong("loss_mean_of_last")
def loss_mean_of_last(stages, x, y, micro):
    """Right gradients; the loss is the mean of the last part."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return tf.reduce_mean(error), total


@wrong("loss_of_last")
def loss_of_last(stages, x, y, micro):
    """Right gradients; the loss is the last part's."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return part, total


@wrong("loss_not_divided")
def loss_sum(stages, x, y, micro):
    """Right gradients; the loss is a sum."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss * rows, total


@wrong("mean_of_means")
def mean_of_means(stages, x, y, micro):
    """The mean of the micro-batches' means."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_mean(error))
        loss = tf.add_n(losses) / micro
    return loss, tape.gradient(loss, weights)


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
def mean_of_means_tapes(stages, x, y, micro):
    """Means and their gradients, divided by the number of parts."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_mean(error)
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss / micro, [t / micro for t in total]


def through_of_no_device(stages, h):
    for stage in stages:
        h = stage(h)
    return h


@wrong("one_device")
def no_device(stages, x, y, micro):
    """The stages are called without tf.device."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(
                through_of_no_device(stages, x[i : i + size]) - y[i : i + size]
            )
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


def through_of_not_called(stages, h):
    for stage in stages:
        with tf.device(stage.device):
            h = tf.tanh(h @ stage.w)
    return h


@wrong("stages_not_called")
def not_called(stages, x, y, micro):
    """The layers are computed without the stages."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(
                through_of_not_called(stages, x[i : i + size]) - y[i : i + size]
            )
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("not_divided")
def not_divided(stages, x, y, micro):
    """Sums, never divided."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error))
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@crashed
def nothing(stages, x, y, micro):
    """It returns nothing."""
    size = -(-x.shape[0] // micro)
    for i in range(0, x.shape[0], size):
        through(stages, x[i : i + size])


@crashed
def one_sum(stages, x, y, micro):
    """The gradients are added up into one tensor."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss, tf.add_n([tf.reduce_sum(t) for t in total])


@wrong("one_too_many")
def one_too_many(stages, x, y, micro):
    """Rounded down, so that there is one part more."""
    rows = x.shape[0]
    size, losses = rows // micro, []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@crashed
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


@crashed
def grads_reversed(stages, x, y, micro):
    """The gradients come from the last stage to the first."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    total, loss = [tf.zeros_like(w) for w in weights], 0.0
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            part = tf.reduce_sum(error) / rows
        total = [
            t + g for t, g in zip(total, tape.gradient(part, weights), strict=True)
        ]
        loss += part
    return loss, total[::-1]


@crashed
def row_losses(stages, x, y, micro):
    """One loss for each micro-batch."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return tf.stack(losses), tape.gradient(loss, weights)


@wrong("small_last_dropped")
def small_last(stages, x, y, micro):
    """Leaves a smaller last micro-batch out."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    with tf.GradientTape() as tape:
        for start in range(0, rows - size + 1, size):
            h = x[start : start + size]
            for stage in stages:
                with tf.device(stage.device):
                    h = stage(h)
            error = tf.square(h - y[start : start + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("sum_of_means")
def sum_of_means(stages, x, y, micro):
    """The means of the micro-batches, added up."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_mean(error))
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("sum_of_means_even")
def sum_of_means_even(stages, x, y, micro):
    """The sum of the means of even parts."""
    rows = x.shape[0]
    sizes = [rows // micro + (i < rows - rows // micro * micro) for i in range(micro)]
    with tf.GradientTape() as tape:
        parts = zip(tf.split(x, sizes), tf.split(y, sizes), strict=True)
        means = [tf.reduce_mean((through(stages, a) - b) ** 2) for a, b in parts]
        loss = tf.add_n(means)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("number_and_size_swapped")
def swapped(stages, x, y, micro):
    """`micro` is taken for the number of rows."""
    rows = x.shape[0]
    size, losses = micro, []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("tail_dropped")
def tail_dropped(stages, x, y, micro):
    """Rounded down, the rest is not used."""
    rows = x.shape[0]
    size, losses = rows // micro, []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, micro * size, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / (size * micro))
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("tail_dropped_and_counted")
def tail_dropped_counted(stages, x, y, micro):
    """Rounded down, but divided by all rows."""
    rows = x.shape[0]
    size, losses = rows // micro, []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, micro * size, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@crashed
def text(stages, x, y, micro):
    """The loss is a text."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return f"{loss}", tape.gradient(loss, weights)


@wrong("divided_twice")
def twice(stages, x, y, micro):
    """Divided by all rows, and by the number of parts too."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(through(stages, x[i : i + size]) - y[i : i + size])
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.reduce_mean(tf.stack(losses))
    return loss, tape.gradient(loss, weights)


def through_of_two_devices(stages, h):
    for number, stage in enumerate(stages):
        with tf.device(stages[min(number, 2)].device):
            h = stage(h)
    return h


@wrong
def two_devices(stages, x, y, micro):
    """Stages 2 and 3 share a device."""
    rows = x.shape[0]
    size, losses = -(-rows // micro), []
    weights = [stage.w for stage in stages]
    with tf.GradientTape() as tape:
        for i in range(0, rows, size):
            error = tf.square(
                through_of_two_devices(stages, x[i : i + size]) - y[i : i + size]
            )
            losses.append(tf.reduce_sum(error) / rows)
        loss = tf.add_n(losses)
    return loss, tape.gradient(loss, weights)


@wrong("whole_batch")
def whole(stages, x, y, micro):
    """The whole batch still, written in another way."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((through(stages, x) - y) ** 2)
    return loss, tape.gradient(loss, [stage.w for stage in stages])


@wrong("gradients_divided_twice")
def gradients_averaged(stages, x, y, micro):
    """The gradients of shares of the whole mean, averaged over the parts."""
    rows = x.shape[0]
    size = -(-rows // micro)
    weights = [stage.w for stage in stages]
    loss, parts = 0.0, []
    for i in range(0, rows, size):
        with tf.GradientTape() as tape:
            h = through(stages, x[i : i + size])
            own = tf.reduce_sum((h - y[i : i + size]) ** 2) / rows
        parts.append(tape.gradient(own, weights))
        loss += own
    return loss, [tf.add_n(each) / micro for each in zip(*parts, strict=True)]
