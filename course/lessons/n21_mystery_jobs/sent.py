"""How often, and how much, replicas and workers send to each other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import tensorflow as tf
from tensorflow.python.framework import ops

MANY = 10**6  # of a tensor whose shape nobody knows before it is sent
Context = tf.distribute.ReplicaContext


class Sent:
    """Counts the calls that replica 0 makes; the others make the same.

    gathered: whether a replica gathered more than one entry of each, which is rows.

    What a graph sends is counted when it is made, and holds until another one that
    sends something is made: a job has one, or two where the last batch is smaller.
    Between workers, a sum outside of it counts too, as of a variable that is summed
    when it is read; in one process that is an addition on the host.
    """

    def __init__(self, *, between_workers: bool = False) -> None:
        self.gathered, self._between_workers = False, between_workers
        self._lock = threading.Lock()
        self._graph: object = None
        self._calls: list[int] = []  # numbers of each call
        self._outside: list[int] = []  # the same, of sums of the whole strategy

    def step(self) -> tuple[int, int]:
        """Return the messages and numbers of the step that has ended."""
        with self._lock:
            calls = [*self._calls, *self._outside]
            self._outside = []
            seen = len(calls), sum(calls)
            if self._graph is None:
                self._calls = []
            return seen

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count in the block."""
        reduce, gather = Context.all_reduce, Context.all_gather
        whole = tf.distribute.Strategy.reduce

        def reducing(context: Any, reduce_op: Any, value: Any, options: Any = None):
            self._note(context, value)
            return reduce(context, reduce_op, value, options)

        def gathering(context: Any, value: Any, axis: Any, options: Any = None):
            gathered = gather(context, value, axis, options)  # may refuse it
            entries = [tensor.shape[axis] for tensor in tf.nest.flatten(value)]
            self.gathered |= any(count != 1 for count in entries)
            self._note(context, value)
            return gathered

        def reducing_whole(strategy: Any, reduce_op: Any, value: Any, axis: Any):
            reduced = whole(strategy, reduce_op, value, axis)
            if self._between_workers and tf.executing_eagerly():
                sizes = [tf.size(each).numpy() for each in tf.nest.flatten(reduced)]
                with self._lock:
                    self._outside.append(int(sum(sizes)))
            return reduced

        with (
            mock.patch.object(Context, "all_reduce", reducing),
            mock.patch.object(Context, "all_gather", gathering),
            mock.patch.object(tf.distribute.Strategy, "reduce", reducing_whole),
        ):
            yield

    def _note(self, context: Any, value: Any) -> None:
        if tf.get_static_value(context.replica_id_in_sync_group) not in (0, None):
            return
        graph = ops.get_default_graph() if not tf.executing_eagerly() else None
        sizes = [
            tf.convert_to_tensor(each).shape.num_elements()
            for each in tf.nest.flatten(value)
        ]
        with self._lock:
            if graph is not None and graph is not self._graph:
                self._calls = []
            self._graph = graph
            self._calls.append(sum(MANY if size is None else size for size in sizes))
