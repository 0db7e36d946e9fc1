"""Answers to 05/my_update, right and wrong, and what the check says of each."""

import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


def start_and_join(one, deltas):
    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@right
def assign_add(var, deltas, work):
    """One operation of the TensorFlow variable inside adds."""

    def one(delta):
        var.value.assign_add(work(var.numpy(), delta))

    start_and_join(one, deltas)


@right
def caller_helps(var, deltas, work):
    """The caller works on the first delta itself."""

    def one(delta):
        var.value.assign_add(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas[1:]]
    for thread in threads:
        thread.start()
    one(deltas[0])
    for thread in threads:
        thread.join()


@right
def critical_section(var, deltas, work):
    """TensorFlow's critical section around read and write."""
    section = tf.CriticalSection()

    def one(delta):
        added = work(var.numpy(), delta)
        section.execute(lambda: var.assign(var + added))

    start_and_join(one, deltas)


@right
def update_futures(var, deltas, work):
    """A pool's futures, added up and assigned by the caller."""
    with ThreadPoolExecutor(len(deltas)) as pool:
        futures = [pool.submit(work, var.numpy(), delta) for delta in deltas]
    var.assign(var + sum(future.result() for future in futures))


@right
def sgd_apply(var, deltas, work):
    """Keras's SGD adds: with a rate of 1, what the negative gradient says."""
    sgd = tf.keras.optimizers.SGD(1.0)
    sgd.build([var])

    def one(delta):
        sgd.apply([tf.constant(-work(var.numpy(), delta))], [var])

    start_and_join(one, deltas)


@right
def graph_add(var, deltas, work):
    """assign_add inside a tf.function."""
    add = tf.function(lambda added: var.value.assign_add(added))

    def one(delta):
        add(tf.constant(work(var.numpy(), delta)))

    start_and_join(one, deltas)


@right
def update_lock(var, deltas, work):
    """A shared lock around a fresh read and the write."""
    lock = threading.Lock()

    def one(delta):
        added = work(var.numpy(), delta)
        with lock:
            var.assign(var.numpy() + added)

    start_and_join(one, deltas)


@right
@changed(
    update_lock,
    ("def one", "add = tf.function(lambda added: var.assign(var + added))\n\ndef one"),
    ("work(var.numpy(), delta)", "tf.constant(work(var.numpy(), delta))"),
    ("var.assign(var.numpy() + added)", "add(added)"),
)
def function_in_lock():
    """Read and write in a tf.function, inside a shared lock."""


@right
def update_pool(var, deltas, work):
    """A pool computes, the caller adds once."""
    value = var.numpy()
    with ThreadPoolExecutor(len(deltas)) as pool:
        added = list(pool.map(lambda delta: work(value, delta), deltas))
    var.value.assign_add(sum(added))


@right
def update_queue(var, deltas, work):
    """The caller takes the results from a queue and adds each."""
    results = queue.Queue()

    def one(delta):
        results.put(work(var.numpy(), delta))

    threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
    for thread in threads:
        thread.start()
    for _ in threads:
        var.assign_add(results.get())


@wrong("amount_assigned")
@changed(assign_add, ("var.value.assign_add", "var.assign"))
def amount_assigned():
    """Assign the amount instead of adding it."""


@wrong("averaged")
def averaged(var, deltas, work):
    """Add the mean of the results, as for gradients."""
    with ThreadPoolExecutor(max_workers=len(deltas)) as pool:
        added = list(pool.map(lambda delta: work(var.numpy(), delta), deltas))
    var.value.assign_add(sum(added) / len(added))


@crashed
@changed(update_lock, ("with lock:", "with lock, lock:"))
def deadlock():
    """A thread takes the same lock twice and waits for itself."""


@wrong("work_not_called")
@changed(assign_add, ("work(var.numpy(), delta)", "delta"))
def deltas_only():
    """Add the deltas without work."""


@crashed
@changed(assign_add, ("delta))", "delta))\nwhile True:\n    pass"))
def endless():
    """A thread that never ends."""


@wrong("gap_left_open")
@changed(graph_add, ("var.value.assign_add(added)", "var.assign(var + added)"))
def function():
    """Read and write in one tf.function."""


@tf.function
def add_to(variable, added):
    variable.assign(variable + added)


@wrong("gap_left_open")
def function_of_var(var, deltas, work):
    """A tf.function outside that takes the TensorFlow variable inside."""

    def one(delta):
        add_to(var.value, tf.constant(work(var.numpy(), delta)))

    start_and_join(one, deltas)


@wrong("gap_left_open")
@changed(assign_add, ("var.value.assign_add", "var.assign_add"))
def keras_add():
    """The variable's own assign_add, which Keras makes of a read and a write."""


@wrong("lost_updates")
def function_write(var, deltas, work):
    """The write is a tf.function."""
    write = tf.function(lambda value: var.assign(value))

    def one(delta):
        value = var.numpy()
        write(tf.constant(value + work(value, delta)))

    start_and_join(one, deltas)


@wrong("nothing_written")
def hidden_error(var, deltas, work):
    """A pool keeps the error of a misspelt name for itself."""

    def one(delta):
        added = work(var.numpy(), delta)
        var.value.asign_add(added)

    with ThreadPoolExecutor(len(deltas)) as pool:
        for delta in deltas:
            pool.submit(one, delta)


@crashed
@tf.function
def in_graph(var, deltas, work):
    """Put the whole function into tf.function."""

    def one(delta):
        added = work(var.numpy(), delta)
        var.value.assign_add(added)

    start_and_join(one, deltas)


@wrong("one_at_a_time")
def join_each(var, deltas, work):
    """Join each thread before the next one starts."""

    def one(delta):
        value = var.numpy()
        var.assign(value + work(value, delta))

    for delta in deltas:
        thread = threading.Thread(target=one, args=(delta,))
        thread.start()
        thread.join()


@wrong("last_joined_only")
def last_joined(var, deltas, work):
    """Join the last thread only."""

    def one(delta):
        var.value.assign_add(work(var.numpy(), delta))

    for delta in deltas:
        thread = threading.Thread(target=one, args=(delta,))
        thread.start()
    thread.join()


@wrong("one_at_a_time")
@changed(
    update_lock,
    ("added = work(var.numpy(), delta)", ""),
    ("var.numpy() + added", "var.numpy() + work(var.numpy(), delta)"),
)
def lock_all():
    """One lock around everything."""


@wrong("gap_left_open")
@changed(
    update_lock,
    ("lock = threading.Lock()", ""),
    ("with lock:", "with threading.Lock():"),
)
def lock_each():
    """Every thread has a lock of its own."""


@wrong("lost_updates")
@changed(
    update_lock,
    ("added = work(var.numpy(), ", "value = var.numpy()\nadded = work(value, "),
    ("var.numpy() + added", "value + added"),
)
def lock_write():
    """A lock around the write only."""


@wrong("value_not_read")
@changed(assign_add, ("work(var.numpy(), delta)", "work(0.0, delta)"))
def made_up_value():
    """Give work a zero instead of what was read."""


@crashed
@changed(assign_add, ("var.value.assign_add", "var.value.asign_add"))
def misspelt():
    """A misspelt method in a thread."""


@wrong("one_thread")
def no_threads(var, deltas, work):
    """A loop without threads."""
    for delta in deltas:
        var.value.assign_add(work(var.numpy(), delta))


@wrong("not_joined")
def not_joined(var, deltas, work):
    """Start the threads and return."""

    def one(delta):
        var.value.assign_add(work(var.numpy(), delta))

    for delta in deltas:
        threading.Thread(target=one, args=(delta,)).start()


@wrong("nothing_started")
def not_started(var, deltas, work):
    """Make the threads, and do not start them."""

    def one(delta):
        var.value.assign_add(work(var.numpy(), delta))

    [threading.Thread(target=one, args=(delta,)) for delta in deltas]


@wrong("one_thread")
def update_one_thread(var, deltas, work):
    """One thread for all deltas."""

    def all_deltas():
        for delta in deltas:
            var.value.assign_add(work(var.numpy(), delta))

    thread = threading.Thread(target=all_deltas)
    thread.start()
    thread.join()


@wrong("gap_left_open")
@changed(
    critical_section,
    ("section = tf.CriticalSection()", ""),
    ("section.execute(lambda: var.assign(var + added))", "var.assign(var + added)"),
)
def read_again():
    """A fresh read before the write, without a lock."""


@wrong("result_not_used")
def result_unused(var, deltas, work):
    """Call work, then add the delta."""

    def one(delta):
        work(var.numpy(), delta)
        var.value.assign_add(delta)

    start_and_join(one, deltas)


@wrong("two_at_a_time")
def small_pool(var, deltas, work):
    """A pool of two threads."""
    with ThreadPoolExecutor(2) as pool:
        for added in pool.map(lambda delta: work(var.numpy(), delta), deltas):
            var.value.assign_add(added)


@wrong("start_lost")
def start_lost(var, deltas, work):
    """Assign the sum of the results."""
    with ThreadPoolExecutor(len(deltas)) as pool:
        var.assign(sum(pool.map(lambda delta: work(var.numpy(), delta), deltas)))


@wrong("lost_updates")
@changed(
    update_lock,
    ("added = ", "with lock:\n    value = var.numpy()\nadded = "),
    ("work(var.numpy(), delta)", "work(value, delta)"),
    ("var.numpy() + added", "value + added"),
)
def two_locks():
    """The read in a lock, later the write in the same lock."""


@wrong
@changed(assign_add, ("var.value.assign_add", "var.value.assign_sub"))
def unknown():
    """Subtract the amount: no known mistake."""


@wrong("value_added_too")
def value_added(var, deltas, work):
    """Add value and amount."""

    def one(delta):
        value = var.numpy()
        var.value.assign_add(value + work(value, delta))

    start_and_join(one, deltas)


@crashed
def work_in_function(var, deltas, work):
    """work inside a tf.function gets tensors without values."""

    @tf.function
    def one(delta):
        var.value.assign_add(work(var.value.read_value(), delta))

    start_and_join(one, deltas)


@wrong("work_called_twice")
@changed(
    assign_add,
    ("var.value.assign_add(", "work(var.numpy(), delta)\nvar.value.assign_add("),
)
def work_twice():
    """Call work once for nothing and once inside the sum."""


@wrong("fixed_pool")
@changed(small_pool, ("(2)", "(4)"))
def pool_of_four():
    """A pool of four threads."""


@wrong("fixed_pool")
@changed(small_pool, ("(2)", "()"))
def default_pool():
    """A pool of the size that Python gives it."""
