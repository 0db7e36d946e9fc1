"""A program in a forked process. Apart from others, so that it imports no pytest."""

import os
import runpy
import sys


def as_program(program, folder):
    """Be `python program` in `folder`, in a process that was forked for it."""
    os.chdir(folder)
    sys.path[:0], sys.argv[:] = [folder], [program]
    sys.stdout.reconfigure(line_buffering=True)
    runpy.run_path(program, run_name="__main__")
