"""Answers to 08/my_late, right and wrong, and what the check says of each."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

from autograder.answers import changed, right, wrong


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def four(read, n):
    return tf.data.Dataset.range(n).map(read, num_parallel_calls=4)


@right
def one_batch(read, n):
    """One batch of everything, taken apart again."""
    return pooled(four(read, n)).batch(n).unbatch()


@right
def one_window(read, n):
    """A batch that is taken apart by flat_map."""
    one = pooled(four(read, n)).batch(n)
    return one.flat_map(tf.data.Dataset.from_tensor_slices)


@right
def generator(read, n):
    """A generator that reads everything before it yields."""

    def generate():
        with ThreadPoolExecutor(4) as threads:
            yield from list(threads.map(read, range(n)))

    return tf.data.Dataset.from_generator(
        generate, output_signature=tf.TensorSpec([], tf.float32)
    )


@wrong("nothing_broken")
def large_buffer(read, n):
    """Room for everything, which is handed on as it comes."""
    return pooled(four(read, n)).prefetch(n)


@wrong("nothing_broken")
@changed(large_buffer, (".prefetch(n)", ".cache()"))
def kept():
    """A cache keeps what has come, and hands it on at once."""


@wrong("nothing_broken")
@changed(large_buffer, (".prefetch(n)", ".batch(4).unbatch()"))
def small_batches():
    """The first batch needs four elements only."""


@wrong("nothing_broken")
@changed(large_buffer, (".prefetch(n)", ".batch(8).unbatch()"))
def batches_of_eight():
    """The first batch needs eight elements only."""


@wrong("not_all")
@changed(large_buffer, (".prefetch(n)", ".batch(n - 1).unbatch()"))
def all_but_one():
    """The last element is in a batch of its own."""


@wrong("not_all")
@changed(large_buffer, (".prefetch(n)", ".batch(max(n - 3, 1)).unbatch()"))
def all_but_three():
    """The last three elements are in a second batch."""


@wrong("not_all")
@changed(large_buffer, (".prefetch(n)", ".batch(9).unbatch()"))
def batches_of_nine():
    """Most elements first, but not all."""


@right
def full_shuffle_buffer(read, n):
    """A shuffle waits for its full buffer; sorting brings the order back."""
    numbers = tf.data.Dataset.range(n)
    pairs = numbers.map(lambda i: (i, read(i)), num_parallel_calls=4)

    def in_order(places, values):
        return tf.gather(values, tf.argsort(places))

    return pooled(pairs).shuffle(n).batch(n).map(in_order).unbatch()


@wrong("another_order")
@changed(large_buffer, (".prefetch(n)", ".shuffle(n)"))
def shuffled():
    """Everything first, but the order is lost."""


@wrong("batched")
@changed(large_buffer, (".prefetch(n)", ".batch(n)"))
def batch_alone():
    """One batch, not taken apart."""


@wrong("rest_lost")
@changed(
    large_buffer,
    (".prefetch(n)", ".batch(4, drop_remainder=True).batch(99).unbatch().unbatch()"),
)
def without_the_rest():
    """Everything first, and too few for a batch of four are lost."""


@wrong("read_while_made")
def read_at_once(read, n):
    """A list of what was read, before the dataset is there."""
    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(read, tf.range(n, dtype=tf.int64)))
    return tf.data.Dataset.from_tensor_slices(tf.stack(numbers))


@wrong("no_threads")
def without_threads(read, n):
    """Everything first, one element after the other."""
    return four(read, n).batch(n).unbatch()


@wrong("no_parallel_calls")
def without_calls(read, n):
    """Four threads, and one call at a time."""
    return pooled(tf.data.Dataset.range(n).map(read)).batch(n).unbatch()


@wrong
def read_again(read, n):
    """Everything is read once in vain, and then again."""
    dataset = pooled(four(read, n))
    return dataset.skip(n).concatenate(dataset)
