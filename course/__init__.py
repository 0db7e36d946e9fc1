"""What a notebook imports: predict, show, check, virtual_devices, mirrored.

The names are loaded when they are first used, so that commands which only read a
learner's progress need not wait for TensorFlow.
"""

import os
from importlib import import_module

# both are read when TensorFlow is imported: its start-up lines would fill the first
# cell, and oneDNN may change the order of additions from machine to machine
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

_HOMES = {
    "check": "course.checks.checking",
    "mirrored": "course.runs.devices",
    "predict": "course.widgets.prediction",
    "show": "course.pictures.picture",
    "virtual_devices": "course.runs.devices",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Load one of the names above from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'course' has no attribute {name!r}")
    with import_module("course.checks.working").working("starting TensorFlow"):
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the names above, so that completion finds them."""
    return [*globals(), *__all__]
