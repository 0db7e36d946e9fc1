"""What a forked process does; apart, since it imports nothing that takes a second."""

import os
import runpy
import sys


def as_program(program, folder):
    """Be `python program` in `folder`, in a process that was forked for it."""
    os.chdir(folder)
    sys.path[:0], sys.argv[:] = [folder], [program]
    sys.stdout.reconfigure(line_buffering=True)
    runpy.run_path(program, run_name="__main__")
