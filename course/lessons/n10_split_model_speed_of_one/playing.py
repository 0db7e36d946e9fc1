"""This notebook's instrument: stages, micro-batches, and where backward work runs."""

from __future__ import annotations

from course.lessons.n10_split_model_speed_of_one.pipeline import (
    STAGES,
    Gradients,
    Pipeline,
    PipelineRun,
    in_micro_batches,
    run_stages,
)
from course.lessons.n10_split_model_speed_of_one.pipeline_film import (
    pipeline_film,
    told,
)
from course.runs.devices import virtual_devices
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

OWN, NONE = "the stage's own", "no device"
EQUAL = -1  # no stage is slow


def fill_the_pipeline() -> None:
    """Show which stage works when, for stages, micro-batches and devices to turn."""
    numbers = {str(n): n for n in (2, 3, 4)}
    micro = {str(n): n for n in (1, 2, 4, 8)}
    balance = {"all equal": EQUAL, "stage 1 twice as slow": 1}
    second = virtual_devices(STAGES)[1]
    devices = {OWN: OWN, NONE: NONE, second: second}
    function = {"ours": in_micro_batches}
    instrument(
        [
            Choice("stages", "stages", numbers, 4),
            Choice("micro", "micro-batches", micro, 1),
            Choice("slow", "work", balance, EQUAL),
            Choice("backward", "backward passes ask for", devices, OWN),
            Choice(
                "function", "step", function, in_micro_batches, "10/my_pipeline_grads"
            ),
        ],
        run,
        pipeline_film,
        told,
    )


def run(
    stages: int, micro: int, slow: int, backward: str, function: Gradients
) -> PipelineRun:
    """Run a step; backward is OWN, NONE, or a device that surrounds the step."""
    around = "" if backward in (OWN, NONE) else backward
    one = None if slow == EQUAL else slow
    pipeline = Pipeline(stages, micro, one, backward == OWN, around)
    mine = function is not in_micro_batches
    return run_stages(function, pipeline, function.__name__ if mine else "")
