"""Answers to 18/my_resumable, right and wrong, and what the check says of each."""

import json
import os
import pickle
import sys
import time
from pathlib import Path

import numpy as np
import tensorflow as tf

from autograder.answers import changed, crashed, right, wrong


def _restored(folder, **parts):
    checkpoint = tf.train.Checkpoint(**parts)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    return manager


@right
def before_the_step(folder, batches, w, momentum, step, every):
    """It saves at the beginning of a step what was done until then."""
    done = tf.Variable(0)
    manager = _restored(folder, w=w, momentum=momentum, done=done)
    for k in range(int(done), len(batches)):
        if k % every == 0:
            done.assign(k)
            manager.save()
        step(*batches[k])


@right
def checkpoint_write(folder, batches, w, momentum, step, every):
    """Checkpoint.write, always to one name."""
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, m=momentum, done=done)
    path = os.path.join(folder, "state")
    if os.path.exists(path + ".index"):
        checkpoint.read(path).assert_consumed()
    for k, (x, y) in enumerate(batches):
        if k < int(done):
            continue
        step(x, y)
        done.assign(k + 1)
        if (k + 1) % every == 0:
            checkpoint.write(path)


@right
def resume_json(folder, batches, w, momentum, step, every):
    """By hand: JSON, written anew and moved."""
    place = Path(folder) / "state.json"
    state = {"next": 0, "w": [0.0, 0.0], "m": [0.0, 0.0]}
    if place.exists():
        state = json.loads(place.read_text())
    w.assign(state["w"])
    momentum.assign(state["m"])

    def save(number):
        told = {"next": number, "w": w.numpy().tolist(), "m": momentum.numpy().tolist()}
        part = place.with_suffix(".part")
        part.write_text(json.dumps(told))
        part.rename(place)

    for k, (x, y) in enumerate(batches[state["next"] :], state["next"]):
        step(x, y)
        if not (k + 1) % every:
            save(k + 1)


@right
def resume_manager(folder, batches, w, momentum, step, every):
    """CheckpointManager, all in one."""
    done = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum, done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()


@right
def names_by_step(folder, batches, w, momentum, step, every):
    """One file for each step; the newest whole one counts."""
    found = sorted(Path(folder).glob("step-*.npy"))
    start = 0
    if found:
        start = int(found[-1].stem.split("-")[1])
        state = np.load(found[-1])
        w.assign(state[0])
        momentum.assign(state[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            part = Path(folder) / "part.npy"
            np.save(part, np.stack([w.numpy(), momentum.numpy()]))
            part.rename(Path(folder) / f"step-{k + 1:06d}.npy")


@right
def npz(folder, batches, w, momentum, step, every):
    """A file of NumPy, put in its place in one go."""
    path = os.path.join(folder, "state.npz")
    start = 0
    if os.path.exists(path):
        with np.load(path) as state:
            w.assign(state["w"])
            momentum.assign(state["momentum"])
            start = int(state["start"])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            new = os.path.join(folder, "new.npz")
            np.savez(new, w=w.numpy(), momentum=momentum.numpy(), start=k + 1)
            os.replace(new, path)


@right
def number_in_the_name(folder, batches, w, momentum, step, every):
    """The step is the checkpoint's number."""
    checkpoint = tf.train.Checkpoint(w=w, momentum=momentum)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)
    start = 0
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)
        start = int(manager.latest_checkpoint.rsplit("-", 1)[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save(checkpoint_number=k + 1)


@right
def resume_pointer(folder, batches, w, momentum, step, every):
    """Weights under a new name first; then a file says which ones hold."""
    pointer = os.path.join(folder, "latest")
    start = 0
    if os.path.exists(pointer):
        with open(pointer) as file:
            start = int(file.read())
        w.assign(np.load(os.path.join(folder, f"w{start}.npy")))
        momentum.assign(np.load(os.path.join(folder, f"m{start}.npy")))
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            np.save(os.path.join(folder, f"w{k + 1}.npy"), w.numpy())
            np.save(os.path.join(folder, f"m{k + 1}.npy"), momentum.numpy())
            with open(pointer + ".new", "w") as file:
                file.write(str(k + 1))
            os.replace(pointer + ".new", pointer)


@right
def restore_or_initialize(folder, batches, w, momentum, step, every):
    """The manager restores; it saves after every step."""
    done = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(state=[w, momentum], done=done)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    manager.restore_or_initialize()
    while int(done) < len(batches):
        x, y = batches[int(done)]
        step(x, y)
        done.assign_add(1)
        manager.save()


@wrong("one_step_twice")
def assigned_after(folder, batches, w, momentum, step, every):
    """The number is right only after the checkpoint is saved."""
    done = tf.Variable(0)
    manager = _restored(folder, w=w, momentum=momentum, done=done)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save()
        done.assign(k + 1)


@wrong("saved_at_the_end")
@changed(resume_manager, ("(k + 1) % every == 0", "k + 1 == len(batches)"))
def at_the_end():
    """It saves at the end only."""


@wrong("state_in_2_lines_then_step")
def both_moved(folder, batches, w, momentum, step, every):
    """Each file moved into its place, one after the other."""
    places = [os.path.join(folder, name) for name in ("state.npy", "step.npy")]
    new = os.path.join(folder, "new.npy")
    start = 0
    if os.path.exists(places[1]):
        state, start = np.load(places[0]), int(np.load(places[1]))
        w.assign(state[0])
        momentum.assign(state[1])
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            np.save(new, np.stack([w.numpy(), momentum.numpy()]))
            os.replace(new, places[0])
            np.save(new, k + 1)
            os.replace(new, places[1])


@wrong("counted_anew")
@changed(
    resume_manager,
    (
        "k in range(int(done), len(batches))",
        "k, batch in enumerate(batches[int(done) :])",
    ),
    ("*batches[k]", "*batch"),
)
def counted_anew():
    """enumerate counts from 0 after a start."""


@wrong("batches_from_the_first")
def data_again(folder, batches, w, momentum, step, every):
    """An iterator over the batches starts anew."""
    done = tf.Variable(0)
    manager = _restored(folder, w=w, momentum=momentum, done=done)
    data = iter(batches)
    while int(done) < len(batches):
        step(*next(data))
        done.assign_add(1)
        if int(done) % every == 0:
            manager.save()


@crashed
def endless(folder, batches, w, momentum, step, every):
    """The loop has no end."""
    while True:
        for x, y in batches:
            step(x, y)


@crashed
def exits(folder, batches, w, momentum, step, every):
    """It ends its process."""
    for x, y in batches:
        step(x, y)
    sys.exit()


KEPT = {}


@wrong("never_saved")
def in_memory(folder, batches, w, momentum, step, every):
    """It keeps its state in memory, which a kill takes away."""
    start, weights, before = KEPT.get(folder, (0, w.numpy(), momentum.numpy()))
    w.assign(weights)
    momentum.assign(before)
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            KEPT[folder] = k + 1, w.numpy(), momentum.numpy()


@wrong("one_step_left_out")
@changed(
    resume_manager, ("Variable(0)", "Variable(-1)"), ("int(done)", "int(done) + 1")
)
def left_out():
    """It goes on one too late."""


@wrong("momentum_lost")
@changed(resume_manager, ("momentum=momentum, ", ""))
def momentum_lost():
    """The momentum is not saved."""


@wrong
@changed(
    both_moved,
    (
        "os.replace(new, places[0])\nnp.save(new, k + 1)",
        "np.save(later, k + 1)\nos.replace(new, places[0])",
    ),
    ("os.replace(new, places[1])", "os.replace(later, places[1])"),
    ('"new.npy")', '"new.npy")\nlater = os.path.join(folder, "later.npy")'),
)
def moved_together():
    """Both files are written first, and then both are moved."""


@wrong("never_restored")
@changed(resume_manager, ("checkpoint.restore(manager.latest_checkpoint)", ""))
def never_read():
    """It saves all, and reads nothing."""


@crashed
@changed(
    resume_manager,
    ("restore(manager.latest_checkpoint)", "read(manager.checkpoints[-1])"),
)
def no_checkpoint_yet():
    """It expects a checkpoint at the first start."""


@wrong
def nothing(folder, batches, w, momentum, step, every):
    """It makes no step."""
    return w, momentum


@crashed
@changed(resume_manager, ("step(*batches[k])", "step(k)"))
def number_for_batch():
    """step gets the number, not the batch."""


@wrong("state_then_step_in_1_line")
def one_line(folder, batches, w, momentum, step, every):
    """Two files are written on one line."""
    manager = _restored(folder, w=w, momentum=momentum)
    file = Path(folder, "step.txt")
    first = int(file.read_text()) if file.exists() else 0
    for k in range(first, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            _ = manager.save(), file.write_text(str(k + 1))


@wrong("never_restored")
@changed(
    resume_manager,
    (
        "checkpoint.restore(manager.latest_checkpoint)",
        "read = tf.train.Checkpoint(weights=w, velocity=momentum, step=done)\n"
        "read.restore(manager.latest_checkpoint).expect_partial()",
    ),
)
def other_names():
    """It saves under other names than it reads: silently nothing."""


@wrong("never_saved")
def over_again(folder, batches, w, momentum, step, every):
    """Nothing is saved."""
    for x, y in batches:
        step(x, y)


@wrong("weights_only")
@changed(resume_manager, (", momentum=momentum, done=done", ""))
def same_result():
    """Written in another way, wrong in the same."""


@wrong("saved_before_the_step")
def saved_early(folder, batches, w, momentum, step, every):
    """It saves before the step as if it were made."""
    done = tf.Variable(0)
    manager = _restored(folder, w=w, momentum=momentum, done=done)
    for k in range(int(done), len(batches)):
        done.assign(k + 1)
        if (k + 1) % every == 0:
            manager.save()
        step(*batches[k])


@wrong("state_then_step_in_3_lines")
def state_then_step(folder, batches, w, momentum, step, every):
    """Weights and step in two files."""
    manager = _restored(folder, w=w, momentum=momentum)
    place = os.path.join(folder, "step.txt")
    start = 0
    if os.path.exists(place):
        with open(place) as file:
            start = int(file.read())
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save()
            with open(place + ".new", "w") as file:
                file.write(str(k + 1))
            os.replace(place + ".new", place)


@wrong("state_then_step_in_2_lines")
def step_in_a_text(folder, batches, w, momentum, step, every):
    """A checkpoint, then a text that is moved."""
    manager = _restored(folder, w=w, momentum=momentum)
    place = Path(folder) / "step.txt"
    start = int(place.read_text()) if place.exists() else 0
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            manager.save()
            (Path(folder) / "new.txt").write_text(str(k + 1))
            (Path(folder) / "new.txt").rename(place)


@wrong("step_lost")
@changed(resume_manager, (", done=done", ""))
def step_lost():
    """Momentum comes back, the step does not."""


@wrong("step_only")
@changed(resume_manager, ("w=w, momentum=momentum, ", ""))
def step_only():
    """Only the step."""


@wrong("step_in_3_lines_then_state")
@changed(
    state_then_step,
    ("manager.save()\nwith", "with"),
    (
        'os.replace(place + ".new", place)',
        'os.replace(place + ".new", place)\nmanager.save()',
    ),
)
def step_then_state():
    """The step first, by hand, then the weights."""


@wrong("weights_then_the_rest")
def three_files(folder, batches, w, momentum, step, every):
    """Each thing in a checkpoint of its own."""
    done = tf.Variable(0)
    parts = {"w": w, "momentum": momentum, "done": done}
    for name, part in parts.items():
        path = os.path.join(folder, name)
        if os.path.exists(path + ".index"):
            tf.train.Checkpoint(part=part).read(path)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            for name, part in parts.items():
                tf.train.Checkpoint(part=part).write(os.path.join(folder, name))


@wrong("every_second_time")
@changed(resume_manager, ("(k + 1) % every == 0", "(k + 1) % (2 * every) == 0"))
def too_rarely():
    """Every second interval."""


@crashed
@changed(
    npz,
    ('new = os.path.join(folder, "new.npz")', ""),
    ("np.savez(new,", "np.savez(path,"),
    ("os.replace(new, path)", ""),
)
def torn_npz():
    """It writes over its only file, and is killed in the middle."""


@crashed
def torn_pickle(folder, batches, w, momentum, step, every):
    """It opens its only file for writing; that empties it."""
    path = os.path.join(folder, "state.pickle")
    start = 0
    if os.path.exists(path):
        with open(path, "rb") as file:
            start, weights, before = pickle.load(file)
        w.assign(weights)
        momentum.assign(before)
    for k in range(start, len(batches)):
        step(*batches[k])
        if (k + 1) % every == 0:
            with open(path, "wb") as file:
                pickle.dump((k + 1, w.numpy(), momentum.numpy()), file)


@wrong("state_then_step")
def two_managers(folder, batches, w, momentum, step, every):
    """Two checkpoints, one after the other."""
    done = tf.Variable(0)
    state = _restored(os.path.join(folder, "state"), w=w, momentum=momentum)
    position = _restored(os.path.join(folder, "position"), done=done)
    for k in range(int(done), len(batches)):
        step(*batches[k])
        done.assign(k + 1)
        if (k + 1) % every == 0:
            state.save()
            position.save()


@wrong("step_then_state")
@changed(
    two_managers, ("state.save()\nposition.save()", "position.save()\nstate.save()")
)
def two_managers_turned():
    """Two checkpoints, the step first."""


@crashed
def waits(folder, batches, w, momentum, step, every):
    """It waits for a file that nobody writes."""
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.1)


@wrong("weights_lost")
@changed(resume_manager, ("w=w, ", ""))
def weights_lost():
    """The momentum comes back, the weights do not."""


@wrong("step_in_2_lines_then_state")
@changed(
    step_in_a_text,
    ("manager.save()\n(Path", "(Path"),
    ("rename(place)", "rename(place)\nmanager.save()"),
)
def text_moved_first():
    """A text that is moved, then a checkpoint."""


@wrong("never_saved")
@changed(resume_json, ('Path(folder) / "state.json"', 'Path(folder + "-state.json")'))
def beside_the_folder():
    """What it saves lies beside the folder, where a new machine does not have it."""


@wrong("never_saved")
@changed(
    resume_json, ('Path(folder) / "state.json"', 'Path(folder).parent / "state.json"')
)
def above_the_folder():
    """The same, in the folder above."""
