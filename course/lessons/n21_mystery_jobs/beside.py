"""What a look into a job's folder, or at its variables, shows: a terminal's text."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf

from course.lessons.n21_mystery_jobs.dossiers import Situation
from course.lessons.n21_mystery_jobs.job_record import Task

HEAD = 2  # rows of a table that are shown


def folder_text(situation: Situation) -> str:
    """Return what the files in the folder of a job hold."""
    with tempfile.TemporaryDirectory() as folder:
        situation.beside.write(folder)
        parts = list(_files(Path(folder), situation.task))
    return "\n\n".join(f"$ {command}\n{text.rstrip()}" for command, text in parts)


def _files(folder: Path, task: Task) -> Iterator[tuple[str, str]]:
    names = [path.name for path in folder.iterdir()]
    names += ["hosts.json"] * (task.kind == "workers")
    yield "ls", "  ".join(sorted(names))
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".py"):
            yield f"cat {path.name}", path.read_text()
        elif path.suffix == ".npz":
            yield f"head {path.name}", _table(path)
        elif path.name == "saved.index":
            named = tf.train.list_variables(str(folder / "saved"))
            lines = [f"{name}  shape {shape}" for name, shape in named]
            yield "what is in saved", "\n".join(lines)
    if task.kind == "workers":
        yield (
            "cat hosts.json",
            "the addresses of all workers, as TF_CONFIG lists them under cluster",
        )


def _table(path: Path) -> str:
    with np.load(path) as table:
        ids, x, y = table["ids"], table["x"], table["y"]
    lines = [f"{len(ids)} rows; ids {runs(ids.tolist())}"]
    for k in range(HEAD):
        lines.append(f"id {ids[k]}  x ({x[k][0]:.3f}, {x[k][1]:.3f})  y {y[k]:.3f}")
    return "\n".join(lines)


def runs(ids: Sequence[int]) -> str:
    """Return numbers in short, such as "0 to 7, 0 to 28" or "0, 2, 4 ... 28"."""
    parts, begin = [], 0
    while begin < len(ids):
        stop, step = begin + 1, 1
        if stop < len(ids):
            step = ids[stop] - ids[begin]
        while stop < len(ids) and ids[stop] - ids[stop - 1] == step and step > 0:
            stop += 1
        own = ids[begin:stop]
        if len(own) < 4:
            parts.append(", ".join(map(str, own)))
        elif step == 1:
            parts.append(f"{own[0]} to {own[-1]}")
        else:
            parts.append(f"{own[0]}, {own[1]}, {own[2]} ... {own[-1]}")
        begin = stop
    return ", ".join(parts)


def environment_text(situation: Situation) -> str:
    """Return the variables that each process of a job finds, beside the system's."""
    task, beside = situation.task, situation.beside
    if task.kind != "workers":
        (own,) = beside.variables
        return "$ env | sort\n" + (_lines(own) or "(nothing beside the system's)")
    cluster = {"worker": [f"127.0.0.1:{2300 + rank}" for rank in range(task.parts)]}
    texts = []
    for rank in range(task.parts):
        config = {"cluster": cluster, "task": {"type": "worker", "index": rank}}
        found = beside.cluster(json.dumps(config))
        own = {**beside.variables[rank], "TF_CONFIG": found}
        texts.append(f"$ env | sort    # worker {rank}\n{_lines(own)}")
    return "\n\n".join(texts)


def _lines(variables: dict[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in sorted(variables.items()))
