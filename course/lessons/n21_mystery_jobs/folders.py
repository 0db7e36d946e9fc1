"""What lies beside a job when it runs: rows, settings, a checkpoint, variables."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.lessons.n21_mystery_jobs.job_record import Task
from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.surroundings import Surroundings


@dataclass(frozen=True)
class Setting:
    """What surrounds a program, faults of data, files and environment among it.

    program: whose settings and files are written.
    faults: codes of `n21_mystery_jobs.faults`.
    many_files: whether each worker has a file of rows of its own.
    """

    program: Program
    faults: Collection[str] = field(default=frozenset())
    many_files: bool = False

    def beside(self, task: Task) -> Surroundings:
        """Return what a job finds that has this task."""
        with tempfile.TemporaryDirectory(prefix="course-job-") as folder:
            self._write(Path(folder), task)
            files = {each.name: each.read_bytes() for each in Path(folder).iterdir()}
        processes = task.parts if task.kind == "workers" else 1
        variables = [self._variables(task, rank) for rank in range(processes)]
        return Surroundings(files, variables, "alone" in self.faults)

    def _write(self, folder: Path, task: Task) -> None:
        settings = {
            name: value(task) if callable(value) else value
            for name, value in self.program.settings.items()
        }
        (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n")
        for name, text in self.program.files.items():
            (folder / name).write_text(text)
        for name, ids in self._tables(task).items():
            rows = task.rows
            np.savez(folder / name, ids=rows.ids[ids], x=rows.x[ids], y=rows.y[ids])
        if task.kind == "workers" and task.first:
            name = "weights" if "other_name" in self.faults else "w"
            parts = {name: tf.Variable(task.start), "done": tf.Variable(task.first)}
            saved = tf.train.Checkpoint(**parts)
            saved.save_counter.assign(1)  # a restore that is asked about all finds it
            saved.write(str(folder / "saved"))

    def _tables(self, task: Task) -> dict[str, np.ndarray]:
        ids = np.arange(len(task.rows))
        if not self.many_files:
            if "repeated_rows" in self.faults:
                ids = np.insert(ids, task.size, ids[: task.size])
            return {"rows.npz": ids}
        files = [ids[part :: task.parts] for part in range(task.parts)]
        if "unequal_files" in self.faults:
            cut = task.size // task.parts
            files[0] = np.concatenate([files[0], files[1][-cut:]])
            files[1] = files[1][:-cut]
        return {f"rows-{part}.npz": own for part, own in enumerate(files)}

    def _variables(self, task: Task, rank: int) -> dict[str, str]:
        faults = self.faults
        found = {}
        if "one_shard" in faults:
            found["SHARD"] = f"0/{task.parts}"
        if "pinned" in faults:
            found["JOB_DEVICE"] = "CPU:0"
        if "eager" in faults:
            found["DEBUG"] = "1"
        if task.kind == "workers":
            found |= {"RANK": str(rank), "WORLD": str(task.parts)}
            if self.many_files:
                found["PART"] = "0" if "same_file" in faults else str(rank)
            if not task.first:
                found["SEED"] = str(3 + rank * ("own_start" in faults))
        return found
