"""Ask the judge, a process that never runs a line of a submission, for verdicts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from autograder.grading import judge_process
from autograder.grading.child import Child, NoAnswer
from autograder.places import CourseError

PREPARE_SECONDS = 300.0  # its first notebook waits for TensorFlow, too
JUDGE_SECONDS = 120.0
ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}


class Unjudgeable(Exception):
    """What was observed is nothing that the judge can make a verdict of."""


@dataclass(frozen=True)
class Trials:
    """What the checks of a notebook try out.

    packed: as `course.checks.handing_over.pack` wrote it.
    names: module and name of what kernels need for it; all of a module is "*".
    """

    packed: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Judged:
    """A verdict, as it is shown.

    data: for reports and graders, as `Verdict.data` gives it.
    bundle: the outputs that show it, by type.
    failed: the line of the error that goes with it; "" where it is RIGHT.
    """

    data: Mapping[str, object]
    bundle: Mapping[str, object]
    failed: str


class Judge(Child):
    """The judge's process, started at once, and anew where it died or took too long."""

    def __init__(self, wished: Callable[[], bool] = lambda: False) -> None:
        """Start the process.

        Args:
            wished: whether somebody wishes to stop; it is not waited for then.
        """
        self._prepared: dict[str, dict] = {}
        self._folder = tempfile.mkdtemp(prefix="course-judge-")
        try:
            name = judge_process.__name__
            super().__init__(name, ENVIRONMENT, wished, [self._folder])
        except BaseException:
            self._remove_folder()
            raise

    def __exit__(self, *error: object) -> None:
        """End the process and remove its folder: a killed process can't."""
        super().__exit__(*error)
        self._remove_folder()

    def _remove_folder(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def prepare(
        self, notebook: str, exercises: Sequence[str], composed: dict | None, seed: int
    ) -> Trials:
        """Compute the truths of a notebook, and return its trials for the kernels.

        Raises:
            CourseError: that failed; it is no submission's doing.
            KeyboardInterrupt: somebody wishes to stop.
        """
        asked = {"exercises": exercises, "composed": composed, "seed": seed}
        try:
            trials = self._ask("prepare", PREPARE_SECONDS, asked)
        except NoAnswer as error:
            raise CourseError(
                f"The truths of {notebook} can't be computed: {error}. Its solution "
                "notebook shows whether the course works on this machine."
            ) from None
        self._prepared[notebook] = asked
        return Trials(*trials)

    def judge(
        self, exercise: str, seed: int, npz: bytes, solved: Collection[str]
    ) -> Judged:
        """Return the verdict on what was observed of an answer.

        Args:
            exercise: such as "02/my_step", of a notebook that was prepared.
            seed: of the class.
            npz: what the kernel handed over.
            solved: exercises that this submission has RIGHT so far.

        Raises:
            Unjudgeable: that is nothing a check observes; says why.
        """
        asked = {"exercise": exercise, "seed": seed, "npz": npz, "solved": [*solved]}
        try:
            return Judged(**self._ask("judge", JUDGE_SECONDS, asked))
        except NoAnswer as error:
            raise Unjudgeable(error) from None

    def _ask(self, task: str, seconds: float, asked: dict) -> object:
        prepared = self._prepared.values()
        again = [("prepare", PREPARE_SECONDS, each) for each in prepared]
        return self.ask(task, seconds, asked, lambda: again)
