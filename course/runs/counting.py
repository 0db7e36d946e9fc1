"""Count the rows each replica works on, read from the graph TensorFlow traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

import numpy as np
import tensorflow as tf

MANY = 40  # rows of a replica: more numbers than any message that needs no rows

CALLS = {"PartitionedCall", "StatefulPartitionedCall"}
# what a step returns, and what looks at numbers for a person
LOOKS = {"Identity", "PrintV2", "StringFormat", "CheckNumerics", "CheckNumericsV2"}
LOOKS |= {"DebugIdentityV2", "DebugIdentityV3", "DebugNumericSummaryV2"}

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
    inputs = zip(traced.inputs, owners, strict=False)
    sources = {tensor.op: frozenset([owner]) for tensor, owner in inputs}
    return max(_sizes_sent(traced.graph, sources, devices), default=0)


def _sizes_sent(
    graph: tf.Graph, sources: dict, devices: list[str], *, called: bool = False
) -> Iterator[int]:
    """Yield how many numbers each tensor has that leaves the replica it is made of.

    Args:
        graph: what all replicas do, or a function that they call.
        sources: operation -> the replicas it is made of; of the graph's inputs.
        devices: of the replicas.
        called: whether one replica calls it: then no device means the caller's.
    """
    for operation in graph.get_operations():
        taken = [(t, sources.get(t.op, frozenset())) for t in operation.inputs]
        sources.setdefault(operation, frozenset().union(*(own for _, own in taken)))
        if operation.type in CALLS:
            inner = graph._get_function(operation.get_attr("f").name).graph
            given = zip(inner.inputs, (own for _, own in taken), strict=False)
            of_inner = {tensor.op: own for tensor, own in given}
            alone = called or len(frozenset().union(*of_inner.values())) == 1
            yield from _sizes_sent(inner, of_inner, devices, called=alone)
            continue
        if operation.type in LOOKS:
            continue
        device = ":".join(operation.device.rsplit(":", 2)[-2:])
        sends = operation.type.startswith(("Collective", "Nccl"))
        for tensor, own in taken:
            elsewhere = device != devices[min(own)] if own else False
            # what comes from several replicas was sent before
            if len(own) == 1 and (sends or (elsewhere and (device or not called))):
                yield _size(tensor)


def _size(tensor: tf.Tensor) -> int:
    numbers = tensor.shape.num_elements()
    return MANY if numbers is None else numbers
