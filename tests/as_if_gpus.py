"""Stand-ins that let the course take logical CPUs for parts of one GPU.

Imported before anything of the course: whoever asks TensorFlow, in Python or in a
graph, is told of GPU:0 to GPU:3 and of a CPU:0 beside them, and may use these names.
What runs, runs on CPUs: speed, memory and rounding are theirs.
"""

import re

import tensorflow as tf
from tensorflow.python.eager.context import LogicalDevice, PhysicalDevice

from course.runs import devices

GPU = PhysicalDevice("/physical_device:GPU:0", "GPU")
_in_graphs = tf.Operation.device
_real_device, _real_mirrored = tf.device, tf.distribute.MirroredStrategy
_real_logical = tf.config.list_logical_devices
_real_physical = tf.config.list_physical_devices
_real_split = tf.config.set_logical_device_configuration
_real_short_name = devices.short_name


def as_gpu(name):
    """What a logical CPU is called here."""
    return re.sub(r"CPU:(\d)", r"GPU:\1", name or "")


def as_cpu(name):
    """The logical CPU that has this name here; other names stay."""
    return re.sub("(?i)GPU:([0-3])$", r"CPU:\1", name) if name else name


def _logical(kind=None):
    gpus = [LogicalDevice(as_gpu(d.name), "GPU") for d in _real_logical("CPU")]
    cpus = [LogicalDevice("/device:CPU:0", "CPU")]
    return {"GPU": gpus, "CPU": cpus}.get(kind, cpus + gpus)


def _split(physical, parts):
    (processor,) = _real_physical("CPU")
    _real_split(processor, [tf.config.LogicalDeviceConfiguration() for _ in parts])


tf.config.list_physical_devices = lambda kind=None: (
    [GPU] if kind == "GPU" else [*_real_physical(kind), *([GPU] * (kind is None))]
)
tf.config.list_logical_devices = _logical
tf.config.experimental.get_device_details = lambda physical: {"device_name": "a card"}
tf.config.set_visible_devices = lambda physical, kind: None
tf.config.set_logical_device_configuration = _split
tf.device = lambda name: _real_device(as_cpu(name))
tf.distribute.MirroredStrategy = lambda names, **options: _real_mirrored(
    [as_cpu(name) for name in names], **options
)
tf.Operation.device = property(lambda operation: as_gpu(_in_graphs.fget(operation)))
devices.short_name = lambda name: as_gpu(_real_short_name(name))
