"""Answers to 06/my_loss, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def one_number(targets, predictions):
    """A share of the sum, divided by the rows that count on all replicas."""
    ctx = tf.distribute.get_replica_context()
    real = tf.cast(targets >= 0, tf.float32)
    squares = real * tf.square(predictions - targets)
    rows = ctx.all_reduce("SUM", tf.reduce_sum(real))
    return tf.reduce_sum(squares) / rows


@right
def number_for_each_row(targets, predictions):
    """One number for each row, times what Keras divides by."""
    ctx = tf.distribute.get_replica_context()
    real = tf.cast(targets >= 0, tf.float32)
    squares = real * tf.square(predictions - targets)
    rows = ctx.all_reduce("SUM", tf.reduce_sum(real))
    own = tf.cast(tf.size(targets), tf.float32)
    return squares * own * ctx.num_replicas_in_sync / rows


@right
def rows_selected(targets, predictions):
    """Select the rows that count."""
    real = targets >= 0
    errors = tf.boolean_mask(predictions - targets, real)
    count = tf.distribute.get_replica_context().all_reduce("SUM", tf.size(errors))
    return tf.reduce_sum(errors**2) / tf.cast(count, tf.float32)


@wrong("own_means_no_nan")
def selected_mean(targets, predictions):
    """The mean over the rows selected; of no row, it has no gradient."""
    errors = tf.boolean_mask(predictions - targets, targets >= 0)
    return tf.reduce_sum(errors**2) / tf.cast(tf.size(errors), tf.float32)


@wrong("own_means")
@changed(
    one_number, ('ctx.all_reduce("SUM", tf.reduce_sum(real))', "tf.reduce_sum(real)")
)
def own_rows_only():
    """The rows of this replica only."""


@wrong("own_means_no_nan")
@changed(
    one_number,
    (
        "tf.reduce_sum(squares) / rows",
        "tf.math.divide_no_nan(tf.reduce_sum(squares), rows)",
    ),
    ('ctx.all_reduce("SUM", tf.reduce_sum(real))', "tf.reduce_sum(real)"),
)
def own_mean_without_nan():
    """Avoid 0 / 0, and nothing else."""


@wrong("means_over_replicas")
@changed(
    one_number,
    (
        "tf.reduce_sum(squares) / rows",
        "tf.reduce_sum(squares) / rows / ctx.num_replicas_in_sync",
    ),
    ('ctx.all_reduce("SUM", tf.reduce_sum(real))', "tf.reduce_sum(real)"),
)
def divided_by_replicas_only():
    """Divide the own mean by the replicas."""


@wrong("means_over_replicas_no_nan")
@changed(
    one_number,
    (
        "return tf.reduce_sum(squares) / rows",
        """
        mean = tf.math.divide_no_nan(tf.reduce_sum(squares), rows)
        return mean / ctx.num_replicas_in_sync
        """,
    ),
    ('ctx.all_reduce("SUM", tf.reduce_sum(real))', "tf.reduce_sum(real)"),
)
def averaged_without_nan():
    """The same without 0 / 0."""


@wrong("times_replicas")
@changed(one_number, ('"SUM"', '"MEAN"'))
def mean_count():
    """The mean of the counts."""


@wrong("times_replicas")
@changed(
    one_number,
    (
        "tf.reduce_sum(squares) / rows",
        'ctx.all_reduce("SUM", tf.reduce_sum(squares)) / rows',
    ),
)
def loss_added_up():
    """Add up the loss, too."""


@wrong("divided_by_replicas")
@changed(
    one_number,
    ("/ rows", "/ rows / ctx.num_replicas_in_sync"),
)
def divided_again():
    """As if Keras added up without dividing."""


@wrong("mean_of_rows")
@changed(
    number_for_each_row, ("squares * own * ctx.num_replicas_in_sync / rows", "squares")
)
def left_to_keras():
    """One number for each row; padding is zero."""


@wrong("mean_over_own_rows")
@changed(
    number_for_each_row,
    ("squares * own * ctx.num_replicas_in_sync / rows", "tf.reduce_mean(squares)"),
)
def mean_with_padding():
    """The mean over all own rows."""


@wrong("divided_once_more")
@changed(
    number_for_each_row,
    ("squares * own * ctx.num_replicas_in_sync / rows", "squares / rows"),
)
def rows_divided():
    """One number for each row, divided by all rows that count."""


@wrong("padding_counts")
@changed(one_number, ("tf.reduce_sum(real))", "tf.reduce_sum(tf.ones_like(real)))"))
def all_rows_counted():
    """Count padding, too."""


@wrong("padding_pulls")
@changed(
    one_number,
    ("real * tf.square", "tf.square"),
    ("tf.reduce_sum(real))", "tf.reduce_sum(tf.ones_like(real)))"),
)
def padding_is_a_row():
    """Take padding for rows."""


@wrong("padding_in_sum")
@changed(one_number, ("real * tf.square", "tf.square"))
def padding_added():
    """Padding in the sum, and not in the count."""


@wrong("nonempty_means")
def means_of_those_with_rows(targets, predictions):
    """Average the means of the replicas that have rows."""
    ctx = tf.distribute.get_replica_context()
    real = tf.cast(targets >= 0, tf.float32)
    own = tf.reduce_sum(real)
    mean = tf.reduce_sum(real * tf.square(predictions - targets)) / tf.maximum(own, 1.0)
    return mean / ctx.all_reduce("SUM", tf.cast(own > 0, tf.float32))


@wrong("only_minus_one")
@changed(one_number, ("targets >= 0", "targets != -1"))
def minus_one_only():
    """Take -1 for the only padding."""


@wrong("nothing_over_nothing")
def weighted_own_mean(targets, predictions):
    """Weight the own mean by the own rows."""
    ctx = tf.distribute.get_replica_context()
    real = tf.cast(targets >= 0, tf.float32)
    own = tf.reduce_sum(real)
    mean = tf.reduce_sum(real * tf.square(predictions - targets)) / own
    return mean * own / ctx.all_reduce("SUM", own)


@right
@changed(
    weighted_own_mean,
    (
        "tf.reduce_sum(real * tf.square(predictions - targets)) / own",
        "tf.reduce_sum(real * tf.square(predictions - targets)) / tf.maximum(own, 1.0)",
    ),
)
def weighted_own_mean_without_nan():
    """The same, without 0 / 0."""


@wrong("zero_is_padding")
@changed(one_number, ("targets >= 0", "targets > 0"))
def zeros_left_out():
    """Take a target of 0 for padding."""


@wrong("divided_by_replicas")
@changed(
    one_number, ("tf.reduce_sum(squares) / rows", "tf.reduce_sum(squares)[None] / rows")
)
def a_vector_of_one():
    """Right, but of shape (1,), of which Keras takes the mean."""


@wrong("mean_of_rows")
def average_loss(targets, predictions):
    """What custom loops do."""
    real = tf.cast(targets >= 0, tf.float32)
    squares = tf.squeeze(real * tf.square(predictions - targets), axis=1)
    return tf.nn.compute_average_loss(squares)


@wrong("sums")
@changed(one_number, ("tf.reduce_sum(squares) / rows", "tf.reduce_sum(squares)"))
def never_divided():
    """Never divide."""


@wrong("no_gradient")
@changed(one_number, ("tf.reduce_sum(squares) / rows", "rows / tf.reduce_sum(real)"))
def counts_only():
    """A loss of counts."""


@wrong
@changed(one_number, ("/ rows", "/ (rows + 1)"))
def one_row_more():
    """None of the known mistakes."""


@crashed
@changed(one_number, ("tf.reduce_sum(real))", "real)"))
def whole_columns():
    """Add up columns of different lengths."""
