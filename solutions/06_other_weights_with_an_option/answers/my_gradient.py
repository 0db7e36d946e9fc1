"""Answers to 06/my_gradient, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def added_up_first(own, count, ctx):
    """Add up, then do what one device does."""
    own, count = ctx.all_reduce("SUM", [own, count])
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(own))
    clipped = tf.clip_by_norm(mean, LIMIT)
    return tf.where(finite, clipped, tf.zeros_like(clipped))


@right
def one_vector(own, count, ctx):
    """Send gradient and count as one vector, and clip by hand."""
    both = ctx.all_reduce("SUM", tf.concat([own, [count]], axis=0))
    mean = both[:2] / both[2]
    length = tf.norm(mean)
    clipped = tf.where(length > LIMIT, mean * LIMIT / length, mean)
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.where(finite, clipped, tf.zeros([2]))


@right
def shares_added_up(own, count, ctx):
    """Divide by all rows first: then the shares add up."""
    share = own / ctx.all_reduce("SUM", count)
    total = ctx.all_reduce("SUM", share)
    finite = tf.reduce_all(tf.math.is_finite(total))
    return tf.where(finite, tf.clip_by_norm(total, LIMIT), tf.zeros_like(total))


@right
def quotient_of_means(own, count, ctx):
    """The mean of the sums over the mean of the counts is the same quotient."""
    own = ctx.all_reduce(tf.distribute.ReduceOp.MEAN, own)
    mean = own / ctx.all_reduce(tf.distribute.ReduceOp.MEAN, count)
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.cond(finite, lambda: tf.clip_by_norm(mean, LIMIT), lambda: tf.zeros([2]))


@right
@changed(
    added_up_first,
    (
        'own, count = ctx.all_reduce("SUM", [own, count])',
        """
        every = ctx.all_gather(tf.concat([own, [count]], 0)[None], axis=0)
        own, count = tf.reduce_sum(every[:, :2], axis=0), tf.reduce_sum(every[:, 2])
        """,
    ),
)
def sums_gathered():
    """Gather three numbers of each replica, and add them up."""


@right
def decisions_added_up(own, count, ctx):
    """Each replica checks its own gradient, and the answers are added up, too."""
    finite = tf.reduce_all(tf.math.is_finite(own))
    own = tf.where(finite, own, tf.zeros_like(own))
    bad = tf.where(finite, 0.0, 1.0)
    own, count, bad = ctx.all_reduce("SUM", [own, count, bad])
    clipped = tf.clip_by_norm(own / count, LIMIT)
    return tf.where(bad > 0, tf.zeros_like(clipped), clipped)


@wrong("all_before")
def check_before_clip(own, count, ctx):
    """The check stands before the clip, and all of it still before the sum."""
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(mean))
    mean = tf.where(finite, mean, tf.zeros_like(mean))
    return ctx.all_reduce("MEAN", tf.clip_by_norm(mean, LIMIT))


@wrong("clip_of_own_means")
def check_moved(own, count, ctx):
    """Only the check goes behind the sum."""
    mean = ctx.all_reduce("MEAN", tf.clip_by_norm(own / count, LIMIT))
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.where(finite, mean, tf.zeros_like(mean))


@wrong("all_before_and_summed")
@changed(check_before_clip, ('"MEAN"', '"SUM"'))
def summed_at_the_end():
    """What anybody tries first: SUM in the last line."""


@wrong("clip_of_own_means_summed")
@changed(check_moved, ('"MEAN"', '"SUM"'))
def check_moved_and_summed():
    """The same with the check behind the sum."""


@wrong("clip_of_shares")
@changed(
    shares_added_up,
    ("total =", "share = tf.clip_by_norm(share, LIMIT)\ntotal ="),
    ("tf.clip_by_norm(total, LIMIT)", "total"),
)
def shares_clipped():
    """Divide by all rows, clip, add up, check."""


@wrong("clip_of_shares")
def shares_clipped_unchecked(own, count, ctx):
    """The same, and no check."""
    share = own / ctx.all_reduce("SUM", count)
    return ctx.all_reduce("SUM", tf.clip_by_norm(share, LIMIT))


@wrong("clip_of_shares")
def shares_checked_and_clipped(own, count, ctx):
    """Both rules on the shares."""
    share = own / ctx.all_reduce("SUM", count)
    finite = tf.reduce_all(tf.math.is_finite(share))
    share = tf.where(finite, share, tf.zeros_like(share))
    return ctx.all_reduce("SUM", tf.clip_by_norm(share, LIMIT))


@wrong("clip_of_sums")
@changed(
    added_up_first,
    ("[own, count])", "[tf.clip_by_norm(own, LIMIT), count])"),
    ("tf.clip_by_norm(mean, LIMIT)", "mean"),
)
def sums_clipped():
    """Clip what came in."""


@wrong("clip_before_division")
@changed(
    added_up_first,
    ("mean = own / count", "mean = own"),
    ("tf.clip_by_norm(mean, LIMIT)", "tf.clip_by_norm(mean, LIMIT) / count"),
)
def clipped_then_divided():
    """Add up, clip, divide."""


@wrong("clipped_twice")
@changed(
    shares_added_up,
    ("total =", "share = tf.clip_by_norm(share, LIMIT)\ntotal ="),
)
def before_and_after():
    """Clip before the sum and after it."""


@wrong("limit_shared")
@changed(
    shares_added_up,
    (
        "total =",
        """
        share = tf.clip_by_norm(share, LIMIT / ctx.num_replicas_in_sync)
        total =""",
    ),
    ("tf.clip_by_norm(total, LIMIT)", "total"),
)
def a_part_of_the_limit():
    """Every replica gets its part of the limit."""


@wrong("mean_of_means")
def means_averaged(own, count, ctx):
    """Only the division is left before the sum."""
    mean = ctx.all_reduce("MEAN", own / count)
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.where(finite, tf.clip_by_norm(mean, LIMIT), tf.zeros_like(mean))


@wrong("nonempty_mean_of_means")
@changed(means_averaged, ("own / count", "own / tf.maximum(count, 1.0)"))
def means_without_nan():
    """The same, without 0 / 0."""


@wrong("sum_of_means")
@changed(means_averaged, ('"MEAN"', '"SUM"'))
def means_added_up():
    """Divide by the own rows, and add up."""


@wrong("nonempty_sum_of_means")
@changed(means_averaged, ('"MEAN", own / count', '"SUM", own / tf.maximum(count, 1.0)'))
def means_added_up_without_nan():
    """The same, without 0 / 0."""


@wrong("mean_over_all_rows")
def mean_of_sums_over_all_rows(own, count, ctx):
    """Average the gradients, and add up the rows."""
    mean = ctx.all_reduce("MEAN", own) / ctx.all_reduce("SUM", count)
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.where(finite, tf.clip_by_norm(mean, LIMIT), tf.zeros_like(mean))


@wrong("empty_counts_as_a_row")
@changed(added_up_first, ("[own, count])", "[own, tf.maximum(count, 1.0)])"))
def at_least_one_row():
    """Keep the count from being 0, before the sum."""


@wrong("checked_own_means")
def own_means_checked(own, count, ctx):
    """Check before the sum, clip after it."""
    mean = own / count
    finite = tf.reduce_all(tf.math.is_finite(mean))
    mean = ctx.all_reduce("MEAN", tf.where(finite, mean, tf.zeros_like(mean)))
    return tf.clip_by_norm(mean, LIMIT)


@wrong("checked_own_means_summed")
@changed(own_means_checked, ('"MEAN"', '"SUM"'))
def own_means_checked_and_summed():
    """The same with a SUM."""


@wrong("components_of_shares")
def good_parts_sent(own, count, ctx):
    """Only the parts that are finite are sent."""
    own = tf.where(tf.math.is_finite(own), own, tf.zeros_like(own))
    own, count = ctx.all_reduce("SUM", [own, count])
    return tf.clip_by_norm(own / count, LIMIT)


@wrong("left_out")
def zeros_sent(own, count, ctx):
    """A bad replica sends zeros, and its rows count."""
    finite = tf.reduce_all(tf.math.is_finite(own))
    own = tf.where(finite, own, tf.zeros_like(own))
    own, count = ctx.all_reduce("SUM", [own, count])
    return tf.clip_by_norm(own / count, LIMIT)


@wrong("left_out_and_own_check")
@changed(
    zeros_sent,
    (
        "return tf.clip_by_norm(own / count, LIMIT)",
        """
        clipped = tf.clip_by_norm(own / count, LIMIT)
        return tf.where(finite, clipped, tf.zeros_like(clipped))
        """,
    ),
)
def zeros_sent_and_skipped():
    """Decide by the own gradient, and send zeros where it is not finite."""


@wrong("left_out_with_rows")
@changed(
    zeros_sent,
    ("[own, count])", "[own, tf.where(finite, count, 0.0)])"),
    ("own / count", "tf.math.divide_no_nan(own, count)"),
)
def without_its_rows():
    """A bad replica sends zeros, and no rows."""


@wrong("own_check")
def decided_before(own, count, ctx):
    """Each replica decides before the sum."""
    finite = tf.reduce_all(tf.math.is_finite(own))
    own, count = ctx.all_reduce("SUM", [own, count])
    clipped = tf.clip_by_norm(own / count, LIMIT)
    return tf.where(finite, clipped, tf.zeros_like(clipped))


@right
@changed(
    added_up_first,
    ("    finite = tf.reduce_all(tf.math.is_finite(own))\n", ""),
    (
        "return tf.where(finite",
        "bad = tf.reduce_any(tf.math.is_nan(clipped))\nreturn tf.where(~bad",
    ),
)
def clip_makes_nan_of_infinity():
    """Look for NaN after the clip: it turns an infinite part into NaN."""


@wrong("nan_only")
@changed(
    added_up_first,
    (
        "tf.reduce_all(tf.math.is_finite(own))",
        "~tf.reduce_any(tf.math.is_nan(own))",
    ),
)
def no_nan():
    """Look for NaN, not for infinity."""


@wrong("infinity_only")
@changed(
    added_up_first,
    (
        "tf.reduce_all(tf.math.is_finite(own))",
        "~tf.reduce_any(tf.math.is_inf(own))",
    ),
)
def no_infinity():
    """Look for infinity, not for NaN."""


@wrong("no_check")
@changed(
    added_up_first, ("tf.where(finite, clipped, tf.zeros_like(clipped))", "clipped")
)
def unchecked():
    """Forget the check."""


@wrong("no_check")
@changed(
    added_up_first,
    (
        "tf.where(finite, clipped, tf.zeros_like(clipped))",
        "clipped * tf.cast(finite, tf.float32)",
    ),
)
def times_zero():
    """Multiply by 0 where it is not finite."""


@wrong("by_component")
@changed(
    added_up_first,
    ("mean = own / count", "mean = own / count\ngood = tf.math.is_finite(mean)"),
    (
        "tf.clip_by_norm(mean, LIMIT)",
        "tf.clip_by_norm(tf.where(good, mean, 0.0), LIMIT)",
    ),
    ("tf.where(finite, clipped, tf.zeros_like(clipped))", "clipped"),
)
def only_bad_parts():
    """Zero only the parts that are not finite."""


@wrong("no_clip")
@changed(added_up_first, ("tf.clip_by_norm(mean, LIMIT)", "mean"))
def unclipped():
    """Forget the clip."""


@wrong("clipped_by_value")
@changed(
    added_up_first,
    ("tf.clip_by_norm(mean, LIMIT)", "tf.clip_by_value(mean, -LIMIT, LIMIT)"),
)
def by_value():
    """Clip each part for itself."""


@wrong("always_as_long")
@changed(
    added_up_first, ("tf.clip_by_norm(mean, LIMIT)", "LIMIT * mean / tf.norm(mean)")
)
def as_long_as_the_limit():
    """Make it as long as the limit, always."""


@wrong("divided_by_replicas")
@changed(
    added_up_first,
    (
        "tf.zeros_like(clipped))",
        "tf.zeros_like(clipped)) / ctx.num_replicas_in_sync",
    ),
)
def divided_again():
    """As if the results were added up afterwards."""


@wrong("reduced_twice")
@changed(
    added_up_first,
    ("return tf.where(", 'return ctx.all_reduce("SUM", tf.where('),
    ("tf.zeros_like(clipped))", "tf.zeros_like(clipped)))"),
)
def reduced_again():
    """Add up the results, too."""


@wrong("not_divided")
@changed(added_up_first, ("own / count", "own"))
def sum_only():
    """Never divide."""


@wrong("mean_of_sums")
@changed(added_up_first, ('"SUM"', '"MEAN"'), ("own / count", "own"))
def averaged_sums():
    """Average the sums, and never divide by rows."""


@wrong("rows_averaged")
def averaged_rows(own, count, ctx):
    """Add up the gradients, average the rows."""
    mean = ctx.all_reduce("SUM", own) / ctx.all_reduce("MEAN", count)
    finite = tf.reduce_all(tf.math.is_finite(mean))
    return tf.where(finite, tf.clip_by_norm(mean, LIMIT), tf.zeros_like(mean))


@wrong("own_count")
@changed(
    added_up_first,
    (
        'own, count = ctx.all_reduce("SUM", [own, count])',
        'own = ctx.all_reduce("SUM", own)',
    ),
    ("is_finite(own)", "is_finite(mean)"),
)
def own_rows_counted():
    """Divide by the own rows."""


@wrong("mean_over_own_rows")
@changed(
    added_up_first,
    (
        'own, count = ctx.all_reduce("SUM", [own, count])',
        'own = ctx.all_reduce("MEAN", own)',
    ),
    ("is_finite(own)", "is_finite(mean)"),
)
def mean_over_rows_of_its_own():
    """Average the gradients, divide by the own rows."""


@wrong("divided_by_full_batch")
@changed(added_up_first, ("own / count", "own / 8.0"))
def eight_rows():
    """A full batch, always."""


@wrong("nothing")
def zeros(own, count, ctx):
    """Apply nothing."""
    return tf.zeros_like(ctx.all_reduce("SUM", own))


@wrong
@changed(added_up_first, ("tf.clip_by_norm(mean, LIMIT)", "tf.clip_by_norm(mean, 1.5)"))
def another_limit():
    """None of the known mistakes."""


@crashed
@changed(
    added_up_first, ("tf.reduce_all(tf.math.is_finite(own))", "bool(own.numpy().all())")
)
def python_value():
    """Ask a tensor for its NumPy value inside tf.function."""


@crashed
@changed(added_up_first, ("ctx.all_reduce(", "ctx.reduce("))
def no_such_name():
    """A name that the context does not have."""
