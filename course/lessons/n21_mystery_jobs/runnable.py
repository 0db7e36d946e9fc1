"""A job's code as a function, with what the notebook gives it."""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import runpy
import time
import types
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.lessons.n21_mystery_jobs.job_record import keeps
from course.lessons.n21_mystery_jobs.sums import sums
from course.runs.devices import mirrored


def runnable(code: str) -> Callable:
    """Return the function `job` that some code defines."""
    import keras  # not above: workers import this file, and Keras begins to run things

    module = types.ModuleType("__main__")  # as a notebook's: sent to workers whole
    known = {each.__name__: each for each in (contextlib, json, os, runpy, time)}
    known |= {"np": np, "tf": tf, "keras": keras}
    known |= {"keeps": keeps, "sums": sums, "mirrored": mirrored}
    module.__dict__.update(known)
    file = f"<job {id(module)}>"
    # AutoGraph, and a worker, look the source up
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), module.__dict__)
    return module.__dict__["job"]
