"""Seed and step joined by tens."""

EXPECT = {"14/my_mask": "WRONG joined_too_closely"}


def my_mask(seed, step, places, worker, workers, units):
    def for_row(row):
        return tf.random.stateless_uniform([units], seed=[seed * 10 + step, row])

    numbers = tf.stack([for_row(place * workers + worker) for place in places])
    return tf.cast(numbers < KEEP, tf.float32)
