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
            "host, whoever uses it, and a percentage of it hides even 100 MB; "
            "cpu_percent() is no memory.",
        ),
        PROPERTIES.mistake(
            "the_host",
            ("job",),
            "it is the memory of the whole host: virtual_memory() does not know the "
            "job, and grows with whatever runs there. Ask psutil.Process(pid).",
        ),
        PROPERTIES.mistake(
            "millions_of_bytes",
            ("binary",),
            "the reading is in MB of 10**6 bytes. Here 1 MB is 2**20 bytes.",
        ),
        PROPERTIES.mistake(
            "millions_of_one",
            ("binary", "child", "grandchild"),
            "the reading is in MB of 10**6 bytes, and what the job started is not in "
            "it.",
        ),
        PROPERTIES.mistake(
            "this_process",
            ("follows", "child", "grandchild", "not_others", "now"),
            "psutil.Process() without a number is the process that asks: this kernel, "
            "not the job.",
        ),
        PROPERTIES.mistake(
            "children_forgotten",
            ("child", "grandchild"),
            "what the job started (workers, loaders) is not in the number: only its "
            "own process is read, or a list of children that is out of date. Ask for "
            "the children at every call.",
        ),
        PROPERTIES.mistake(
            "grandchildren_forgotten",
            ("grandchild",),
            "children are added, but not all that they start in turn: "
            "children(recursive=True) has everything below the job.",
        ),
        PROPERTIES.mistake(
            "children_only",
            ("follows", "now"),
            "only what the job started is added up; its own process is missing.",
        ),
        PROPERTIES.mistake(
            "addresses",
            ("only_used",),
            "vms counts addresses, and data too, also those that are only reserved. "
            "What fills the memory is rss.",
        ),
        PROPERTIES.mistake(
            "addresses_of_one",
            ("only_used", "child", "grandchild"),
            "vms counts addresses, also those that are only reserved; and what the job "
            "started is not in the number.",
        ),
        PROPERTIES.mistake(
            "peak",
            ("now",),
            "the number never falls: it is the highest so far, not what is held now.",
        ),
        PROPERTIES.mistake(
            "peak_of_one",
            ("now", "child", "grandchild"),
            "the number is the highest so far, and what the job started is not in it.",
        ),
        PROPERTIES.mistake(
            "other_unit",
            ("unit",),
            "the reading is in another unit: psutil counts bytes, and asked are MB of "
            "2**20 bytes.",
        ),
        PROPERTIES.mistake(
            "other_unit_of_one",
            ("unit", "child", "grandchild"),
            "the reading is not in MB, and what the job started is not in it.",
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
            "something is added to what the job holds, or only what came since the "
            "first reading is counted.",
        ),
        PROPERTIES.mistake(
            "others_too",
            ("not_others",),
            "memory of other processes is in the number, such as this kernel's.",
        ),
    ),
    holds=holds,
    right="The reading followed a real job and all it started, in MB, up and down.",
)
