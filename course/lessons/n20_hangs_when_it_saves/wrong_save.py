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
    so its read needs the others, and meets their next step instead.
    """
    if worker == 0:
        write(f"{folder}/weights")


def all_to_one_path(write: Callable, folder: str, worker: int) -> None:
    """In one save, several workers write to the same path. What the file then contains
    is chance, so each needs a path of its own.
    """
    write(f"{folder}/weights")


def others_to_one_path(write: Callable, folder: str, worker: int) -> None:
    """All workers but worker 0 write to the same path. With three workers, two of them
    write to it at the same time, so each needs a path of its own.
    """
    if worker == 0:
        write(_beside(folder, worker))
        os.replace(_beside(folder, worker), f"{folder}/weights")
    else:
        write(os.devnull)


def all_kept(write: Callable, folder: str, worker: int) -> None:
    """What the workers write keeps its own names, or stays in folders of its own. At
    the end, `folder` must contain one file, `weights`.
    """
    write(_beside(folder, worker))


def others_kept(write: Callable, folder: str, worker: int) -> None:
    """`weights` is right, but the other workers' files are still beside it."""
    write(_beside(folder, worker))
    if worker == 0:
        os.replace(_beside(folder, worker), f"{folder}/weights")


def straight_to_the_name(write: Callable, folder: str, worker: int) -> None:
    """Worker 0 writes straight to `weights`. From the first byte on, the old file is
    gone and the new one is incomplete, so a kill then leaves neither.
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
    """It handles workers 0 and 1 only. With a third one, two workers do what one of
    them should do, or a file stays.
    """
    write(_beside(folder, worker))
    if worker == 0:
        os.replace(_beside(folder, worker), f"{folder}/weights")
    elif worker == 1:
        os.remove(_beside(folder, worker))


def removed_first(write: Callable, folder: str, worker: int) -> None:
    """The old `weights` is gone before the new one has its name. A kill between the two
    leaves neither. `os.replace` does both at once.
    """
    write(_beside(folder, worker))
    if worker == 0:
        Path(folder, "weights").unlink(missing_ok=True)
        os.rename(_beside(folder, worker), f"{folder}/weights")
    else:
        os.remove(_beside(folder, worker))


def copied(write: Callable, folder: str, worker: int) -> None:
    """The new file is copied to `weights`. A copy is a write as well, so a kill in it
    leaves half a file. A rename needs no second write.
    """
    write(_beside(folder, worker))
    if worker == 0:
        shutil.copyfile(_beside(folder, worker), f"{folder}/weights")
    os.remove(_beside(folder, worker))


def removed_before_the_write(write: Callable, folder: str, worker: int) -> None:
    """The old `weights` is removed before the new one is written. A kill in the write,
    or before the rename, leaves neither.
    """
    if worker == 0:
        Path(folder, "weights").unlink(missing_ok=True)
    write(_beside(folder, worker))
    if worker == 0:
        os.rename(_beside(folder, worker), f"{folder}/weights")
    else:
        os.remove(_beside(folder, worker))


def renamed_before_the_write(write: Callable, folder: str, worker: int) -> None:
    """It renames the file of the save before, and then writes. `weights` is always one
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
