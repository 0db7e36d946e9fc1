"""Wrong answers to 20/my_save: each is the mistake of its name."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from course.checks.exercises import wrong_answers


def _beside(folder: str, worker: int) -> str:
    return f"{folder}/beside_{worker}"


def worker_0_alone(write: Callable, folder: str, worker: int) -> None:
    """Only worker 0 calls `write`. `seen` is summed over all workers when it is read,
    so its read waits for the others, and takes part in their next step instead.
    """
    if worker == 0:
        write(f"{folder}/weights")


def all_to_one_path(write: Callable, folder: str, worker: int) -> None:
    """All workers write to one path at the same time. What lies there then is chance:
    each needs a path of its own.
    """
    write(f"{folder}/weights")


def all_kept(write: Callable, folder: str, worker: int) -> None:
    """What the workers write keeps names of its own, or lies in folders of its own. In
    the end, `folder` must hold one file, `weights`.
    """
    write(_beside(folder, worker))


def others_kept(write: Callable, folder: str, worker: int) -> None:
    """`weights` is right, but what the other workers wrote still lies beside it."""
    write(_beside(folder, worker))
    if worker == 0:
        os.replace(_beside(folder, worker), f"{folder}/weights")


def straight_to_the_name(write: Callable, folder: str, worker: int) -> None:
    """Worker 0 writes straight to `weights`. From the first byte on, the old file is
    gone and the new one not there yet: who is killed then has neither.
    """
    if worker == 0:
        write(f"{folder}/weights")
    else:
        write(_beside(folder, worker))
        os.remove(_beside(folder, worker))


def straight_and_kept(write: Callable, folder: str, worker: int) -> None:
    """Worker 0 writes straight to `weights`, so that a kill in the write leaves neither
    the old file nor the new one; and what the others wrote stays.
    """
    write(f"{folder}/weights" if worker == 0 else _beside(folder, worker))


def made_for_two_workers(write: Callable, folder: str, worker: int) -> None:
    """It knows the workers 0 and 1. With a third one, more than one does what worker 0
    or 1 alone is to do, or a file stays.
    """
    write(_beside(folder, worker))
    if worker == 0:
        os.replace(_beside(folder, worker), f"{folder}/weights")
    elif worker == 1:
        os.remove(_beside(folder, worker))


def removed_first(write: Callable, folder: str, worker: int) -> None:
    """The old `weights` is gone before the new one has its name. Who is killed between
    the two has neither. `os.replace` does both at once.
    """
    write(_beside(folder, worker))
    if worker == 0:
        Path(folder, "weights").unlink(missing_ok=True)
        os.rename(_beside(folder, worker), f"{folder}/weights")
    else:
        os.remove(_beside(folder, worker))


def copied(write: Callable, folder: str, worker: int) -> None:
    """The new file is copied to `weights`. A copy is a write as well: who is killed in
    it leaves half a file. A rename needs no second write.
    """
    write(_beside(folder, worker))
    if worker == 0:
        shutil.copyfile(_beside(folder, worker), f"{folder}/weights")
    os.remove(_beside(folder, worker))


def removed_before_the_write(write: Callable, folder: str, worker: int) -> None:
    """The old `weights` is removed before the new one is written. Who is killed in the
    write, or before the rename, has neither.
    """
    if worker == 0:
        Path(folder, "weights").unlink(missing_ok=True)
    write(_beside(folder, worker))
    if worker == 0:
        os.rename(_beside(folder, worker), f"{folder}/weights")
    else:
        os.remove(_beside(folder, worker))


def renamed_before_the_write(write: Callable, folder: str, worker: int) -> None:
    """It renames what was written last time, and writes then. `weights` is always one
    save too old.
    """
    beside = Path(_beside(folder, worker))
    if beside.exists() and worker == 0:
        os.replace(beside, f"{folder}/weights")
    write(str(beside))
    if worker > 0:
        beside.unlink()


def never(write: Callable, folder: str, worker: int) -> None:
    """`write` is never called, so nothing is saved."""


MISTAKES = wrong_answers(__name__)
