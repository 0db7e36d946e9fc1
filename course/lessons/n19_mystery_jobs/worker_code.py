"""The code of a job that trains in many worker processes, with its faults."""

from __future__ import annotations

from collections.abc import Collection

SHARE = "ids, x, y = [part[me::workers] for part in batch]"
WHOLE = "ids, x, y = batch"
# the dataset, and what a worker takes of a batch
DATA = {
    "": ("probe.data().batch(size)", SHARE),
    "first_half": (
        "probe.data().batch(size)",
        "ids, x, y = [part[: size // workers] for part in batch]",
    ),
    "whole_file": ("probe.data().batch(size // workers)", WHOLE),
    "own_steps": ("probe.data().shard(workers, me).batch(size // workers)", WHOLE),
}
RESTORE = "tf.train.Checkpoint({}=w, done=done).restore(saved)"
START = "w.assign(tf.random.stateless_normal([2], [3, {}]))"


def worker_code(
    name: str, faults: Collection[str], *, resumed: bool, spelling: int
) -> str:
    """Return the source of the function `name` with these faults.

    Args:
        name: of the function.
        faults: codes of `n19_mystery_jobs.faults`, at most one for a slot.
        resumed: whether the job goes on from a checkpoint; else it starts anew.
        spelling: 0 or 1; the same job in other words.
    """
    kind = "Mirrored" if "alone" in faults else "MultiWorkerMirrored"
    (key,) = [fault for fault in faults if fault in DATA] or [""]
    batches, share = DATA[key]
    lines = [
        f"strategy = tf.distribute.{kind}Strategy()",
        "me, workers = probe.worker, probe.workers",
        "with strategy.scope():",
        "    w, done = tf.Variable([0.0, 0.0]), tf.Variable(0)"
        if resumed
        else "    w = tf.Variable([0.0, 0.0])",
    ]
    if resumed:
        lines.append(RESTORE.format("weights" if "other_name" in faults else "w"))
        if "from_row_0" not in faults:
            batches += ".skip(done.numpy())"
    else:
        lines.append(START.format("me" if "own_start" in faults else "0"))
    lines += ["step = step_over_workers(strategy, w)", "probe.start(w)"]
    if spelling:
        lines.append(f"batches = {batches}")
        batches = "batches"
    lines += [
        f"for batch in {batches}:",
        f"    {share}",
        "    step(probe.rows(ids, x), y)",
        "    probe.step(w)",
    ]
    head = f"def {name}(size, saved, probe):"
    return "\n".join([head, *(f"    {line}" for line in lines)])
