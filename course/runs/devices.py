"""Virtual devices: several logical devices on whatever machine this is."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import tensorflow as tf

# it would print a line for every strategy and reduction, and the whole stack of an
# error that it raises, too
logging.getLogger("tensorflow").setLevel(logging.CRITICAL)

INTER_OP_THREADS = 16  # blocking replicas overlap only while a thread is free for each
GPU_MEMORY_MB = 512  # for one virtual GPU; the course's models need a few MB


class DeviceError(RuntimeError):
    """The devices cannot be made as asked; the message says what to do."""


def virtual_devices(n: int = 4) -> list[str]:
    """Make `n` logical devices and return their names, such as `["CPU:0", "CPU:1"]`.

    Where TensorFlow sees a GPU, the first one is split into `n` virtual GPUs of
    `GPU_MEMORY_MB` each; elsewhere the CPU is split. Calling it again with the same
    `n` changes nothing.

    Raises:
        ValueError: `n` is not a whole number from 1 to 16.
        DeviceError: TensorFlow has started already with other devices.
    """
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= INTER_OP_THREADS:
        raise ValueError(
            f"virtual_devices takes a whole number from 1 to 16, not {n!r}"
        )
    kind = "GPU" if tf.config.list_physical_devices("GPU") else "CPU"
    physical = tf.config.list_physical_devices(kind)[0]
    try:
        tf.config.threading.set_inter_op_parallelism_threads(INTER_OP_THREADS)
        if kind == "GPU":
            tf.config.set_visible_devices([physical], "GPU")
        tf.config.set_logical_device_configuration(
            physical, [_configuration(kind) for _ in range(n)]
        )
        # float32 on newer GPUs would otherwise be multiplied with 10 bits of mantissa
        tf.config.experimental.enable_tensor_float_32_execution(False)
    except RuntimeError:
        pass  # TensorFlow has started: right only if it has what is asked for
    names = [f"{kind}:{i}" for i in range(n)]
    running = existing_devices(kind)
    if running != names:
        raise DeviceError(
            f"TensorFlow has already started with {len(running)} {kind} device(s), "
            f"which cannot change any more; you asked for {n}. Restart the kernel "
            "(Kernel > Restart Kernel), then run the first cell before any other."
        )
    if tf.config.threading.get_inter_op_parallelism_threads() != INTER_OP_THREADS:
        raise DeviceError(
            "TensorFlow started before virtual_devices was called, so replicas could "
            "not overlap. Restart the kernel (Kernel > Restart Kernel), then run the "
            "first cell before any other."
        )
    return names


def existing_devices(kind: str | None = None) -> list[str]:
    """Return the names of all logical devices, or of those of a kind, such as "CPU"."""
    found = tf.config.list_logical_devices(kind)
    return [f"{each.device_type}:{each.name.split(':')[-1]}" for each in found]


def short_name(device: str) -> str:
    """Return "CPU:1" for "/job:localhost/replica:0/task:0/device:CPU:1"; "" for ""."""
    return ":".join(device.rsplit(":", 2)[-2:]).removeprefix("/")


def mirrored(devices: Sequence[str]) -> tf.distribute.MirroredStrategy:
    """Return a MirroredStrategy with one replica for each of `devices`.

    Its all-reduce is `ReductionToOneDevice`. TensorFlow's default on CPUs and on
    virtual GPUs, ring collectives, fails when one process builds a second strategy
    of another shape, as notebooks do.

    Raises:
        DeviceError: a device does not exist (TensorFlow itself would accept it, and
            quietly place that replica on another device).
    """
    known = existing_devices()
    missing = [name for name in devices if name not in known]
    if missing or not devices:
        raise DeviceError(
            f"no such device: {', '.join(missing) or 'the list is empty'}. "
            f"There are: {', '.join(sorted(known))}."
        )
    return tf.distribute.MirroredStrategy(
        list(devices), cross_device_ops=tf.distribute.ReductionToOneDevice()
    )


def _configuration(kind: str) -> tf.config.LogicalDeviceConfiguration:
    limit = GPU_MEMORY_MB if kind == "GPU" else None  # TensorFlow refuses it on CPUs
    return tf.config.LogicalDeviceConfiguration(memory_limit=limit)
