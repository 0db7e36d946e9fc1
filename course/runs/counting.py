"""Count the rows each replica works on, read from the graph TensorFlow runs."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import tensorflow as tf

# a graph is the same in every step with the same shapes: read it once
_counted: WeakKeyDictionary[tf.Graph, tuple[int, ...]] = WeakKeyDictionary()


def examples_per_replica(run_step, args: tuple, devices: list[str]) -> tuple[int, ...]:
    """Return the longest axis of any tensor that operations on each device take in.

    Operations in a replica's step take its own rows, a weight vector or one value a
    replica; a longer axis means that rows came from the other replicas.

    Args:
        run_step: a `tf.function` that calls `strategy.run`.
        args: its arguments; a new shape is traced, a known one costs nothing.
        devices: the replicas' devices, such as `["CPU:0", "CPU:1"]`.
    """
    graph = run_step.get_concrete_function(*args).graph
    if graph not in _counted:
        _counted[graph] = _count(graph, devices)
    return _counted[graph]


def _count(graph: tf.Graph, devices: list[str]) -> tuple[int, ...]:
    longest = dict.fromkeys(devices, 0)
    for operation in graph.get_operations():
        device = ":".join(operation.device.rsplit(":", 2)[-2:])
        if device in longest:
            sizes = [_longest_axis(tensor.shape) for tensor in operation.inputs]
            longest[device] = max([longest[device], *sizes])
    return tuple(longest[device] for device in devices)


def _longest_axis(shape: tf.TensorShape) -> int:
    return max([size or 0 for size in shape] if shape.rank else [0])
