"""Answers to 08/my_dataset, right and wrong, and what the check says of each."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

from autograder.answers import crashed, right, wrong


def pooled(dataset, threads=4):
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    return dataset.with_options(options)


def four(read, n):
    return tf.data.Dataset.range(n).map(read, num_parallel_calls=4)


def generated(generate):
    spec = tf.TensorSpec([], tf.float32)
    return tf.data.Dataset.from_generator(generate, output_signature=spec)


@right
def autotune(read, n):
    """AUTOTUNE, in a pool of its own."""
    dataset = tf.data.Dataset.range(n).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return pooled(dataset.prefetch(tf.data.AUTOTUNE), 8)


@right
def interleave(read, n):
    """An interleave of datasets of one element."""

    def one(i):
        return tf.data.Dataset.from_tensors(i).map(read)

    dataset = tf.data.Dataset.range(n).interleave(
        one, cycle_length=4, num_parallel_calls=4
    )
    return pooled(dataset)


@right
def dataset_map(read, n):
    """Four calls, four threads."""
    return pooled(four(read, n))


@right
def shards(read, n):
    """Four shards side by side, taken in turn."""

    def shard(number):
        return tf.data.Dataset.range(n).shard(4, number).map(read)

    numbers = tf.data.Dataset.range(4)
    dataset = numbers.interleave(shard, cycle_length=4, num_parallel_calls=4)
    return pooled(dataset.prefetch(1), 8)


@right
def sixteen(read, n):
    """More of everything, and a cache."""
    dataset = pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=16), 16)
    return dataset.cache().prefetch(2)


@right
def slices(read, n):
    """Numbers from a list; nothing added by TensorFlow."""
    options = tf.data.Options()
    options.threading.private_threadpool_size = 5
    options.experimental_optimization.apply_default_optimizations = False
    numbers = tf.data.Dataset.from_tensor_slices(tf.range(n))
    return numbers.map(read, num_parallel_calls=4).prefetch(1).with_options(options)


@right
def dataset_threads(read, n):
    """A generator with four threads of its own."""

    def generate():
        with ThreadPoolExecutor(4) as threads:
            yield from threads.map(read, range(n))

    return generated(generate)


@wrong("all_before_the_first_step")
def all_first(read, n):
    """A generator that reads everything before it yields."""

    def generate():
        with ThreadPoolExecutor(4) as threads:
            yield from list(threads.map(read, range(n)))

    return generated(generate)


@wrong("another_order")
def any_order(read, n):
    """Whatever is ready first."""
    numbers = tf.data.Dataset.range(n)
    return pooled(numbers.map(read, num_parallel_calls=4, deterministic=False))


@wrong("another_order")
def any_order_option(read, n):
    """The same by an option."""
    options = tf.data.Options()
    options.deterministic = False
    return pooled(four(read, n).prefetch(2)).with_options(options)


@wrong("no_threads")
def autotune_no_pool(read, n):
    """AUTOTUNE, but one thread."""
    calls = tf.data.AUTOTUNE
    return tf.data.Dataset.range(n).map(read, num_parallel_calls=calls).prefetch(calls)


@wrong("batched")
def batched(read, n):
    """Batches of four."""
    return pooled(four(read, n).batch(4))


@wrong("batched+one_at_a_time")
def batched_in_turn(read, n):
    """A batch, and nothing else."""
    return tf.data.Dataset.range(n).map(read).batch(4).prefetch(tf.data.AUTOTUNE)


@wrong("beyond")
def beyond(read, n):
    """Counted from one, to n."""
    return pooled(four(read, n + 1))


@wrong("another_order")
def blocks(read, n):
    """Four blocks side by side."""

    def block(k):
        return tf.data.Dataset.range(k * n // 4, (k + 1) * n // 4).map(read)

    dataset = tf.data.Dataset.range(4).interleave(
        block, cycle_length=4, num_parallel_calls=4
    )
    return pooled(dataset, 8)


@wrong("one_at_a_time")
def cache(read, n):
    """cache."""
    return tf.data.Dataset.range(n).map(read).cache().prefetch(tf.data.AUTOTUNE)


@wrong("not_read")
def changed(read, n):
    """The values are changed."""
    return pooled(four(lambda i: 2 * read(i) + 1, n))


@wrong("four_copies")
def copies(read, n):
    """Four datasets that all read everything."""
    dataset = tf.data.Dataset.range(4).interleave(
        lambda s: tf.data.Dataset.range(n).map(read),
        cycle_length=4,
        num_parallel_calls=4,
    )
    return pooled(dataset, 8)


@wrong("empty")
def empty(read, n):
    """Nothing is left."""
    return pooled(four(read, n).take(0))


@wrong("never_ends")
def endless(read, n):
    """repeat()."""
    return pooled(four(read, n).repeat())


@crashed
def endless_python(read, n):
    """A loop without an end."""
    numbers = []
    while len(numbers) < n:
        n += 1
        numbers[:] = [n]
    return numbers


@wrong("first_lost")
def first_lost(read, n):
    """Counted from one."""
    return pooled(tf.data.Dataset.range(1, n).map(read, num_parallel_calls=4))


@wrong("no_parallel_calls")
def generator(read, n):
    """A generator has one thread."""

    def generate():
        for i in range(n):
            yield read(i)

    return pooled(generated(generate).prefetch(tf.data.AUTOTUNE))


@wrong("alternates")
def groups(read, n):
    """Groups of four, and nothing ahead of the step."""

    def generate():
        with ThreadPoolExecutor(4) as threads:
            for start in range(0, n, 4):
                group = range(start, min(start + 4, n))
                yield from list(threads.map(read, group))

    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return generated(generate).with_options(options)


@wrong("no_parallel_calls")
def interleave_in_turn(read, n):
    """An interleave without parallel calls."""
    dataset = tf.data.Dataset.range(4).interleave(
        lambda s: tf.data.Dataset.range(n).shard(4, s).map(read), cycle_length=4
    )
    return pooled(dataset)


@wrong("one_at_a_time")
def larger_buffer(read, n):
    """A larger buffer."""
    return tf.data.Dataset.range(n).map(read).prefetch(100)


@wrong("last_lost")
def last_lost(read, n):
    """One too few."""
    return pooled(four(read, n - 1))


@wrong
def dataset_list(read, n):
    """A list."""
    return [read(i) for i in range(n)]


@wrong("read_while_made")
def listed(read, n):
    """All is read first, in threads."""
    with ThreadPoolExecutor(4) as threads:
        values = list(threads.map(read, range(n)))
    return tf.data.Dataset.from_tensor_slices(values)


@wrong("read_while_made")
def listed_dataset(read, n):
    """The dataset is made a list."""
    return tf.data.Dataset.from_tensor_slices(list(pooled(four(read, n))))


@wrong("no_parallel_calls")
def map_fn(read, n):
    """A batch of reads in one call."""

    def four(ids):
        return tf.map_fn(
            read, ids, fn_output_signature=tf.float32, parallel_iterations=4
        )

    return pooled(tf.data.Dataset.range(n).batch(4).map(four).unbatch())


@crashed
def misspelt(read, n):
    """A name that is none."""
    options = tf.data.Options()
    options.private_threadpool_size = 4
    return four(read, n).with_options(options)


@wrong("no_threads")
def no_pool(read, n):
    """Parallel calls, but one thread."""
    return four(read, n).prefetch(tf.data.AUTOTUNE)


@wrong
def none(read, n):
    """No return."""
    pooled(four(read, n))


@wrong("not_read")
def dataset_numbers(read, n):
    """Nothing is read."""
    return pooled(tf.data.Dataset.range(n)).prefetch(4)


@wrong("all_before_the_first_step")
def one_batch(read, n):
    """One batch of everything, taken apart again."""
    return pooled(four(read, n)).batch(n).unbatch()


@wrong("most_before_the_first_step")
def all_but_one(read, n):
    """One batch of all elements but the last, taken apart again."""
    return pooled(four(read, n)).batch(n - 1).unbatch()


@wrong("one_call")
def one_call(read, n):
    """Four threads, and one call at a time."""
    return pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=1))


@wrong("one_shard")
def one_shard(read, n):
    """One shard of four."""
    return pooled(tf.data.Dataset.range(n).shard(4, 0).map(read, num_parallel_calls=4))


@wrong("one_thread")
def one_thread(read, n):
    """A pool of one thread."""
    return pooled(four(read, n), 1)


@wrong("no_threads")
def options_lost(read, n):
    """The dataset that with_options returns is thrown away."""
    dataset = four(read, n)
    pooled(dataset)
    return dataset


@wrong("no_threads")
def other_option(read, n):
    """The wrong option of threading."""
    options = tf.data.Options()
    options.threading.max_intra_op_parallelism = 4
    return four(read, n).with_options(options)


@wrong("too_few_at_a_time")
def own_threads_two(read, n):
    """A generator with two threads of its own."""

    def generate():
        with ThreadPoolExecutor(2) as pool:
            for begin in range(0, n, 2):
                numbers = tf.range(begin, min(begin + 2, n), dtype=tf.int64)
                yield from pool.map(read, numbers)

    return generated(generate)


@wrong
def pairs(read, n):
    """Pairs."""
    return pooled(four(lambda i: (i, read(i)), n))


@wrong("one_call")
def parallel_elsewhere(read, n):
    """Another map than the one that reads is parallel."""
    return pooled(four(lambda i: i + 0, n).map(read), 8)


@wrong("no_parallel_calls")
def pool_only(read, n):
    """Threads, but a map that does one at a time."""
    return pooled(tf.data.Dataset.range(n).map(read).prefetch(4))


@wrong("one_at_a_time")
def prefetch_first(read, n):
    """prefetch before the map."""
    return tf.data.Dataset.range(n).prefetch(4).map(read)


@wrong("one_at_a_time")
def prefetch_twice(read, n):
    """prefetch on both sides."""
    dataset = tf.data.Dataset.range(n).prefetch(tf.data.AUTOTUNE).map(read)
    return dataset.prefetch(tf.data.AUTOTUNE)


@wrong("read_again")
def read_again(read, n):
    """Each element is read twice."""
    return pooled(four(lambda i: (read(i) + read(i)) / 2, n))


@wrong("rest_lost")
def rest_lost(read, n):
    """Batches of four, without the rest."""
    return pooled(four(read, n)).batch(4, drop_remainder=True).unbatch()


@wrong("another_order")
def shuffled(read, n):
    """shuffle."""
    return pooled(four(read, n).shuffle(n))


@wrong("too_few_threads")
def small_pool(read, n):
    """Four calls, two threads."""
    return pooled(four(read, n), 2)


@wrong("too_few_calls")
def three_calls(read, n):
    """Three calls, four threads."""
    return pooled(tf.data.Dataset.range(n).map(read, num_parallel_calls=3))


@wrong("twice")
def twice(read, n):
    """repeat(2)."""
    return pooled(four(read, n).repeat(2))


@wrong("one_thread_no_parallel_calls")
def one_thread_only(read, n):
    """A pool of one thread, for a generator that asks read in turn."""

    def generate():
        yield from map(read, range(n))

    return pooled(generated(generate), 1)


@wrong("few_threads_one_call")
def parallel_elsewhere_in_three_threads(read, n):
    """The map that reads is not the one with the calls, and three threads are few."""
    numbers = tf.data.Dataset.range(n).map(tf.identity, num_parallel_calls=8)
    return pooled(numbers.map(read).prefetch(8), threads=3)


@wrong("another_order+rest_lost+no_threads")
def shuffled_batches_without_threads(read, n):
    """Shuffled, the rest dropped, and parallel calls without a pool."""
    whole = four(read, n).batch(4, drop_remainder=True).unbatch()
    return whole.shuffle(n, seed=1).prefetch(1)


@wrong("one_at_a_time+read_again")
def read_again_in_turn(read, n):
    """One element after the other, each read twice."""

    def once_more(i):
        with tf.control_dependencies([read(i)]):
            return read(i)

    return tf.data.Dataset.range(n).map(once_more)


@wrong("few_threads_no_parallel_calls")
def two_threads_only(read, n):
    """A pool of two threads, and nothing that uses them."""
    return pooled(tf.data.Dataset.range(n).map(read).prefetch(4), 2)


@wrong("late_streams")
def prefetched_streams(read, n):
    """Four streams that each read ahead, taken in turn."""
    streams = [
        tf.data.Dataset.range(n).shard(4, k).map(read).prefetch(1) for k in range(4)
    ]
    turns = tf.data.Dataset.range(4).repeat()
    return pooled(tf.data.Dataset.choose_from_datasets(streams, turns), 8)


@wrong("late_streams")
def interleaved_streams(read, n):
    """An interleave that takes streams in turn, each of which reads far ahead."""

    def stream(k):
        return tf.data.Dataset.range(n).shard(4, k).map(read).prefetch(100)

    return pooled(tf.data.Dataset.range(4).interleave(stream, cycle_length=4), 8)
