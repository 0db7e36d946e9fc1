"""Seeds from the SeedSequence of NumPy."""

import numpy as np
import tensorflow as tf

EXPECT = {"04/my_generators": "RIGHT"}


def my_generators(seed, replicas):
    seeds = np.random.SeedSequence(seed).generate_state(replicas, np.uint64)
    return [tf.random.Generator.from_seed(int(each)) for each in seeds]
