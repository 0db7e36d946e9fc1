"""This notebook's instrument: lines of a training loop, switched on and off."""

from __future__ import annotations

from course.lessons.n09_four_devices_speed_of_one.loop_film import loop_film, told
from course.lessons.n09_four_devices_speed_of_one.switched_loop import (
    IN_THE_LOOP,
    MADE_ONCE,
    NO_GRAPH,
    Lines,
    LoopRun,
    run_lines,
)
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice, Switch


def switch_lines() -> None:
    """Show when host and replicas work, for lines of the loop to switch."""
    for graph in (NO_GRAPH, MADE_ONCE):
        run(graph)  # what TensorFlow makes once in a process shows in no figure
    graphs = {name: name for name in (NO_GRAPH, MADE_ONCE, IN_THE_LOOP)}
    instrument(
        [
            Choice("graph", "tf.function around run", graphs, NO_GRAPH),
            Switch("reads", "float(loss)", True),
            Switch("new_rate", "a new rate in each step", True),
            Switch("prints", "print in the step"),
            Switch("tf_prints", "tf.print in the step"),
            Switch("checks", "check_numerics"),
            Switch("ahead", "calls return at once, as with a GPU"),
        ],
        run,
        loop_film,
        told,
        idle=idle_knobs,
    )


def idle_knobs(graph: str, **lines: bool) -> dict[str, str]:
    """Return, for each knob that changes nothing now, why it does not."""
    if graph == NO_GRAPH:
        return {
            "new_rate": "Without a tf.function there is no graph to make again.",
            "checks": "Without a tf.function the replicas work in turn anyway.",
        }
    if graph == IN_THE_LOOP:
        return {"new_rate": "Each step has a new tf.function, which makes a graph."}
    return {}


def run(graph: str, **lines: bool) -> LoopRun:
    """Run the loop with these lines; names as in `Lines`."""
    return run_lines(Lines(graph, **lines))
