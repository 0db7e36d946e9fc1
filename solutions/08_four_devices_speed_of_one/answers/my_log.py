"""Answers to 08/my_log, right and wrong, and what the check says of each."""

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong
from course.runs.spans import stamped


def _writes(place, write):
    def call(number):
        write(place, number)
        return number

    return call


@right
def numpy_function(place, value, write):
    """Stateless, and the value goes through it."""
    call = _writes(place, write)
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@right
def py_func(place, value, write):
    """The older name."""
    call = _writes(place, write)
    written = tf.compat.v1.py_func(call, [value], tf.float32, stateful=False)
    return tf.ensure_shape(written, value.shape)


@right
def stacked(place, value, write):
    """The written value is picked out of a pair."""
    call = _writes(place, write)
    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    return tf.stack([value, tf.ensure_shape(written, value.shape)])[1]


@right
def log_stamped(place, value, write):
    """The course's own stamp."""
    return stamped(value, lambda device, number: write(place, number))


@wrong("begin_only")
def begin_only(place, value, write):
    """Only the begin is written."""
    if place != "begin":
        return value
    call = _writes(place, write)
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("beside_the_work")
def beside(place, value, write):
    """Stateful, beside the value."""
    tf.numpy_function(_writes(place, write), [value], value.dtype)
    return value


@wrong
@changed(numpy_function, ("return", "return 2 *"))
def doubled():
    """The value is changed on the way."""


@wrong("never_runs")
def control(place, value, write):
    """A control dependency does not keep a stateless operation."""
    call = _writes(place, write)
    written = tf.numpy_function(call, [value], value.dtype, stateful=False)
    with tf.control_dependencies([written]):
        return tf.identity(value)


@wrong("never_runs")
@changed(beside, ("value.dtype)", "value.dtype, stateful=False)"))
def dropped():
    """Stateless, and nobody uses the result."""


@wrong("end_only")
@changed(begin_only, ("place !=", "place =="))
def end_only():
    """Only the end is written."""


@crashed
@changed(beside, ("return value", ""))
def none():
    """Nothing is returned."""


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
    context = tf.distribute.get_replica_context()
    if tf.get_static_value(context.replica_id_in_sync_group) != 0:
        return value
    call = _writes(place, write)
    return tf.numpy_function(call, [value], value.dtype, stateful=False)


@wrong("replica_0_only")
@changed(replica_0, (", stateful=False", ""))
def replica_0_stateful():
    """Only replica 0 writes, statefully."""


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
