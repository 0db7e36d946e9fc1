"""Further exercise: a monitor that measures what it says, held to real processes."""

from __future__ import annotations

from course.lessons.n12_out_of_memory.readings import (
    PROPERTIES,
    draw,
    holds,
    observe,
)

MY_MONITOR = PROPERTIES.exercise(
    "12/my_monitor",
    draw,
    observe,
    mistakes=(
        PROPERTIES.mistake(
            "not_the_job",
            ("follows", "child", "grandchild", "now"),
            "the number does not follow the job at all. virtual_memory() is about the "
            "whole host, and a percentage of that hides even 100 MB. cpu_percent() is "
            "no memory.",
        ),
        PROPERTIES.mistake(
            "the_host",
            ("job",),
            "it is the memory of the whole host: virtual_memory() knows no job, and "
            "grows with every process there. Ask psutil.Process(pid).",
        ),
        PROPERTIES.mistake(
            "millions_of_bytes",
            ("binary",),
            "the reading is in MB of 10**6 bytes. Here 1 MB is 2**20 bytes.",
        ),
        PROPERTIES.mistake(
            "millions_of_one",
            ("binary", "child", "grandchild"),
            "the reading is in MB of 10**6 bytes, and the processes that the job "
            "started are missing.",
        ),
        PROPERTIES.mistake(
            "this_process",
            ("follows", "child", "grandchild", "not_others", "now"),
            "psutil.Process() without a number is the process that calls it: this "
            "kernel, not the job.",
        ),
        PROPERTIES.mistake(
            "children_forgotten",
            ("child", "grandchild"),
            "the processes that the job started (workers, loaders) are missing: only "
            "its own process is read, or an outdated list of children. Ask for the "
            "children at every call.",
        ),
        PROPERTIES.mistake(
            "grandchildren_forgotten",
            ("grandchild",),
            "the job's children are added, but not all of their own children: "
            "children(recursive=True) has every process below the job.",
        ),
        PROPERTIES.mistake(
            "children_only",
            ("follows", "now"),
            "only the processes that the job started are added up. Its own is missing.",
        ),
        PROPERTIES.mistake(
            "addresses",
            ("only_used",),
            "vms (and data) count addresses, even those that are only reserved. rss is "
            "what fills the memory.",
        ),
        PROPERTIES.mistake(
            "addresses_of_one",
            ("only_used", "child", "grandchild"),
            "vms counts addresses, even those that are only reserved. And the "
            "processes that the job started are missing.",
        ),
        PROPERTIES.mistake(
            "peak",
            ("now",),
            "the number never falls: it is the highest so far, not what is held now.",
        ),
        PROPERTIES.mistake(
            "peak_of_one",
            ("now", "child", "grandchild"),
            "the number is the highest so far, and the processes that the job started "
            "are missing.",
        ),
        PROPERTIES.mistake(
            "other_unit",
            ("unit",),
            "the reading is in another unit. psutil counts bytes: return MB of 2**20 "
            "bytes.",
        ),
        PROPERTIES.mistake(
            "other_unit_of_one",
            ("unit", "child", "grandchild"),
            "the reading is not in MB, and the processes that the job started are "
            "missing.",
        ),
        PROPERTIES.mistake(
            "counted_twice",
            ("once",),
            "a process is counted more than once, or in another unit than the others. "
            "children(recursive=True) has each of them once, without the job itself.",
        ),
        PROPERTIES.mistake(
            "only_changes",
            ("level",),
            "something is added to what the job holds, or only the growth since the "
            "first reading is counted.",
        ),
        PROPERTIES.mistake(
            "others_too",
            ("not_others",),
            "memory of other processes is in the number, such as this kernel's.",
        ),
    ),
    holds=holds,
    right="The reading followed a real job and all that it started, up and down.",
)
