"""The faults a job can have: where each one lies, and whose subject it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a job.

    code: its name in this package.
    slot: what it changes; a job has at most one fault in a slot.
    part: the part of the course it belongs to.
    notebook: the number of the notebook whose subject it is.
    lies_in: "code", "settings", "data", "environment" or "file": where one who reads
        finds it, if at all.
    styles: the kinds of program that can have it.
    tells: the looks that show it, and that tell it from all others.
    also: other notebooks that name it as well.
    """

    code: str
    slot: str
    part: int
    notebook: str
    lies_in: str
    styles: tuple[str, ...]
    tells: tuple[str, ...]
    also: tuple[str, ...] = ()


LOOPS = ("script", "trainer", "helper")  # programs with a loop of their own
ON_REPLICAS = ("fit", *LOOPS)
SPLIT = "split"  # a model in stages, on devices of their own
IN_ONE_PROCESS = (*ON_REPLICAS, SPLIT)
SPLIT_OR_LOOP = (*LOOPS, SPLIT)
ONE_FILE, MANY_FILES = "workers", "worker_files"
ON_WORKERS = (ONE_FILE, MANY_FILES)
ROWS, BOTH, HOST = ("rows",), ("rows", "weights"), ("host",)

FAULTS = (
    Fault("dropped_tail", "batch", 1, "01", "settings", SPLIT_OR_LOOP, ROWS),
    Fault("repeated_rows", "table", 1, "01", "data", IN_ONE_PROCESS, ROWS),
    Fault("one_shard", "shard", 1, "01", "environment", ON_REPLICAS, ROWS),
    Fault("not_split", "split", 1, "01", "settings", LOOPS, ROWS),
    Fault("own_gradient", "update", 1, "02", "code", LOOPS, BOTH),
    Fault("sum_of_means", "update", 1, "02", "code", LOOPS, BOTH, ("03",)),
    Fault("mean_of_means", "update", 1, "03", "code", LOOPS, BOTH, ("02",)),
    Fault("fixed_size", "update", 1, "03", "code", LOOPS, BOTH, ("02",)),
    Fault("same_mask", "thin", 1, "04", "code", LOOPS, ROWS),
    Fault("replica_mask", "thin", 1, "04", "code", LOOPS, ROWS),
    Fault("behind", "refresh", 1, "05", "settings", LOOPS, BOTH),
    Fault("pinned", "device", 2, "07", "environment", ON_REPLICAS, ("devices",)),
    Fault("one_reader", "readers", 2, "08", "settings", IN_ONE_PROCESS, ("input",)),
    Fault("eager", "step", 2, "09", "environment", IN_ONE_PROCESS, HOST),
    Fault("new_function", "step", 2, "09", "code", SPLIT_OR_LOOP, HOST),
    Fault("host_read", "read", 2, "09", "settings", IN_ONE_PROCESS, HOST),
    Fault("one_piece", "micro", 2, "10", "settings", (SPLIT,), ("stages",)),
    Fault("larger_batch", "batch", 2, "11", "settings", ON_REPLICAS, ROWS, ("01",)),
    Fault("kept_batches", "trail", 2, "12", "settings", SPLIT_OR_LOOP, ("memory",)),
    Fault("alone", "cluster", 3, "13", "environment", ON_WORKERS, BOTH),
    Fault("whole_batch", "share", 3, "14", "settings", (ONE_FILE,), ROWS),
    Fault("first_half", "share", 3, "14", "code", (ONE_FILE,), ROWS),
    Fault("same_file", "share", 3, "14", "environment", (MANY_FILES,), ROWS),
    Fault("own_start", "start", 3, "15", "environment", ON_WORKERS, ("weights",)),
    Fault("many_sums", "pieces", 3, "16", "settings", ON_WORKERS, ("messages",)),
    Fault("unequal_files", "share", 3, "17", "data", (MANY_FILES,), ROWS),
    Fault("own_steps", "share", 3, "17", "code", (ONE_FILE,), ROWS),
    Fault("from_row_0", "resume", 3, "18", "settings", ON_WORKERS, ROWS),
    Fault("other_name", "restore", 3, "19", "file", ON_WORKERS, ("weights",)),
)

CLIPPED_PARTS = Fault("clipped_parts", "update", 1, "06", "code", LOOPS, BOTH)
READ_ALONE = Fault(
    "read_alone", "told", 3, "20", "settings", ON_WORKERS, BOTH, also=("17",)
)
# drawn apart: now and then one is there in the place of another, alone
INSTEAD = (CLIPPED_PARTS, READ_ALONE)

BY_CODE = {fault.code: fault for fault in (*FAULTS, *INSTEAD)}
