"""Answers to 15/my_local_sgd, right and wrong, and what the check says of each."""

from autograder.answers import changed, crashed, right, wrong


@right
def counter(context, w, batches, every):
    """A counter that is set back."""
    done = 0
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        done += 1
        if done == every:
            w.assign(context.all_reduce("MEAN", w.read_value()))
            done = 0


@right
def index(context, w, batches, every):
    """Indices from 0."""
    for i in range(len(batches)):
        gradient, rows = sums(w, *batches[i])
        w.assign_sub(RATE * gradient / rows)
        if (i + 1) % every == 0:
            mean = context.all_reduce("MEAN", w * 1.0)
            w.assign(mean)


@right
def rounds(context, w, batches, every):
    """Rounds of `every` batches."""
    for start in range(0, len(batches), every):
        part = batches[start : start + every]
        for x, y in part:
            gradient, rows = sums(w, x, y)
            w.assign(w - RATE * gradient / rows)
        if len(part) == every:
            w.assign(
                context.all_reduce("SUM", tf.identity(w)) / context.num_replicas_in_sync
            )


@wrong("accumulated")
def accumulated(context, w, batches, every):
    """Collects gradients, and steps once."""
    held = tf.zeros(2)
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        held += gradient / rows
        if number % every == 0:
            w.assign_sub(RATE * context.all_reduce("MEAN", held))
            held = tf.zeros(2)


@wrong("before_the_step")
def before(context, w, batches, every):
    """The mean before the step."""
    for number, (x, y) in enumerate(batches):
        if number % every == 0:
            w.assign(context.all_reduce("MEAN", w.read_value()))
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)


@wrong("every_step")
def each(context, w, batches, every):
    """The mean gradient in every step."""
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * context.all_reduce("MEAN", gradient / rows))


@wrong("gradients_now_and_then")
def gradients_sometimes(context, w, batches, every):
    """The mean gradient now and then."""
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        gradient /= rows
        if number % every == 0:
            gradient = context.all_reduce("MEAN", gradient)
        w.assign_sub(RATE * gradient)


@wrong("after_the_first_round_only")
def once(context, w, batches, every):
    """Once, after `every` steps."""
    for number, (x, y) in enumerate(batches, start=1):
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        if number == every:
            w.assign(context.all_reduce("MEAN", w.read_value()))


@wrong("at_the_end_only")
@changed(once, ("if number == every:", "if number == len(batches):"))
def at_end():
    """At the end only."""


@wrong("at_the_end_too")
@changed(once, ("number == every", "number % every == 0 or number == len(batches)"))
def at_end_too():
    """At the end, too."""


@wrong("from_every_on")
@changed(once, ("if number == every:", "if number >= every:"))
def from_every_on():
    """From step `every` on, in each step."""


@wrong("always_three")
@changed(once, ("if number == every:", "if number % 3 == 0:"))
def three():
    """After every third step."""


@wrong("sent_in_each")
def where(context, w, batches, every):
    """A counter that is a tensor, and tf.where."""
    number = tf.constant(0)
    for x, y in batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
        number += 1
        mean = context.all_reduce("MEAN", w.read_value())
        w.assign(tf.where(number % every == 0, mean, w))


@wrong("one_step_more")
@changed(counter, ("if done == every:", "if done > every:"))
def since_last():
    """Steps since the last message are counted, one too many."""


@wrong("counted_from_0")
@changed(once, ("start=1", "start=0"), ("number == every", "number % every == 0"))
def from_0():
    """Counted from 0."""


@wrong("first_round_longer")
@changed(
    once,
    ("start=1", "start=0"),
    ("number == every", "number and number % every == 0"),
)
def zero_left_out():
    """Counts from 0, and leaves step 0 out."""


@wrong("sum")
@changed(once, ("number == every", "number % every == 0"), ("MEAN", "SUM"))
def local_sum():
    """SUM of weights."""


@wrong("sum_every_step")
@changed(once, ("number == every", "number >= 1"), ("MEAN", "SUM"))
def sum_each():
    """The sum of the weights, after every step."""


@wrong("mean_thrown_away")
@changed(
    once,
    ("number == every", "number % every == 0"),
    (
        'w.assign(context.all_reduce("MEAN", w.read_value()))',
        'context.all_reduce("MEAN", w.read_value())',
    ),
)
def not_assigned():
    """The mean is computed and thrown away."""


@wrong("before_step_every")
@changed(before, ("enumerate(batches)", "enumerate(batches, start=1)"))
def before_every():
    """Averages before step `every`."""


@wrong("never")
@changed(each, ('context.all_reduce("MEAN", gradient / rows)', "gradient / rows"))
def never():
    """Never averaged."""


@wrong("gradients_summed")
@changed(each, ("MEAN", "SUM"))
def gradient_sum():
    """The sum of the gradients, in every step."""


@crashed
@changed(counter, ("w.read_value()", "w"))
def variable():
    """The variable itself is sent: it has no device here."""


@crashed
@changed(
    counter,
    ("w.assign_sub(RATE * gradient / rows)", "w = w - RATE * gradient / rows"),
    ("w.read_value()", "w"),
)
def name_replaced():
    """w is replaced by a tensor."""
