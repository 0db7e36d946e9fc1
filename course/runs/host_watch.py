"""What a program makes the host do: values it reads from tensors, graphs it traces."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import tracing_compilation
from tensorflow.python.framework import ops
from tensorflow.python.ops import string_ops

# with these of NumPy, people look at a tensor; they read its memory themselves
LOOKS = ("isfinite", "isnan", "isinf", "abs", "max", "min", "sum", "mean", "all", "any")


@dataclass
class HostWatch:
    """What was seen so far in a `watching_host` block.

    on_read, on_trace: called at each read, and at the beginning of each trace.
    reads: how often a value went from a tensor to Python, except while tracing.
    traces: of each graph that was made, the `tf.function` (its cache) it belongs to.
    tracing: the same of those that are being made now, the innermost last.
    """

    on_read: Callable[[], None]
    on_trace: Callable[[], None]
    reads: int = 0
    traces: list[object] = field(default_factory=list)
    tracing: list[object] = field(default_factory=list)

    def note_read(self) -> None:
        """Count a read; TensorFlow's own reads of constants in a trace do not count."""
        if not self.tracing:
            self.reads += 1
            self.on_read()


@contextmanager
def watching_host(
    on_read: Callable[[], None] = lambda: None,
    on_trace: Callable[[], None] = lambda: None,
) -> Iterator[HostWatch]:
    """Watch reads and traces of the whole process in the block.

    `numpy()`, `float`, `int`, `bool`, `print` and formats all come to one method of
    TensorFlow's; `np.asarray`, `np.array`, `np.frombuffer`, `memoryview` and DLPack
    read a tensor's memory without it, so they are watched too, as are LOOKS, and
    `tf.print` outside of graphs. Other ways to the memory, such as
    `np.float32(tensor)`, are not seen.
    """
    watch = HostWatch(on_read, on_trace)
    as_numpy = ops._EagerTensorBase._numpy
    capsule = getattr(ops._EagerTensorBase, "__dlpack__", None)  # from TensorFlow 2.20
    create = tracing_compilation._create_concrete_function

    def reading(tensor):
        watch.note_read()
        return as_numpy(tensor)

    def sharing(tensor, *args, **named):
        watch.note_read()
        return capsule(tensor, *args, **named)

    def creating(function_type, type_context, func_graph, tracing_options):
        watch.traces.append(tracing_options.function_cache)
        watch.tracing.append(tracing_options.function_cache)
        watch.on_trace()
        try:
            return create(function_type, type_context, func_graph, tracing_options)
        finally:
            watch.tracing.pop()

    def texting(template, inputs, *args, **named):
        if any(isinstance(each, ops.EagerTensor) for each in tf.nest.flatten(inputs)):
            watch.note_read()
        return usual_text(template, inputs, *args, **named)

    usual_text = string_ops.string_format
    with ExitStack() as stack:
        for owner, name, instead in (
            (ops._EagerTensorBase, "_numpy", reading),
            *([(ops._EagerTensorBase, "__dlpack__", sharing)] if capsule else []),
            (builtins, "memoryview", _noting_view(watch)),
            (tracing_compilation, "_create_concrete_function", creating),
            (string_ops, "string_format", texting),
            (np, "asarray", _noting(np.asarray, watch)),
            (np, "array", _noting(np.array, watch)),
            (np, "frombuffer", _noting(np.frombuffer, watch)),
            *((np, name, _noting(getattr(np, name), watch)) for name in LOOKS),
        ):
            stack.enter_context(mock.patch.object(owner, name, instead))
        yield watch


def _noting(usual: Callable, watch: HostWatch) -> Callable:
    """Return NumPy's function, which now tells when it is given a tensor."""

    def convert(value, *args, **named):
        if tf.is_tensor(value) and isinstance(value, ops.EagerTensor):
            watch.note_read()
        return usual(value, *args, **named)

    return convert


def _noting_view(watch: HostWatch) -> type:
    """Return what stands for `memoryview`, of which views are instances as usual."""
    usual, convert = memoryview, _noting(memoryview, watch)

    class Views(type):
        def __call__(cls, value):
            return convert(value)

        def __instancecheck__(cls, value):
            return isinstance(value, usual)

    return Views("memoryview", (), {})


@contextmanager
def asynchronous() -> Iterator[None]:
    """Let the host go on while operations still run, as it does with GPUs."""
    usual = tf.config.experimental.get_synchronous_execution()
    tf.config.experimental.set_synchronous_execution(False)
    try:
        yield
    finally:
        tf.config.experimental.set_synchronous_execution(usual)
