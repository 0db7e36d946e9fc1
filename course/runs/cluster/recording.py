"""What the processes of a cluster did: where each was over time, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from course.checks.failures import StepFailed, WrongReturn

Line = tuple[str, int, str]  # function, number, text


@dataclass(frozen=True)
class Beat:
    """Where a process was at one moment.

    at: seconds since the cluster's start.
    lines: (function, line number, text) of its own code, outermost first.
    facts: what it has told by `note`.
    inside: the library whose code it runs, such as "TensorFlow"; "" for other code.
    """

    at: float
    lines: tuple[Line, ...]
    facts: Mapping[str, object]
    inside: str = ""

    @property
    def place(self) -> str:
        """Where it is, such as "inside TensorFlow, called from step, line 4: w"."""
        if self.lines:
            where = line_in_words(self.lines[-1])
        else:
            where = "the training loop" if "step" in self.facts else "its start"
        if self.inside:
            return f"inside {self.inside}, called from {where}"
        return f"in {where}"


def line_in_words(line: Line) -> str:
    """Return a line of code as words, such as "step, line 4: w"."""
    function, number, text = line
    return f"{function}, line {number}: {text}"


@dataclass(frozen=True)
class End:
    """How one process ended.

    name: such as "worker 0".
    outcome: "returned"; "raised", with `error`; "left", by itself; "killed", by us or
        the system; "waited", when it was stopped because it would never end. While
        the cluster runs: "running", or "halted".
    value: what the function returned.
    error: the name of the exception's class, and `sentences` what it says.
    beats: where it was, from its start until now, or to its end.
    log: all that it wrote to stdout and stderr, TensorFlow's own lines too.
    """

    name: str
    outcome: str
    value: object
    error: str
    sentences: tuple[str, ...]
    beats: tuple[Beat, ...]
    log: str

    @property
    def facts(self) -> Mapping[str, object]:
        """What it has told by `note` until its end."""
        return self.beats[-1].facts if self.beats else {}

    @property
    def line(self) -> str:
        """The innermost own line it was last seen in, such as "step, line 4: w"."""
        lines = [beat.lines[-1] for beat in self.beats if beat.lines]
        return line_in_words(lines[-1]) if lines else ""

    @property
    def place(self) -> str:
        """Where it is now, in words; "in its start" until its first beat."""
        return self.beats[-1].place if self.beats else "in its start"

    def __str__(self) -> str:
        told = f"{self.name} {self.outcome}"
        if self.outcome == "raised":
            return f"{told} {self.error}: {' '.join(self.sentences)}"
        return f"{told} at {self.line}" if self.outcome == "waited" else told


@dataclass(frozen=True)
class ClusterRun:
    """What all processes of a cluster did.

    seconds: from the start to the end of the last.
    worked_on: whether one of them had to be stopped while it worked.
    """

    ends: tuple[End, ...]
    seconds: float
    worked_on: bool = False

    def __getitem__(self, name: str) -> End:
        for end in self.ends:
            if end.name == name:
                return end
        raise KeyError(f"no process {name!r}; there are {[e.name for e in self.ends]}")

    def values(self) -> list[object]:
        """Return what each process returned, in order.

        Raises:
            StepFailed: one of them did not return; says which, and why.
        """
        for outcome in ("left", "killed", "raised", "waited"):  # causes come first
            for end in self.ends:
                if end.outcome == "raised" == outcome:
                    wrong_kind = end.error == WrongReturn.__name__
                    error = WrongReturn if wrong_kind else StepFailed
                    raise error((f"On {end.name}:", *end.sentences))
                if end.outcome == outcome:
                    raise StepFailed((f"{str(end).capitalize()}.",))
        return [end.value for end in self.ends]
