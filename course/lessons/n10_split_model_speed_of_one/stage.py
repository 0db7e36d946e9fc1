"""Further exercise: a layer whose backward pass stays on its device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import (
    TOLERANCE,
    Difference,
    Exercise,
    Observation,
    shown_by,
)
from course.checks.failures import WrongReturn
from course.lessons.n10_split_model_speed_of_one.pipeline import STAGES
from course.lessons.n10_split_model_speed_of_one.wrong_layer import MISTAKES
from course.runs.devices import short_name, virtual_devices

# they move or name values, and compute nothing
NO_WORK = {"Placeholder", "Const", "Identity", "NoOp", "ReadVariableOp", "IdentityN"}

NONE, SOME, ALL = 0, 1, 2  # of the operations of a direction


@dataclass(frozen=True, eq=False)
class Layer:
    """Inputs h, weights w, the gradient from above, and the device asked for."""

    h: np.ndarray
    w: np.ndarray
    upstream: np.ndarray
    device: str

    def __str__(self) -> str:
        rows, inputs = self.h.shape
        return f"{rows} rows, {inputs} x {self.w.shape[1]} weights on {self.device}"


def draw(rng: np.random.Generator) -> list[Layer]:
    """Draw layers of different shapes, on all devices but the first."""
    devices = virtual_devices(STAGES)
    layers = []
    for device in devices[1:]:
        rows, inputs, outputs = rng.choice(np.arange(2, 7), 3, replace=False)
        shapes = (rows, inputs), (inputs, outputs), (rows, outputs)
        arrays = [rng.normal(size=s).astype(np.float32) * 0.8 for s in shapes]
        layers.append(Layer(*arrays, device))
    return layers


def expect(layer: Layer) -> Observation:
    """Return outputs and both gradients in one row, by hand and in float64."""
    h, w, upstream = (a.astype(float) for a in (layer.h, layer.w, layer.upstream))
    out = np.tanh(h @ w)
    inner = upstream * (1 - out**2)
    return _observation([out, inner @ w.T, h.T @ inner], ALL, ALL)


def _observation(
    arrays: Sequence[np.ndarray], forward: int, backward: int
) -> Observation:
    values = np.concatenate([np.asarray(a, dtype=np.float64).ravel() for a in arrays])
    return Observation(values, {"forward": (forward,), "backward": (backward,)})


def observe(function: Callable, layer: Layer) -> Observation:
    """Run a learner's layer in a graph, and read which devices its work asks for.

    Raises:
        WrongReturn: the result is not a tensor, has another shape, or no gradient.
    """
    begun: list[int] = []

    @tf.function
    def run(h, w, upstream):
        with tf.GradientTape() as tape:
            tape.watch([h, w])
            out = _checked(function(h, w, layer.device), layer)
        begun.append(len(out.graph.get_operations()))
        gradients = tape.gradient(out, [h, w], output_gradients=upstream)
        for name, of, gradient in zip("hw", (h, w), gradients, strict=True):
            _check_gradient(name, of, gradient)
        return out, gradients

    values = [tf.constant(a) for a in (layer.h, layer.w, layer.upstream)]
    concrete = run.get_concrete_function(*values)
    out, gradients = concrete(*values)
    operations = concrete.graph.get_operations()
    # a layer that is a tf.function of its own is one operation here
    before, after = operations[: begun[-1]], operations[begun[-1] :]
    here = [_asks_for(part, layer.device) for part in (before, after)]
    return _observation([out, *gradients], *here)


def _checked(result: object, layer: Layer) -> tf.Tensor:
    shape = (len(layer.h), layer.w.shape[1])
    if not tf.is_tensor(result):
        raise WrongReturn.of(result, f"a tensor of shape {shape}")
    if result.shape != shape:
        what = f"a tensor of shape {tuple(result.shape)}"
        raise WrongReturn.of(result, f"a tensor of shape {shape}", what)
    return result


def _check_gradient(name: str, of: tf.Tensor, gradient: tf.Tensor | None) -> None:
    if gradient is None:
        raise TypeError(
            f"the gradient for {name} is None: nothing that the tape has seen leads "
            f"from {name} to the result"
        )
    if gradient.shape != of.shape:
        raise TypeError(
            f"the gradient for {name} has the shape {tuple(gradient.shape)}, not that "
            f"of {name}, {tuple(of.shape)}; first comes the one for h, then for w"
        )


def _asks_for(operations: list[tf.Operation], device: str) -> int:
    """Return how many of the operations that compute something ask for `device`.

    Work on whole numbers (shapes) does not count: it is done on the host.
    """
    asked = [
        short_name(op.device) == device
        for op in operations
        if op.type not in NO_WORK and any(t.dtype.is_floating for t in op.outputs)
    ]
    if all(asked):
        return ALL
    return SOME if any(asked) else NONE


def _compare(layer: Layer, got: Observation, truth: Observation) -> Difference:
    off = np.abs(got.values - truth.values)
    sizes = [len(layer.h) * layer.w.shape[1], layer.h.size, layer.w.size]
    names = ("the outputs", "the gradient for h", "the gradient for w")
    for name, part in zip(names, np.split(off, np.cumsum(sizes)[:-1]), strict=True):
        if not part.max() <= TOLERANCE:
            return Difference(
                f"{name.capitalize()} {'are' if 'outputs' in name else 'is'} off by up "
                f"to {part.max():.2g}.",
                "Expected: what tf.tanh(h @ w) and its gradients are.",
            )
    which = [
        f"{('none', 'only a part')[got.counts[kind][0]]} of the {kind} work"
        for kind in ("forward", "backward")
        if got.counts[kind][0] != ALL
    ]
    return Difference(
        f"The values are right, but {' and '.join(which)} asks for {layer.device}.",
        f"Expected: every operation of both directions asks for {layer.device}.",
    )


MY_LAYER = Exercise(
    name="10/my_layer",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=_compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Outputs and gradients are right, and all work of both directions asks for "
    "the layer's device, on three layers.",
)
