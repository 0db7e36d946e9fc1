"""Programs that train on the replicas of one process, in a loop of their own."""

from __future__ import annotations

from collections.abc import Collection

from course.lessons.n21_mystery_jobs.programs.program import Program
from course.lessons.n21_mystery_jobs.programs.slots import READ, Slots, indented
from course.lessons.n21_mystery_jobs.programs.wording import Wording


def script(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a script of functions, one in a cell."""
    s = Slots(words, faults, thinned)
    arguments = f"strategy, $w{', $SEEN' if s.refresh else ''}, settings, probe"
    helpers = [
        [
            "def read_settings_$k(folder):",
            *indented(READ),
            "    return settings",
        ],
        [
            "def feed_$k(folder, settings, strategy, probe):",
            *indented(s.feed("folder")),
        ],
        s.make_step(arguments),
    ]
    entry = [
        "def job(folder, probe):",
        *indented([*words.harmless, "settings = read_settings_$k(folder)"]),
        "    strategy = mirrored(probe.devices)",
        *indented(s.variables()),
        f"    step = make_step_$k({arguments})",
        "    batches = feed_$k(folder, settings, strategy, probe)",
        *indented(s.loop("batches", "step")),
    ]
    return s.program(helpers, entry)


def trainer(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a class that holds the weights, the step and the loop."""
    s = Slots(words, faults, thinned, own="self.")
    methods = [
        ["def feed(self):", *indented(s.feed("self.folder")), ""],
        ["def on_replica(self, ids, x, y):", *indented(s.replica()), ""],
        [
            "def make_step(self):",
            *indented(s.step("self.on_replica")),
            "",
            "    return step",
            "",
        ],
    ]
    order = words.rng.permutation(len(methods))
    klass = [
        "class Trainer$k:",
        "    def __init__(self, folder, probe):",
        "        self.folder, self.probe = folder, probe",
        *indented(READ, 2),
        "        self.settings = settings",
        "        self.strategy = mirrored(probe.devices)",
        *indented(s.variables(), 2),
        "",
        *indented([line for place in order for line in methods[place]]),
        "    def train(self):",
        "        step = self.make_step()",
        *indented(s.loop("self.feed()", "step"), 2),
    ]
    entry = [
        "def job(folder, probe):",
        *indented(list(words.harmless)),
        "    Trainer$k(folder, probe).train()",
    ]
    return s.program([klass], entry)


def helper(words: Wording, faults: Collection[str], thinned: bool) -> Program:
    """Return a job whose input pipeline stands in a file of its folder."""
    s = Slots(words, faults, thinned)
    feeding = words.text(
        '"""The input pipeline, as all our jobs use it."""',
        "",
        "import os",
        "",
        "import numpy as np",
        "import tensorflow as tf",
        "",
        "",
        "def feed(folder, settings, strategy, probe):",
        *indented(s.feed("folder")),
    )
    arguments = f"settings, strategy, probe, $w{', $SEEN' if s.refresh else ''}"
    entry = [
        "def job(folder, probe):",
        *indented([*words.harmless, *READ]),
        "    strategy = mirrored(probe.devices)",
        *indented(s.variables()),
        f"    step = make_step_$k({arguments})",
        "    feed = runpy.run_path(f'{folder}/feeding.py')['feed']",
        "    batches = feed(folder, settings, strategy, probe)",
        *indented(s.loop("batches", "step")),
    ]
    return s.program([s.make_step(arguments)], entry, **{"feeding.py": feeding + "\n"})
