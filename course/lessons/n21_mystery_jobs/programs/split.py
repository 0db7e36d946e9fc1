"""A program whose model is split over two devices: one weight on each."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.slots import READ, Slots, indented
from course.lessons.n21_mystery_jobs.programs.wording import Wording

MICRO = ("micro", "micro_batches", "pieces_of_a_batch")


def split(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return two stages, a step that sends a batch through them, and a loop.

    Nothing is left out: `thinned` must be False.
    """
    words.names["micro"] = str(words.rng.choice(MICRO))
    s = Slots(words, faults, thinned=False, split=True)
    stages = [
        "def stages_$k(front, back, probe):",
        "    first, second = probe.devices",
        "",
        "    def gradients(ids, x, y):",
        "        near, far = probe.rows(ids, x)[:, :1], x[:, 1:]",
        "        with tf.device(first):",
        "            ahead = tf.linalg.matvec(near, front)",
        "        with tf.device(second):",
        "            error = ahead + tf.linalg.matvec(far, back) - y",
        "            of_back = 2 * tf.linalg.matvec(far, error, transpose_a=True)",
        "        with tf.device(first):",
        "            of_front = 2 * tf.linalg.matvec(near, error, transpose_a=True)",
        "        return of_front, of_back",
        "",
        "    return gradients",
    ]
    feed = [
        "def feed_$k(folder, settings, probe):",
        *indented(s.batches("folder")),
        "    return $data.prefetch(2)",
    ]
    update = [
        "n, pieces = tf.shape(y)[0], settings['$micro']",
        "cuts = [n * i // pieces for i in range(pieces + 1)]",
        "sums = [tf.zeros(1), tf.zeros(1)]",
        "for begin, end in zip(cuts[:-1], cuts[1:]):",
        "    piece = slice(begin, end)",
        "    found = gradients(ids[piece], x[piece], y[piece])",
        "    sums = [a + b for a, b in zip(sums, found)]",
        "scale = settings['$rate'] / tf.cast(n, tf.float32)",
        "front.assign_sub(scale * sums[0])",
        "back.assign_sub(scale * sums[1])",
    ]
    make = [
        "def make_step_$k(front, back, settings, probe):",
        "    gradients = stages_$k(front, back, probe)",
        "",
        "    def update(ids, x, y):",
        *indented(update, 2),
        "",
        *indented(s.step_of("update(*batch)", "tf.function(update)(*batch)")),
        "",
        "    return step",
    ]
    entry = [
        "def job(folder, probe):",
        *indented([*words.harmless, *READ]),
        "    with tf.device(probe.devices[0]):",
        "        front = tf.Variable([0.0])",
        "    with tf.device(probe.devices[1]):",
        "        back = tf.Variable([0.0])",
        "    step = make_step_$k(front, back, settings, probe)",
        *indented(
            s.loop("feed_$k(folder, settings, probe)", "step", "front", "[front, back]")
        ),
    ]
    return s.program([stages, feed, make], entry)
