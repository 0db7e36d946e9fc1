"""The programs of mystery jobs: seven kinds, drawn from a seed, with their faults."""

from course.lessons.n21_mystery_jobs.programs.keras_fit import fit
from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.repairs import with_repairs
from course.lessons.n21_mystery_jobs.programs.replicas import helper, script, trainer
from course.lessons.n21_mystery_jobs.programs.split import split
from course.lessons.n21_mystery_jobs.programs.wording import draw_wording
from course.lessons.n21_mystery_jobs.programs.workers import worker_files, workers

STYLES = {
    "fit": fit,
    "script": script,
    "trainer": trainer,
    "helper": helper,
    "split": split,
    "workers": workers,
    "worker_files": worker_files,
}

__all__ = ["STYLES", "Program", "draw_wording", "with_repairs"]
