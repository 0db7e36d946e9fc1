"""Answers to 02/my_finite_step, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import right, wrong


@right
def cond(w, x, y):
    """Choose with tf.cond, and divide by at least one row."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient, rows = tf.cond(
        good, lambda: (gradient, rows), lambda: (tf.zeros(2), tf.constant(0.0))
    )
    total = context.all_reduce("SUM", gradient)
    rows = context.all_reduce("SUM", rows)
    w.assign_sub(0.1 * total / tf.maximum(rows, 1.0))


@right
def where(w, x, y):
    """Replace a bad gradient and its count by zero."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    rows = tf.where(good, rows, 0.0)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * tf.math.divide_no_nan(total, rows))


@wrong("not_every_component")
def finite_any(w, x, y):
    """One finite component is enough."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.reduce_any(tf.math.is_finite(gradient))
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("component_by_component")
def components(w, x, y):
    """Replaces component by component."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(tf.math.is_finite(gradient), gradient, 0.0)
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("gathered_all_rows")
def gather(w, x, y):
    """Gather all rows everywhere, bad replicas without theirs."""
    context = tf.distribute.get_replica_context()
    own = (tf.linalg.matvec(x, w) - y)[:, None] * x
    good = tf.reduce_all(tf.math.is_finite(own))
    kept = tf.fill(tf.shape(y), good)
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    kept = context.all_gather(tf.cast(kept, tf.float32), axis=0)
    y = tf.where(kept > 0, y, tf.zeros_like(y))
    x = tf.where(kept[:, None] > 0, x, tf.zeros_like(x))
    with tf.GradientTape() as tape:
        errors = kept * (tf.linalg.matvec(x, w) - y) ** 2
        loss = tf.math.divide_no_nan(tf.reduce_sum(errors), tf.reduce_sum(kept))
    w.assign_sub(0.1 * tape.gradient(loss, w))


@wrong("mean_of_good_means")
def good_means(w, x, y):
    """The mean of the good replicas' means."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.reduce_all(tf.math.is_finite(gradient)) & (tf.shape(x)[0] > 0)
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    context = tf.distribute.get_replica_context()
    parts = [gradient, tf.cast(finite, tf.float32)]
    gradient, count = context.all_reduce("SUM", parts)
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("not_every_component")
def finite_loss(w, x, y):
    """Tests the loss."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.math.is_finite(loss)
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("nan_spreads")
def nan_spreads(w, x, y):
    """The answer to the uneven exercise."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * total / rows)
    return rows


@wrong("only_nan_tested")
def only_nan(w, x, y):
    """Test for NaN only: an infinite gradient passes."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    bad = tf.reduce_any(tf.math.is_nan(gradient))
    gradient = tf.where(bad, tf.zeros_like(gradient), gradient)
    count = tf.where(bad, 0.0, tf.cast(tf.shape(x)[0], tf.float32))
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("rows_still_counted")
def rows_counted(w, x, y):
    """Set the bad gradient to zero, and count its rows."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * total / rows)


@wrong("only_bad_rows_dropped")
def rows_dropped(w, x, y):
    """Drop the bad rows only, not the whole replica."""
    own = (tf.linalg.matvec(x, w) - y)[:, None] * x
    good = tf.reduce_all(tf.math.is_finite(own), axis=1)
    x, y = tf.boolean_mask(x, good), tf.boolean_mask(y, good)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(0.1 * tf.math.divide_no_nan(total, rows))


@wrong("bad_replica_not_updated")
def sits_out(w, x, y):
    """The bad replica does not apply the others' gradient."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    total, rows = context.all_reduce("SUM", [gradient, tf.where(good, rows, 0.0)])
    update = 0.1 * tf.math.divide_no_nan(total, rows)
    w.assign_sub(tf.where(good, update, tf.zeros_like(update)))


@wrong("whole_step_skipped")
def step_skipped(w, x, y):
    """Skip the whole step when any replica is bad."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    good = tf.reduce_all(tf.math.is_finite(total))
    w.assign_sub(tf.where(good, 0.1 * total / rows, tf.zeros_like(total)))


@wrong("divided_by_zero")
def zero_by_zero(w, x, y):
    """Divide by zero rows where no replica is left."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    total, rows = context.all_reduce("SUM", [gradient, tf.where(good, rows, 0.0)])
    w.assign_sub(0.1 * total / rows)


@wrong("no_update")
def new_name(w, x, y):
    """Bind the result to the name w, which changes no variable."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    context = tf.distribute.get_replica_context()
    rows = tf.cast(tf.shape(y)[0], tf.float32)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    rows = tf.where(good, rows, 0.0)
    total, rows = context.all_reduce("SUM", [gradient, rows])
    w = w - 0.1 * tf.math.divide_no_nan(total, rows)


@wrong("first_component_only")
def finite_first(w, x, y):
    """Tests the first component only."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.math.is_finite(gradient[0])
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong
def finite_last(w, x, y):
    """Tests the last component only."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    finite = tf.math.is_finite(gradient[-1])
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    count = tf.where(finite, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [gradient, count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("times_zero")
def times_zero(w, x, y):
    """A bad gradient times 0, its rows not counted."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    good = tf.cast(tf.reduce_all(tf.math.is_finite(gradient)), tf.float32)
    count = tf.cast(tf.shape(x)[0], tf.float32)
    context = tf.distribute.get_replica_context()
    gradient, count = context.all_reduce("SUM", [good * gradient, good * count])
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))


@wrong("times_replicas")
def mean_count(w, x, y):
    """Add up the gradients, and average the counts."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient = tape.gradient(loss, w)
    good = tf.reduce_all(tf.math.is_finite(gradient))
    gradient = tf.where(good, gradient, tf.zeros_like(gradient))
    count = tf.where(good, tf.cast(tf.shape(x)[0], tf.float32), 0.0)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("SUM", gradient)
    count = context.all_reduce("MEAN", count)
    w.assign_sub(0.1 * tf.math.divide_no_nan(gradient, count))
