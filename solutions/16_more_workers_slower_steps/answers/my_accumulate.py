"""Answers to 16/my_accumulate, right and wrong, and what the check says of each."""

from autograder.answers import changed, crashed, right, wrong


@right
def joined(context, w, micro_batches):
    """The rows are joined first."""
    x = tf.concat([x for x, _ in micro_batches], 0)
    y = tf.concat([y for _, y in micro_batches], 0)
    gradient, rows = context.all_reduce("SUM", list(sums(w, x, y)))
    w.assign_sub(RATE * gradient / rows)


@right
def lists(context, w, micro_batches):
    """Lists, added up with add_n."""
    found = [sums(w, x, y) for x, y in micro_batches]
    own = [tf.add_n(list(parts)) for parts in zip(*found, strict=True)]
    gradient, rows = context.all_reduce("SUM", own)
    w.assign_sub(RATE * gradient / rows)


@right
def mean_of_both(context, w, micro_batches):
    """MEAN of both: the ratio is the same."""
    gradient, rows = 0.0, 0.0
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient += more
        rows += count
    gradient, rows = context.all_reduce("MEAN", (gradient, rows))
    w.assign_sub(RATE * (gradient / rows))


@right
def packed(context, w, micro_batches):
    """Gradient and rows in one vector."""
    own = tf.zeros(3)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        own += tf.concat([gradient, [rows]], 0)
    total = context.all_reduce("SUM", own)
    w.assign_sub(RATE * total[:2] / total[2])


@right
def python_rows(context, w, micro_batches):
    """rows is a Python number, which can't be sent with the gradient."""
    gradient, rows = 0.0, 0
    for x, y in micro_batches:
        gradient, rows = gradient + sums(w, x, y)[0], rows + len(y)
    total = context.all_reduce("SUM", [gradient, tf.constant(float(rows))])
    w.assign_sub(RATE * total[0] / total[1])


def added(w, micro_batches):
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more, count = sums(w, x, y)
        gradient, rows = gradient + more, rows + count
    return gradient, rows


@wrong("alone_each")
def alone(context, w, micro_batches):
    """A step alone for each."""
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)


@wrong("divided_by_batches")
def by_batches(context, w, micro_batches):
    """Divided by the number of micro-batches."""
    gradient, _ = added(w, micro_batches)
    w.assign_sub(RATE * context.all_reduce("SUM", gradient) / len(micro_batches))


@wrong("local_steps")
def local(context, w, micro_batches):
    """Steps alone, then takes the mean of the weights."""
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        w.assign_sub(RATE * gradient / rows)
    w.assign(context.all_reduce("MEAN", w.read_value()))


@wrong("mean_of_means")
def mean_of_means(context, w, micro_batches):
    """Means of micro-batches, averaged."""
    mean = tf.zeros(2)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        mean += gradient / rows / len(micro_batches)
    w.assign_sub(RATE * context.all_reduce("MEAN", mean))


@wrong("mean_of_workers")
def mean_of_workers(context, w, micro_batches):
    """MEAN of the workers' means."""
    gradient, rows = added(w, micro_batches)
    w.assign_sub(RATE * context.all_reduce("MEAN", gradient / rows))


@wrong("message_for_each")
def message_each(context, w, micro_batches):
    """Summed over the workers in the loop, one step."""
    gradient, rows = tf.zeros(2), 0.0
    for x, y in micro_batches:
        more, count = context.all_reduce("SUM", list(sums(w, x, y)))
        gradient, rows = gradient + more, rows + count
    w.assign_sub(RATE * gradient / rows)


@wrong("never_changed")
@changed(lists, ("w.assign_sub(RATE * gradient / rows)", "w -= RATE * gradient / rows"))
def name():
    """Gives the name w a new value."""


@wrong("not_divided")
def not_divided(context, w, micro_batches):
    """No division."""
    gradient, _ = added(w, micro_batches)
    w.assign_sub(RATE * context.all_reduce("SUM", gradient))


@wrong("not_reduced")
def not_reduced(context, w, micro_batches):
    """Nothing is sent."""
    gradient, rows = added(w, micro_batches)
    w.assign_sub(RATE * gradient / rows)


@wrong("changed_on_the_way")
def on_the_way(context, w, micro_batches):
    """Changes w in the loop, and once more."""
    gradient, rows = tf.zeros(2), tf.constant(0.0)
    for x, y in micro_batches:
        more_gradient, more_rows = sums(w, x, y)
        w.assign_sub(RATE * more_gradient / more_rows)
        gradient, rows = gradient + more_gradient, rows + more_rows
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)


@wrong("last_only")
def overwritten(context, w, micro_batches):
    """Overwritten in the loop."""
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)


@wrong("own_rows")
def own_rows(context, w, micro_batches):
    """Divided by the worker's rows."""
    gradient, rows = added(w, micro_batches)
    gradient = context.all_reduce("SUM", gradient)
    w.assign_sub(RATE * gradient / rows)


@wrong("sum_of_means")
def sum_of_means(context, w, micro_batches):
    """Means of micro-batches, added up."""
    total = tf.zeros(2)
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        total += gradient / rows
    w.assign_sub(RATE * context.all_reduce("SUM", total))


@wrong("two_messages")
def two_messages(context, w, micro_batches):
    """Gradient and rows one after the other."""
    gradient, rows = added(w, micro_batches)
    gradient = context.all_reduce("SUM", gradient)
    rows = context.all_reduce("SUM", rows)
    w.assign_sub(RATE * gradient / rows)


@crashed
def unpacks(context, w, micro_batches):
    """One value too few."""
    gradient = sum(sums(w, x, y) for x, y in micro_batches)
    w.assign_sub(RATE * context.all_reduce("SUM", gradient))


@wrong("step_for_each")
def each_reduced(context, w, micro_batches):
    """An all-reduce and a step for each, in one dictionary."""
    for x, y in micro_batches:
        gradient, rows = sums(w, x, y)
        total = context.all_reduce("SUM", {"gradient": gradient, "rows": rows})
        w.assign_sub(RATE * total["gradient"] / total["rows"])


@wrong("sum_of_workers")
def sum_of_own_means(context, w, micro_batches):
    """Divided on the worker, then summed."""
    gradient, rows = added(w, micro_batches)
    w.assign_sub(RATE * context.all_reduce("SUM", gradient / rows))


@wrong("first_only")
def returns_in_loop(context, w, micro_batches):
    """The last lines are indented too far."""
    for x, y in micro_batches:
        gradient, rows = context.all_reduce("SUM", list(sums(w, x, y)))
        w.assign_sub(RATE * gradient / rows)
        return


@wrong("rows_of_last")
def rows_overwritten(context, w, micro_batches):
    """The gradient is added up, the rows are overwritten."""
    gradient = tf.zeros(2)
    for x, y in micro_batches:
        more, rows = sums(w, x, y)
        gradient += more
    gradient, rows = context.all_reduce("SUM", [gradient, rows])
    w.assign_sub(RATE * gradient / rows)


@wrong("last_lost")
@changed(lists, ("in micro_batches", "in micro_batches[:-1]"))
def last_lost():
    """The list ends before the last one."""


@wrong("first_lost")
@changed(lists, ("in micro_batches", "in micro_batches[1:]"))
def first_lost():
    """The list begins with the second one."""


@wrong("divided_twice")
@changed(lists, ("gradient / rows", "gradient / rows / len(micro_batches)"))
def divided_twice():
    """Divides by rows and by micro-batches."""


@wrong("wrong_sign")
@changed(lists, ("assign_sub", "assign_add"))
def sign():
    """Adds the gradient."""
