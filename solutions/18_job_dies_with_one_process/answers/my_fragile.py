"""Answers to 18/my_fragile, right and wrong, and what the check says of each."""

import json
import os
from pathlib import Path

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


@right
def step_first(folder, batches, w, momentum, step, every):
    """Two files by hand; the step's is written first."""
    place, state = Path(folder, "step"), Path(folder, "state.npy")
    first = 0
    if place.exists() and state.exists():
        first = int(place.read_text())
        kept = np.load(state)
        w.assign(kept[0])
        momentum.assign(kept[1])
    for k in range(first, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            place.write_text(str(k + 1))
            np.save(state, np.array([w.numpy(), momentum.numpy()]))


@right
def moved(folder, batches, w, momentum, step, every):
    """Each file comes in one piece, but they are two."""
    paths = [os.path.join(folder, name) for name in ("state.json", "next.json")]
    first = 0
    if all(map(os.path.exists, paths)):
        with open(paths[0]) as file:
            state = json.load(file)
        with open(paths[1]) as file:
            first = json.load(file)
        w.assign(state["w"])
        momentum.assign(state["m"])
    for k in range(first, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            state = {"w": w.numpy().tolist(), "m": momentum.numpy().tolist()}
            for path, value in zip(paths, (state, k + 1), strict=True):
                with open(path + ".new", "w") as file:
                    json.dump(value, file)
                os.replace(path + ".new", path)


@right
def weights_apart(folder, batches, w, momentum, step, every):
    """The weights in one checkpoint, the rest in another."""
    done = tf.Variable(0)
    one = tf.train.Checkpoint(w=w)
    rest = tf.train.Checkpoint(m=momentum, done=done)
    paths = [os.path.join(folder, name) for name in ("weights", "rest")]
    for checkpoint, path in zip((one, rest), paths, strict=True):
        if os.path.exists(path + ".index"):
            checkpoint.read(path)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            one.write(paths[0])
            rest.write(paths[1])


@wrong("never_saved")
def unsaved(folder, batches, w, momentum, step, every):
    """Nothing is saved."""
    for batch in batches:
        step(*batch)


@wrong("in_one_piece")
def whole(folder, batches, w, momentum, step, every):
    """A right my_resumable."""
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()


@wrong("step_lost")
@changed(whole, ("momentum=momentum, done=done", "momentum=momentum"))
def step_lost():
    """The step is not saved."""


@wrong("weights_only")
@changed(whole, ("w=w, momentum=momentum, done=done", "w=w"))
def weights_only():
    """Only the weights."""


@wrong("momentum_lost")
@changed(whole, ("momentum=momentum, ", ""))
def momentum_lost():
    """No momentum."""


@wrong("weights_lost")
@changed(whole, ("w=w, ", ""))
def weights_lost():
    """No weights."""


@wrong("one_step_twice")
@changed(whole, ("done.assign(k + 1)", "done.assign(k)"))
def one_step_twice():
    """The step just made is saved as the next."""


@wrong("never_saved")
@changed(whole, ("(k + 1) % every == 0", "k + 1 == len(batches)"))
def at_the_end():
    """One save, at the end."""


@wrong("noticed")
def torn(folder, batches, w, momentum, step, every):
    """A marker that a save has begun: the next start refuses to go on."""
    marker, state = Path(folder, "saving"), Path(folder, "state.npy")
    first = 0
    if marker.exists():
        raise RuntimeError("killed in a save")
    if state.exists():
        kept = np.load(state)
        first = int(kept[0, 0])
        w.assign(kept[1])
        momentum.assign(kept[2])
    for k in range(first, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            marker.touch()
            np.save(state, np.array([[k + 1, 0], w.numpy(), momentum.numpy()]))
            marker.unlink()


@crashed
@changed(whole, ("momentum=momentum", "momentum=moment"))
def unknown():
    """A name that does not exist."""
