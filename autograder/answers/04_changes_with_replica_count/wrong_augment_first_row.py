"""One seed for a batch: its first row stands for the others."""

import tensorflow as tf

EXPECT = {"04/my_augment": "WRONG one_seed_for_a_batch"}
NOISE = 0.1


def my_augment(data, batch, epoch):
    def add_noise(ids, x):
        seed = tf.stack([epoch, ids[0]])
        return ids, x + NOISE * tf.random.stateless_normal(tf.shape(x), seed=seed)

    return data.batch(batch).map(add_noise).prefetch(1)
