"""What a notebook imports: predict, show, check, virtual_devices, mirrored."""

import logging
import os

# both are read when TensorFlow is imported: its start-up lines would fill the first
# cell, and oneDNN may change the order of additions from machine to machine
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

from course.checking import check
from course.devices import mirrored, virtual_devices
from course.pictures import show
from course.widgets import predict

# TensorFlow, once imported, prints a line for every strategy and every reduction
logging.getLogger("tensorflow").setLevel(logging.ERROR)

__all__ = ["check", "mirrored", "predict", "show", "virtual_devices"]
