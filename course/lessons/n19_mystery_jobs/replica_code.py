"""The code of a job that trains on the replicas of one process, with its faults."""

from __future__ import annotations

from collections.abc import Collection

DISTRIBUTED = "strategy.experimental_distribute_dataset(batches)"
BATCHES = {
    "": "data.batch(size)",
    "same_batch": "data.batch(size)",
    "dropped_tail": "data.batch(size, drop_remainder=True)",
    "sharded_twice": "data.shard(strategy.num_replicas_in_sync, 0).batch(size)",
    "larger_batch": "data.batch(size * strategy.num_replicas_in_sync)",
}
CONTEXT = "context = tf.distribute.get_replica_context()"
BOTH = 'total, rows = context.all_reduce("SUM", [total, rows])'
UPDATES = {
    "": (CONTEXT, BOTH, "w.assign_sub(0.1 * total / rows)"),
    "own_gradient": ("w.assign_sub(0.1 * total / rows)",),
    "sum_of_means": (
        CONTEXT,
        'w.assign_sub(0.1 * context.all_reduce("SUM", total / rows))',
    ),
    "mean_of_means": (
        CONTEXT,
        'w.assign_sub(0.1 * context.all_reduce("MEAN", total / rows))',
    ),
    "fixed_size": (
        CONTEXT,
        'total = context.all_reduce("SUM", total)',
        "w.assign_sub(0.1 * total / size)",
    ),
}
CHOOSE = "ids, x, y = [tf.boolean_mask(part, keep) for part in (ids, x, y)]"
DRAW = "keep = tf.random.stateless_uniform(tf.shape(ids), [7, {}]) < 0.8"
THINNING = {
    "": ("keep = tf.map_fn(keeps, ids, fn_output_signature=tf.bool)", CHOOSE),
    "same_mask": (DRAW.format("0"), CHOOSE),
    "replica_mask": (
        "me = tf.distribute.get_replica_context().replica_id_in_sync_group",
        DRAW.format("me"),
        CHOOSE,
    ),
}
SUMS = "total, rows = sums(w, probe.rows(ids, x), y)"
GUARD = 'assert np.isfinite(w.numpy()).all(), "training diverged"'


def replica_code(
    name: str, faults: Collection[str], *, thinned: bool, spelling: int
) -> str:
    """Return the source of the function `name` with these faults.

    Args:
        name: of the function.
        faults: codes of `n19_mystery_jobs.faults`, at most one for a slot.
        thinned: whether the job leaves rows out.
        spelling: 0 or 1; the same job in other words.
    """

    def chosen(table: dict) -> object:
        (key,) = [fault for fault in faults if fault in table] or [""]
        return table[key]

    body = list(chosen(THINNING)) if thinned else []
    if "pinned" in faults:
        body += ['with tf.device("CPU:0"):', f"    {SUMS}"]
    else:
        body.append(SUMS)
    body += chosen(UPDATES)
    lines = [f"def {name}(strategy, w, data, size, probe):"]
    lines.append("    def replica_step(ids, x, y):")
    lines += [f"        {line}" for line in body]
    lines.append("")
    step, call = _step(faults, bool(spelling) or thinned)
    lines += [f"    {line}" for line in step]
    if step:
        lines.append("")
    lines.append(f"    batches = {chosen(BATCHES)}")
    shares = "batches" if "same_batch" in faults else DISTRIBUTED
    if "step_number" in faults:
        lines.append(f"    for number, batch in enumerate({shares}):")
    else:
        lines.append(f"    for batch in {shares}:")
    loop = [call, *([GUARD] if "host_read" in faults else []), "probe.step(w)"]
    return "\n".join([*lines, *(f"        {line}" for line in loop)])


def _step(faults: Collection[str], short: bool) -> tuple[list[str], str]:
    """Return the definition of the step, and the line that calls it."""
    run = "strategy.run(replica_step, args=batch)"
    if "new_function" in faults:
        return [], "tf.function(strategy.run)(replica_step, args=batch)"
    if "eager" in faults:
        return [], run
    if "step_number" in faults:
        check = 'tf.debugging.assert_all_finite(w, f"weights before step {number}")'
        head = ["@tf.function", "def step(number, *batch):"]
        return [*head, f"    {check}", f"    {run}"], "step(number, *batch)"
    if short:
        return [f"step = tf.function(lambda *batch: {run})"], "step(*batch)"
    return ["@tf.function", "def step(*batch):", f"    {run}"], "step(*batch)"
