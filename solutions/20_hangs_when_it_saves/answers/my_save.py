"""Answers to 20/my_save, right and wrong, and what the check says of each."""

import os
import shutil
import tempfile
from pathlib import Path

from autograder.answers import changed, crashed, right, wrong


@right
def paths(write, folder, worker):
    """With pathlib."""
    beside = Path(folder) / f".{worker}.part"
    write(str(beside))
    if worker:
        beside.unlink()
    else:
        beside.replace(Path(folder) / "weights")


@right
def each_renames(write, folder, worker):
    """All rename: what they wrote is the same."""
    beside = f"{folder}/beside_{worker}"
    write(beside)
    os.replace(beside, f"{folder}/weights")


@right
def last_one_keeps(write, folder, worker):
    """The others write into folders of their own, elsewhere."""
    if worker == 0:
        write(f"{folder}/new")
        os.rename(f"{folder}/new", f"{folder}/weights")
    else:
        with tempfile.TemporaryDirectory() as own:
            write(f"{own}/weights")


@right
def own_folders(write, folder, worker):
    """Each has a folder within the folder."""
    own = f"{folder}/worker_{worker}"
    os.makedirs(own, exist_ok=True)
    write(f"{own}/weights")
    if worker == 0:
        os.replace(f"{own}/weights", f"{folder}/weights")
    shutil.rmtree(own)


@right
def moved(write, folder, worker):
    """A new folder for each save, and a move within one file system."""
    own = tempfile.mkdtemp(dir=os.path.dirname(folder))
    write(os.path.join(own, "weights"))
    if worker == 0:
        shutil.move(os.path.join(own, "weights"), os.path.join(folder, "weights"))
    shutil.rmtree(own)


@right
def with_try(write, folder, worker):
    """What is left of an earlier process is removed first."""
    beside = os.path.join(folder, "beside", str(worker))
    shutil.rmtree(os.path.dirname(beside), ignore_errors=True) if worker == 0 else None
    os.makedirs(os.path.dirname(beside), exist_ok=True)
    beside = f"{os.path.dirname(folder)}/{worker}"
    try:
        write(beside)
        if worker == 0:
            os.rename(beside, os.path.join(folder, "weights"))
    finally:
        if worker != 0:
            os.remove(beside)


@wrong("worker_0_alone")
def chief_beside(write, folder, worker):
    """Worker 0 alone, but beside and renamed."""
    if worker == 0:
        write(f"{folder}/beside")
        os.replace(f"{folder}/beside", f"{folder}/weights")


@wrong("worker_0_alone")
def others_wait_for_the_file(write, folder, worker):
    """The others return at once."""
    if worker > 0:
        return
    write(f"{folder}/weights")


@wrong
def worker_1_alone(write, folder, worker):
    """Worker 1 saves alone."""
    if worker == 1:
        write(f"{folder}/weights")


@wrong("all_to_one_path")
def one_path(write, folder, worker):
    """No `if`."""
    write(f"{folder}/weights")


@wrong("all_to_one_path")
def one_path_beside(write, folder, worker):
    """Beside, but all of them at the same place."""
    write(f"{folder}/beside")
    if worker == 0:
        os.replace(f"{folder}/beside", f"{folder}/weights")


@wrong("others_to_one_path")
def others_to_devnull(write, folder, worker):
    """Worker 0 writes beside and renames; the others all write to one path."""
    if worker == 0:
        write(f"{folder}/beside")
        os.replace(f"{folder}/beside", f"{folder}/weights")
    else:
        write(os.devnull)


@wrong("all_kept")
def a_name_each(write, folder, worker):
    """A name each."""
    write(f"{folder}/weights_{worker}")


@wrong("all_kept")
def a_folder_each(write, folder, worker):
    """A folder each, in which all is right."""
    os.makedirs(f"{folder}/{worker}", exist_ok=True)
    write(f"{folder}/{worker}/beside")
    os.replace(f"{folder}/{worker}/beside", f"{folder}/{worker}/weights")


@wrong("others_kept")
def not_removed(write, folder, worker):
    """What the others wrote stays."""
    beside = Path(folder, f"beside_{worker}")
    write(str(beside))
    if worker == 0:
        beside.replace(Path(folder, "weights"))


@wrong("straight_to_the_name")
def straight(write, folder, worker):
    """Worker 0 in place, the others elsewhere."""
    path = f"{folder}/weights" if worker == 0 else f"{folder}/beside_{worker}"
    write(path)
    if worker > 0:
        os.remove(path)


@wrong
def written_twice(write, folder, worker):
    """Beside first, to see whether it works, and then in place."""
    write(f"{folder}/try_{worker}")
    os.remove(f"{folder}/try_{worker}")
    write(f"{folder}/weights" if worker == 0 else f"{folder}/try_{worker}")
    if worker > 0:
        os.remove(f"{folder}/try_{worker}")


@wrong("straight_and_kept")
def a_path_each(write, folder, worker):
    """A path each, and no more."""
    write(f"{folder}/weights" if worker == 0 else f"{folder}/worker_{worker}")


@wrong("made_for_two_workers")
def two_workers(write, folder, worker):
    """Two workers are known."""
    write(f"{folder}/{worker}")
    if worker == 0:
        os.replace(f"{folder}/0", f"{folder}/weights")
    if worker == 1:
        os.remove(f"{folder}/1")


@wrong("removed_first")
@changed(
    paths,
    (
        'beside.replace(Path(folder) / "weights")',
        """
        (Path(folder) / "weights").unlink(missing_ok=True)
        beside.rename(Path(folder) / "weights")
        """,
    ),
)
def unlinked():
    """The old one is removed, then the new one is renamed."""


@wrong("copied")
@changed(
    each_renames,
    (
        'os.replace(beside, f"{folder}/weights")',
        """
        if worker == 0:
            shutil.copy(beside, f"{folder}/weights")
        os.remove(beside)
        """,
    ),
)
def copied_over():
    """A copy, and then all remove what they wrote."""


@wrong("copied")
def bytes_written(write, folder, worker):
    """The bytes are read and written again."""
    beside = Path(folder, f"beside_{worker}")
    write(beside)
    if worker == 0:
        Path(folder, "weights").write_bytes(beside.read_bytes())
    beside.unlink()


@wrong("removed_before_the_write")
def makes_room(write, folder, worker):
    """The old one is removed before anything else."""
    beside = f"{folder}/beside_{worker}"
    if worker == 0 and os.path.exists(f"{folder}/weights"):
        os.remove(f"{folder}/weights")
    write(beside)
    if worker == 0:
        os.rename(beside, f"{folder}/weights")
    else:
        os.remove(beside)


@wrong("removed_first")
def backup(write, folder, worker):
    """The old one is renamed out of the way, and comes back never."""
    beside = f"{folder}/beside_{worker}"
    write(beside)
    if worker == 0:
        if os.path.exists(f"{folder}/weights"):
            os.rename(f"{folder}/weights", f"{folder}/old")
        os.rename(beside, f"{folder}/weights")
        if os.path.exists(f"{folder}/old"):
            os.remove(f"{folder}/old")
    else:
        os.remove(beside)


@wrong("renamed_before_the_write")
def one_late(write, folder, worker):
    """It renames what the last save wrote."""
    beside = f"{folder}/beside_{worker}"
    if os.path.exists(beside) and worker == 0:
        os.replace(beside, f"{folder}/weights")
    write(beside)
    if worker > 0:
        os.remove(beside)


@wrong("never")
def nothing(write, folder, worker):
    """It does nothing."""
    return None


@crashed
def no_such_folder(write, folder, worker):
    """A folder that nobody has made."""
    write(f"{folder}/{worker}/weights")


@crashed
def renamed_by_all(write, folder, worker):
    """All rename the file of worker 0, which is there once."""
    write(f"{folder}/beside_{worker}")
    os.rename(f"{folder}/beside_0", f"{folder}/weights")
    os.remove(f"{folder}/beside_{worker}")
