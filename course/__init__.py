"""What a notebook imports: predict, show, check, virtual_devices, mirrored."""

import os

# read when TensorFlow is imported: its start-up lines would fill the first cell
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from course.checking import check
from course.devices import mirrored, virtual_devices
from course.pictures import show
from course.widgets import predict

__all__ = ["check", "mirrored", "predict", "show", "virtual_devices"]
