"""Count the rows each replica works on, read from the graph TensorFlow traces."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import tensorflow as tf

MANY = 40  # rows of a replica: more numbers than any message that needs no rows

# by the function, and the shapes but for the rows: trace and read it once
_known: WeakKeyDictionary = WeakKeyDictionary()


def examples_per_replica(
    strategy: tf.distribute.Strategy, run_step, args: tuple, devices: list[str]
) -> tuple[int, ...]:
    """Return each replica's own rows; those of all, where what is sent grows with them.

    Args:
        strategy: of the replicas.
        run_step: a `tf.function` that calls `strategy.run`.
        args: its arguments, one value for each replica; the first axis is the rows.
        devices: the replicas' devices, such as `["CPU:0", "CPU:1"]`.
    """
    own = [len(part) for part in strategy.experimental_local_results(args[0])]
    if len(devices) > 1 and _grows(strategy, run_step, args, devices):
        return (sum(own),) * len(own)
    return tuple(own)


def _grows(strategy, run_step, args: tuple, devices: list[str]) -> bool:
    known = _known.setdefault(run_step, {})
    parts = [strategy.experimental_local_results(arg)[0] for arg in args]
    kinds = tuple((part.dtype, tuple(part.shape[1:])) for part in parts)
    if kinds not in known:
        many = [
            np.zeros((MANY, *shape), dtype.as_numpy_dtype) for dtype, shape in kinds
        ]
        known[kinds] = _longest_message(strategy, run_step, many, devices) >= MANY
    return known[kinds]


def _longest_message(strategy, run_step, rows: list[np.ndarray], devices) -> int:
    """Return how many numbers a replica sends at most, where each has these rows."""
    values = [
        strategy.experimental_distribute_values_from_function(
            lambda _, part=part: tf.constant(part)
        )
        for part in rows
    ]
    try:
        traced = run_step.get_concrete_function(*values)
    except Exception:  # it may be right for the rows that there are
        return 0
    owners = [replica for _ in rows for replica in range(len(devices))]
    sources = {
        tensor.op: frozenset([owner])
        for tensor, owner in zip(traced.inputs, owners, strict=False)
    }
    longest = 0
    for operation in traced.graph.get_operations():
        taken = [(t, sources.get(t.op, frozenset())) for t in operation.inputs]
        sources.setdefault(operation, frozenset().union(*(own for _, own in taken)))
        if operation.type == "Identity":  # as for what a step returns
            continue
        device = ":".join(operation.device.rsplit(":", 2)[-2:])
        sends = operation.type.startswith(("Collective", "Nccl"))
        for tensor, own in taken:
            # what comes from several replicas was sent before
            if len(own) == 1 and (sends or device != devices[min(own)]):
                longest = max(longest, _size(tensor))
    return longest


def _size(tensor: tf.Tensor) -> int:
    numbers = tensor.shape.num_elements()
    return MANY if numbers is None else numbers
