"""Answers to 09/my_slow_step, right and wrong, and what the check says of each."""

import functools
import threading

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong

QUIET = "file:///dev/null"


@wrong("with_check_numerics")
def checks_for_nan(x, work):
    """A check for NaN before and after the work; the values go through both."""
    y = work(tf.debugging.check_numerics(x, "x is not finite"))
    return tf.debugging.check_numerics(y, "y is not finite")


def _log(value):
    logged = tf.numpy_function(lambda number: number, [value], value.dtype)
    logged.set_shape(value.shape)
    return logged


@right
def stateful_log(x, work):
    """A log in Python before and after the work."""
    return _log(work(_log(x)))


@right
def py_function(x, work):
    """The same with tf.py_function."""
    before = tf.py_function(lambda number: number, [x], tf.float32)
    y = work(tf.ensure_shape(before, x.shape))
    return tf.ensure_shape(tf.py_function(lambda n: n, [y], tf.float32), x.shape)


@functools.cache
def section():
    with tf.init_scope():
        return tf.CriticalSection(name="one_at_a_time")


@right
def critical_section(x, work):
    """One replica at a time may be in the section."""
    return section().execute(lambda: work(x))


@right
def printed(x, work):
    """tf.print, and the work waits for it; the next print waits for the work."""
    with tf.control_dependencies([tf.print(x, output_stream=QUIET)]):
        y = work(tf.identity(x))
    tf.print(y, output_stream=QUIET)
    return y


@right
def timed(x, work):
    """The time before and after the work, each at its moment."""
    with tf.control_dependencies([tf.timestamp()]):
        y = work(tf.identity(x))
    with tf.control_dependencies([y]):
        tf.timestamp()
    return y


class _Before:
    """What the replicas before have returned, in the graph that is being made."""

    def __init__(self):
        self._ends, self._lock = {}, threading.Lock()

    def of(self, graph):
        with self._lock:
            return self._ends.setdefault(graph, [])


before = _Before()


@right
def after_the_replica_before(x, work):
    """A control dependency on what the replica before has returned."""
    ends = before.of(tf.compat.v1.get_default_graph())
    with tf.control_dependencies(ends[-1:]):
        y = work(tf.identity(x))
    ends.append(y)
    return y


@wrong("nothing_broken")
def in_other_words(x, work):
    """The same step still."""
    return tf.identity(work(tf.identity(x)))


@wrong("nothing_broken")
def python_print(x, work):
    """Python's print runs once, when the graph is made."""
    str(x)
    return work(x)


@wrong("nothing_broken")
def stateless_log(x, work):
    """A log that is declared stateless."""

    def log(value):
        logged = tf.numpy_function(lambda n: n, [value], value.dtype, stateful=False)
        return tf.ensure_shape(logged, value.shape)

    return log(work(log(x)))


@wrong("order_beside_the_work")
def prints_beside(x, work):
    """tf.print before and after, but the work waits for none of them."""
    tf.print(x, output_stream=QUIET)
    y = work(x)
    tf.print(y, output_stream=QUIET)
    return y


@wrong("order_beside_the_work")
@changed(stateful_log, ("_log(work(_log(x)))", "work(_log(x))"))
def log_before_only():
    """Only the begin is logged: no log waits for the work."""


@wrong("order_beside_the_work")
@changed(stateful_log, ("_log(work(_log(x)))", "_log(work(x))"))
def log_after_only():
    """Only the end is logged: no work waits for a log."""


@wrong("one_device")
def on_one_device(x, work):
    """All work on the first device."""
    with tf.device("CPU:0"):
        return work(x)


@wrong("replica_0_only")
def first_only(x, work):
    """The others compute the result without the work."""
    context = tf.distribute.get_replica_context()
    if tf.get_static_value(context.replica_id_in_sync_group) == 0:
        return work(x)
    return 2.0 * x


@wrong("twice")
def works_twice(x, work):
    """Twice the work."""
    return (work(x) + work(tf.identity(x))) / 2


@wrong("no_work")
def computed_by_hand(x, work):
    """The result, without the work."""
    work(x)
    return 2.0 * x


@wrong
@changed(stateful_log, ("return", "return 2 *"))
def doubled():
    """In turn, but the result is another one."""


@crashed
def read(x, work):
    """A value of a tensor that has none yet."""
    return work(x) * x.numpy()


@wrong
def nothing(x, work):
    """Nothing is returned."""
    work(x)
