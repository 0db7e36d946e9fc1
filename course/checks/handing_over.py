"""In a grader's kernel `check` only observes: the grader judges, in another process.

The kernel gets trials, which hold the cases and no truth, and gives back plain data.
"""

from __future__ import annotations

import base64
import pickle

from IPython.core.getipython import get_ipython

from course.checks.exercises import OwnTrial, UnknownName
from course.checks.observed import to_npz
from course.checks.observing import Trial, try_out

SOURCE = "course"  # of the payloads in a reply that are for the grader

_sent: bytes | None = None
_trials: dict[str, Trial | OwnTrial] = {}


def install(trials: str) -> None:
    """Let `check` hand over what it observes, from now on.

    Args:
        trials: exercise -> Trial as `pack` wrote it.
    """
    global _sent
    _sent = base64.b64decode(trials)


def pack(trials: dict[str, Trial | OwnTrial]) -> str:
    """Return trials as text for `install`; functions are in it by name or by value."""
    import cloudpickle  # slow to import, and learners' kernels need it elsewhere only

    return base64.b64encode(cloudpickle.dumps(trials)).decode()


def is_wanted() -> bool:
    """Whether a grader waits for what is observed."""
    return _sent is not None


def trials() -> dict[str, Trial | OwnTrial]:
    """Return what a grader has sent, by exercise."""
    if not _trials and _sent:
        # only now: to load them imports what the first cells may want to set up
        _trials.update(pickle.loads(_sent))
    return _trials


def hand_over(exercise: str, answer: object, named: object) -> None:
    """Observe an answer on all cases and give that to the grader.

    Raises:
        UnknownName: no exercise has this name.
    """
    if exercise not in trials():
        known = ", ".join(trials())
        raise UnknownName(f"no exercise here is called {exercise!r}: there are {known}")
    seen = try_out(trials()[exercise], answer, named)
    data = {"exercise": exercise, "npz": base64.b64encode(to_npz(seen)).decode()}
    send("observed", data)


def send(kind: str, content: object) -> None:
    """Give the grader something, with the reply to the cell that runs.

    Args:
        kind: "observed" or "changed".
        content: plain data.
    """
    payload = {"source": SOURCE, "kind": kind, "content": content}
    get_ipython().payload_manager.write_payload(payload, single=False)
