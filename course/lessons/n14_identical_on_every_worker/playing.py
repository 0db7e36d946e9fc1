"""This notebook's instrument: files, policies, seeds and workers, on real workers."""

from __future__ import annotations

from course.lessons.n14_identical_on_every_worker.shared_files import (
    Way,
    nobody,
    part_first,
    train_from_files,
)
from course.lessons.n14_identical_on_every_worker.ways import as_one_device, each_once
from course.lessons.n14_identical_on_every_worker.who_read import who_read
from course.lessons.n14_identical_on_every_worker.worker_input import Make
from course.lessons.n14_identical_on_every_worker.worker_training import WorkerRun
from course.pictures.picture import Picture
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

SHARED = {
    "by nobody (the function above)": nobody,
    "by a function: own rows, then shuffled": part_first,
    **{f"by policy {name}": name for name in ("OFF", "AUTO", "FILE", "DATA")},
}


def who_reads_which_row() -> None:
    """Show which worker reads which row, for workers, files and ways to turn."""
    instrument(
        [
            Choice("shared", "shared out", SHARED, nobody, mine="14/my_dataset"),
            Choice("workers", "workers", {str(n): n for n in (1, 2, 3)}, 2),
            Choice("files", "files", {str(n): n for n in (1, 2, 3)}, 3),
            Choice(
                "own_seeds",
                "seed of the shuffle",
                {"the same": False, "each its own": True},
                False,
            ),
        ],
        run,
        picture,
        told,
        idle=idle_knobs,
    )


def idle_knobs(shared: Make | str, workers: int, **others: object) -> dict[str, str]:
    """Return, for each knob that changes nothing now, why it does not."""
    idle = {}
    if shared not in ("FILE", "AUTO"):
        idle["files"] = "Each worker reads all files, row by row in turn."
    if workers == 1:
        idle["own_seeds"] = "A single worker has one seed either way."
    return idle


def run(shared: Make | str, workers: int, files: int, own_seeds: bool) -> WorkerRun:
    """Train real workers.

    Raises:
        ValueError: TensorFlow refuses to share these files out; says why.
    """
    (made,) = train_from_files([Way(shared, files, own_seeds)], workers)
    return made


def picture(now: WorkerRun, before: WorkerRun | None) -> Picture:
    """Draw a run as a film."""
    return who_read(now)


def told(now: WorkerRun) -> str:
    """Say in one line what a run gave."""
    once = "each row once" if each_once(now) else "not each row once"
    equal = "" if as_one_device(now) else "not "
    steps = ", ".join(map(str, now.lengths))
    return (
        f"{now.label}, workers {now.recording.replicas}: {once}; steps in the epochs: "
        f"{steps}; {equal}the weights of one device"
    )
