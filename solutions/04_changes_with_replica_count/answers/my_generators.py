"""Answers to 04/my_generators, right and wrong, and what the check says of each."""

import numpy as np
import tensorflow as tf

from autograder.answers import right, wrong


@right
def generators_keys(seed, replicas):
    """A key for each replica, by a stateless split."""
    keys = tf.cast(tf.random.split([seed, 1], replicas), tf.int64)
    return [
        tf.random.Generator.from_key_counter(key[0] * 2**32 + key[1], [0, 0], "philox")
        for key in keys
    ]


@right
def numpy(seed, replicas):
    """Seeds from the SeedSequence of NumPy."""
    seeds = np.random.SeedSequence(seed).generate_state(replicas, np.uint64)
    return [tf.random.Generator.from_seed(int(each)) for each in seeds]


@right
def split_of_a_random_place(seed, replicas):
    """Let a stateless operation choose the place, then split."""
    place = tf.random.stateless_uniform([], [seed, 0], None, None, tf.int64)
    return tf.random.Generator.from_seed(place).split(replicas)


G = tf.random.Generator


@right
def key_of_both(seed, replicas):
    """One key that holds both numbers."""
    keys = [1000 * seed + r for r in range(replicas)]
    return [G.from_key_counter(key, [0, 0], "philox") for key in keys]


@right
def places_of_the_state(seed, replicas):
    """The seed as the key, the replica in the high part of the place."""
    return [G.from_state([0, r, seed], alg="philox") for r in range(replicas)]


@wrong("split_of_neighbours")
def seed_in_the_place(seed, replicas):
    """The replica as the key, the seed as the place."""
    return [G.from_state([seed, 0, r], alg="philox") for r in range(replicas)]


@wrong("split_of_neighbours")
def added_key(seed, replicas):
    """Seed and replica added up to a key."""
    keys = [seed + r for r in range(replicas)]
    return [G.from_key_counter(key, [0, 0], "philox") for key in keys]


@wrong("neighbouring_seeds")
def apart(seed, replicas):
    """Seeds a thousand apart: one stream, only further on."""
    return [G.from_seed(seed + 1000 * r) for r in range(replicas)]


@wrong("neighbouring_seeds")
def multiples(seed, replicas):
    """Multiples of the seed."""
    return [G.from_seed(seed * (r + 1)) for r in range(replicas)]


@wrong("seed_ignored")
def product(seed, replicas):
    """Seed times replica: replica 0 always has 0."""
    return [tf.random.Generator.from_seed(seed * r) for r in range(replicas)]


@wrong("no_seed")
def set_seed(seed, replicas):
    """set_seed does not reach the global generator."""
    tf.random.set_seed(seed)
    return tf.random.get_global_generator().split(replicas)


@wrong
def single(seed, replicas):
    """A generator instead of a list."""
    return tf.random.Generator.from_seed(seed)


@wrong("neighbouring_seeds")
def skip(seed, replicas):
    """One stream, entered at several places."""
    made = [tf.random.Generator.from_seed(seed) for _ in range(replicas)]
    for replica, generator in enumerate(made):
        generator.skip(100 * replica)
    return made


@wrong("neighbouring_seeds")
def thousand(seed, replicas):
    """A thousand times the seed, but neighbours again."""
    return [tf.random.Generator.from_seed(1000 * seed + r) for r in range(replicas)]
