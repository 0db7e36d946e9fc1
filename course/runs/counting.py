"""Count the rows each replica works on, read from the graph TensorFlow traces."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
import tensorflow as tf

MANY = 40  # rows of a replica: more numbers than any message that needs no rows

# by the function, and shapes: trace and read it once
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
    parts = [strategy.experimental_local_results(arg)[0] for arg in args]
    kinds = tuple((part.dtype, tuple(part.shape[1:])) for part in parts)

    def longest(rows: int) -> int | None:
        known = _known.setdefault(run_step, {})
        if (rows, kinds) not in known:
            many = [np.zeros((rows, *more), d.as_numpy_dtype) for d, more in kinds]
            found = _longest_message(strategy, run_step, many, devices)
            known[rows, kinds] = found
        return known[rows, kinds]

    if len(devices) > 1 and _grows(longest, max(1, *own)):
        return (sum(own),) * len(own)
    return tuple(own)


def _grows(longest: Callable[[int], int | None], own: int) -> bool:
    """Whether more rows make a longer message: of many rows, or of those there are.

    longest: rows of a replica -> the most numbers it sends; None if that stops.
    """
    many = longest(MANY)
    if many is not None and many >= MANY:
        return True
    fewer, more = sorted((own, own - 1 or 2))
    sent = longest(fewer), longest(more)
    return None not in sent and sent[0] < sent[1]


def _longest_message(strategy, run_step, rows: list[np.ndarray], devices) -> int | None:
    """Return how many numbers a replica sends at most, where each has these rows.

    None where the step can't be traced with them.
    """
    values = [
        strategy.experimental_distribute_values_from_function(
            lambda _, part=part: tf.constant(part)
        )
        for part in rows
    ]
    try:
        traced = run_step.get_concrete_function(*values)
    except Exception:  # it may be right for the rows that there are
        return None
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
