"""Answers to 08/my_log, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import crashed, right, wrong
from course.runs.spans import stamped


@right
def numpy_function(place, value, write):
    """Stateless, and the value goes through it."""

    def call(number):
        write(place, number)
        return number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@right
def py_func(place, value, write):
    """The older name."""

    def call(number):
        write(place, number)
        return number

    written = tf.compat.v1.py_func(call, [value], tf.float32, stateful=False)
    return tf.ensure_shape(written, value.shape)


@right
def stacked(place, value, write):
    """The written value is picked out of a pair."""

    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    return tf.stack([value, tf.ensure_shape(written, value.shape)])[1]


@right
def log_stamped(place, value, write):
    """The course's own stamp."""
    return stamped(value, lambda device, number: write(place, number))


@wrong("begin_only")
def begin_only(place, value, write):
    """Only the begin is written."""

    def call(number):
        write(place, number)
        return number

    if place != "begin":
        return value
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("beside_the_work")
def beside(place, value, write):
    """Stateful, beside the value."""

    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype)
    return value


@wrong
def changed(place, value, write):
    """The value is changed on the way."""

    def call(number):
        write(place, number)
        return number + number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("never_runs")
def control(place, value, write):
    """A control dependency does not keep a stateless operation."""

    def call(number):
        write(place, number)
        return number

    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    with tf.control_dependencies([written]):
        return tf.identity(value)


@wrong("never_runs")
def dropped(place, value, write):
    """Stateless, and nobody uses the result."""

    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype, stateful=False)
    return value


@wrong("end_only")
def end_only(place, value, write):
    """Only the end is written."""

    def call(number):
        write(place, number)
        return number

    if place == "begin":
        return value
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@crashed
def none(place, value, write):
    """Nothing is returned."""

    def call(number):
        write(place, number)
        return number

    tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("never_runs")
def nothing(place, value, write):
    """No log at all."""
    return value


@crashed
def numpy(place, value, write):
    """A read in the graph."""
    write(place, value.numpy())
    return value


@wrong("never_runs")
def log_print(place, value, write):
    """tf.print does not call write."""
    tf.print(place, value)
    return value


@wrong("never_runs_in_turn")
def print_control(place, value, write):
    """tf.print, and the value waits for it."""
    with tf.control_dependencies([tf.print(place, value)]):
        return tf.identity(value)


@wrong("stateful")
def py_function(place, value, write):
    """tf.py_function is stateful too."""

    def call(number):
        write(place, float(number))
        return number

    return tf.ensure_shape(tf.py_function(call, [value], value.dtype), value.shape)


@wrong("beside_the_work")
def py_function_beside(place, value, write):
    """tf.py_function beside the value."""
    tf.py_function(lambda number: write(place, number), [value], [])
    return value


@wrong("replica_0_only")
def replica_0(place, value, write):
    """Only replica 0 writes."""

    def call(number):
        write(place, number)
        return number

    context = tf.distribute.get_replica_context()
    if tf.get_static_value(context.replica_id_in_sync_group) != 0:
        return value
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("replica_0_only")
def replica_0_stateful(place, value, write):
    """Only replica 0 writes, statefully."""

    def call(number):
        write(place, number)
        return number

    context = tf.distribute.get_replica_context()
    if tf.get_static_value(context.replica_id_in_sync_group) != 0:
        return value
    return tf.numpy_function(call, [value], value.dtype)


@wrong("replica_0_only_in_turn")
def all_call_one_writes(place, value, write):
    """Each replica calls, statefully, and the function writes for replica 0."""

    def call(replica, number):
        if replica == 0:
            write(place, number)
        return number

    context = tf.distribute.get_replica_context()
    told = [context.replica_id_in_sync_group, value]
    return tf.numpy_function(call, told, value.dtype)


@wrong("while_tracing")
def tracing(place, value, write):
    """write is called while tracing."""
    write(place, value)
    return value


@wrong("twice")
def twice(place, value, write):
    """Written twice."""

    def call(number):
        write(place, number)
        write(place, number)
        return number

    return tf.numpy_function(call, [value], value.dtype, stateful=False)
