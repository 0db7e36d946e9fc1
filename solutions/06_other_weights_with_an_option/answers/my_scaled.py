"""Answers to 06/my_scaled, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def decided_by_the_sum(share, scale, good, ctx):
    """Every replica looks at the sum."""
    gradient = ctx.all_reduce("SUM", share) / scale
    finite = tf.reduce_all(tf.math.is_finite(gradient))
    good = tf.where(finite, good + 1, 0)
    full = good == 3
    grown = tf.where(full, scale * 2, scale)
    good = tf.where(full, 0, good)
    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))
    return gradient, tf.where(finite, grown, scale / 2), good


@right
def overflows_counted(share, scale, good, ctx):
    """Each replica says whether it overflowed; what they say is added up."""
    finite = tf.reduce_all(tf.math.is_finite(share))
    bad = ctx.all_reduce("SUM", tf.cast(~finite, tf.int32))
    total = ctx.all_reduce("SUM", tf.where(finite, share, tf.zeros_like(share)))
    if bad > 0:
        return tf.zeros([2]), scale * 0.5, 0
    if good == 2:
        return total / scale, scale * 2.0, 0
    return total / scale, scale, good + 1


@right
def shares_unscaled_first(share, scale, good, ctx):
    """Divide by the scale before the sum: all have the same one."""
    total = ctx.all_reduce(tf.distribute.ReduceOp.SUM, share / scale)
    finite = tf.reduce_all(tf.math.is_finite(total))
    third = tf.logical_and(finite, good >= 2)
    factor = tf.where(finite, tf.where(third, 2.0, 1.0), 0.5)
    good = tf.where(tf.logical_or(third, tf.logical_not(finite)), 0, good + 1)
    return tf.where(finite, total, [0.0, 0.0]), factor * scale, good


@wrong("own_decision")
@changed(
    decided_by_the_sum,
    ('ctx.all_reduce("SUM", share) / scale', 'ctx.all_reduce("SUM", share / scale)'),
    ("is_finite(gradient)", "is_finite(share)"),
)
def each_for_itself():
    """Each replica decides by its own share."""


@wrong("own_decision_own_scale")
@changed(decided_by_the_sum, ("is_finite(gradient)", "is_finite(share)"))
def each_for_itself_by_its_scale():
    """The same, and the sum is divided by the own scale."""


@wrong("replica_0_decides")
@changed(
    decided_by_the_sum,
    (
        "    finite = tf.reduce_all(tf.math.is_finite(gradient))",
        """
        first = ctx.replica_id_in_sync_group == 0
        bad = ~tf.reduce_all(tf.math.is_finite(share)) & first
        finite = ctx.all_reduce("SUM", tf.cast(bad, tf.int32)) == 0
        """,
    ),
)
def first_replica():
    """Replica 0 decides for all."""


@wrong("left_out")
@changed(
    overflows_counted,
    ("return tf.zeros([2]), scale * 0.5, 0", "return total / scale, scale * 0.5, 0"),
)
def others_go_on():
    """The others make the step."""


@wrong("left_out_and_own_scale")
def own_zeros_own_scale(share, scale, good, ctx):
    """A replica that overflowed sends zeros, and halves its own scale."""
    finite = tf.reduce_all(tf.math.is_finite(share))
    own = tf.where(finite, share / scale, tf.zeros_like(share))
    full = good == 2
    grown = tf.where(full, scale * 2, scale)
    good = tf.where(finite & ~full, good + 1, 0)
    return ctx.all_reduce("SUM", own), tf.where(finite, grown, scale / 2), good


@wrong("left_out_own_decision")
@changed(
    decided_by_the_sum,
    (
        '    gradient = ctx.all_reduce("SUM", share) / scale\n'
        "    finite = tf.reduce_all(tf.math.is_finite(gradient))",
        """
        finite = tf.reduce_all(tf.math.is_finite(share))
        share = tf.where(finite, share, tf.zeros_like(share))
        gradient = ctx.all_reduce("SUM", share) / scale
        """,
    ),
    (
        "    gradient = tf.where(finite, gradient, tf.zeros_like(gradient))\n",
        "",
    ),
)
def own_zeros_own_decision():
    """Send zeros for an overflow, and decide about the own scale."""


@wrong("applied_all_the_same")
@changed(
    decided_by_the_sum,
    ("gradient = tf.where(finite, gradient, tf.zeros_like(gradient))", ""),
)
def infinite_step():
    """Forget to skip the step."""


@wrong("own_skip")
@changed(
    decided_by_the_sum,
    (
        "gradient = tf.where(finite, gradient",
        """
        own = tf.reduce_all(tf.math.is_finite(share))
        gradient = tf.where(own, gradient""",
    ),
)
def skipped_alone():
    """One scale, and each skips by its own share."""


@wrong("by_component")
@changed(
    decided_by_the_sum,
    (
        "gradient = tf.where(finite, gradient",
        "gradient = tf.where(tf.math.is_finite(gradient), gradient",
    ),
)
def bad_parts_only():
    """Zero the components that are not finite."""


@wrong("only_infinity")
@changed(
    decided_by_the_sum,
    (
        "tf.reduce_all(tf.math.is_finite(gradient))",
        "~tf.reduce_any(tf.math.is_inf(gradient))",
    ),
)
def no_infinity():
    """Look for infinity, not for NaN."""


@wrong("only_nan")
@changed(
    decided_by_the_sum,
    (
        "tf.reduce_all(tf.math.is_finite(gradient))",
        "~tf.reduce_any(tf.math.is_nan(gradient))",
    ),
)
def no_nan():
    """Look for NaN, not for infinity."""


@wrong("sum_in_float16")
@changed(
    decided_by_the_sum,
    (
        "tf.reduce_all(tf.math.is_finite(gradient))",
        "tf.reduce_all(tf.abs(gradient * scale) <= 65504.0)",
    ),
)
def sum_compared():
    """Compare the sum with the largest number of float16."""


@wrong("never_grows")
@changed(decided_by_the_sum, ("full = good == 3", "full = good < 0"))
def only_shrinks():
    """Never double."""


@wrong("never_halved")
@changed(decided_by_the_sum, ("scale / 2)", "scale)"))
def only_grows():
    """Never halve."""


@wrong("scale_only_halved")
def no_count(share, scale, good, ctx):
    """Halve, and count nothing."""
    gradient = ctx.all_reduce("SUM", share) / scale
    finite = tf.reduce_all(tf.math.is_finite(gradient))
    scale = tf.where(finite, scale, scale / 2)
    return tf.where(finite, gradient, tf.zeros_like(gradient)), scale, good


@wrong("grows_every_step")
@changed(decided_by_the_sum, ("full = good == 3", "full = good > 0"))
def doubled_at_once():
    """Double after every good step."""


@wrong("grows_late")
@changed(decided_by_the_sum, ("full = good == 3", "full = good > 3"))
def one_step_late():
    """Double after four."""


@wrong("count_goes_on")
@changed(
    decided_by_the_sum,
    ("full = good == 3", "full = good >= 3"),
    ("good = tf.where(full, 0, good)", ""),
)
def never_begins_again():
    """Forget to set the count back after doubling."""


@wrong("overflow_keeps_count")
@changed(decided_by_the_sum, ("good + 1, 0)", "good + 1, good)"))
def not_in_a_row():
    """Forget to set the count back after an overflow."""


@wrong("never_unscaled")
@changed(decided_by_the_sum, ("share) / scale", "share)"))
def still_scaled():
    """Apply the scaled sum."""


@wrong("new_scale")
@changed(
    shares_unscaled_first,
    ("share / scale)", "share)"),
    ("[0.0, 0.0]), factor", "[0.0, 0.0]) / (factor * scale), factor"),
)
def next_scale():
    """Divide by the scale of the next step."""


@wrong("averaged")
@changed(shares_unscaled_first, ("ReduceOp.SUM", "ReduceOp.MEAN"))
def mean_of_shares():
    """Average the shares."""


@wrong("own_share")
def nothing_added_up(share, scale, good, ctx):
    """Decide together, and apply the own share."""
    finite = tf.reduce_all(tf.math.is_finite(ctx.all_reduce("SUM", share)))
    third = finite & (good == 2)
    factor = tf.where(third, 2.0, tf.where(finite, 1.0, 0.5))
    good = tf.where(finite & ~third, good + 1, 0)
    gradient = tf.where(finite, share / scale, tf.zeros_like(share))
    return gradient, scale * factor, good


@wrong
@changed(decided_by_the_sum, ("scale / 2)", "scale / 4)"))
def a_quarter():
    """Divide by four: none of the known mistakes."""


@crashed
@changed(decided_by_the_sum, ("return gradient, ", "return "))
def two_values():
    """Forget the gradient."""
