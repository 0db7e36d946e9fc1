"""Which records are stale, how they are made, and how a second run compares."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from autograder.answers.bench import Bench
from autograder.answers.reading import Answer
from autograder.answers.runs import (
    SECONDS,
    Judged,
    Observations,
    judged,
    observe_answers,
)
from autograder.places import CourseError, Places
from autograder.proof.depends import (
    Dependencies,
    answer_digest,
    dependencies_of,
    undeclared,
    visible_to,
    write_view,
)
from autograder.proof.known import LESSON, known_answers, short_name
from autograder.proof.signature import Signature, signature_of
from autograder.proof.store import Record, RecordFile, read_records, write_records
from course.learner.seed import DEFAULT_SEED

NEW = "it has no record"
EDITED = "its code was changed"
OTHER_CASES = "its cases are others"
NO_VERDICT = "NO VERDICT"


class AnswerFile:
    """The answers of one file, their records, and what these depend on now."""

    def __init__(self, places: Places, path: Path, bench: Bench) -> None:
        """Read one file of answers.

        Args:
            places: of the course.
            path: such as solutions/02_replicas_drift_apart/answers/my_step.py.
            bench: of its notebook, with the learners' seed.
        """
        self.places, self.path, self.bench = places, path, bench
        self.answers = known_answers(places, path)
        exercises = sorted({name for each in self.answers for name in each.expected})
        self.trials: Signature = signature_of(
            {name: bench.trial(name) for name in exercises}
        )
        self.dependencies: Dependencies = dependencies_of(
            places, bench.notebook, self.trials, self.answers
        )
        self.stored: RecordFile | None = read_records(path)

    @property
    def records(self) -> dict[str, Record]:
        """The records as they are stored: name of an answer -> its record."""
        return self.stored.records if self.stored else {}

    @property
    def of_this_python(self) -> bool:
        """Whether the records were made with the Python that runs here."""
        return self.stored is None or self.stored.python == self.dependencies.python

    def stale(self) -> dict[str, str]:
        """Return why each answer has no record that fits: its name -> the reason.

        Records of another Python can't be compared: they count as they are.
        """
        reason = ""
        if self.stored and self.of_this_python:
            stored = self.stored
            changed = self.dependencies.changes(stored.python, stored.parts)
            if changed:
                reason = f"changed: {', '.join(changed)}"
            elif not self.trials.matches(stored.cases, stored.numbers):
                reason = OTHER_CASES
        found = {}
        for answer in self.answers:
            name = short_name(answer)
            if name not in self.records:
                found[name] = NEW
            elif reason or self.records[name].code != answer_digest(answer):
                found[name] = reason or EDITED
        return found

    @property
    def of_these_cases(self) -> bool:
        """Whether what is stored was observed in the cases that are drawn now."""
        stored = self.stored
        return bool(
            stored
            and self.of_this_python
            and self.trials.matches(stored.cases, stored.numbers)
        )

    def old_record(self, answer: Answer) -> Record | None:
        """Return the record of this very answer in these very cases, stale or not."""
        found = self.records.get(short_name(answer)) if self.of_these_cases else None
        return found if found and found.code == answer_digest(answer) else None

    def left_over(self) -> list[str]:
        """Return the names of records whose answers are gone."""
        return sorted(self.records.keys() - {short_name(each) for each in self.answers})

    def observe(
        self, answers: Sequence[Answer], seconds: float = SECONDS
    ) -> Iterator[tuple[Answer, Observations]]:
        """Run answers in processes that see no more of the course than is in the key.

        Raises:
            CourseError: a file was read, or a module imported, that is not in the key.
        """
        for some in _apart(answers):
            visible = visible_to(self.dependencies, some)
            loaded: list[dict] = []
            with tempfile.TemporaryDirectory(prefix="course-view-") as folder:
                view = write_view(visible, Path(folder))
                yield from observe_answers(
                    some,
                    self.places,
                    self.bench,
                    seconds=seconds,
                    view=view,
                    loaded=loaded,
                )
            found = {n for each in loaded if each for n in undeclared(visible, each)}
            if found:
                raise CourseError(
                    f"{self.path}: its answers read {', '.join(sorted(found))}, which "
                    "no record depends on. Say so in autograder/proof/depends.py."
                )

    def verdicts(self, observations: Observations) -> dict[str, Judged]:
        """Return what the checks say of observations: exercise -> verdict."""
        return {
            name: judged(self.bench, name, data) for name, data in observations.items()
        }


def record(file: AnswerFile, done: Callable[[int], object]) -> Iterator[str]:
    """Record what is stale in a file of answers; yield a line for each that fails.

    Each answer is observed twice, in separate processes and in opposite order. An
    answer that does not agree with itself, or ran on a machine too busy to tell, gets
    no record. Where only the code around an answer was changed, its old record counts
    as the first run: an answer that agrees with it runs once.

    Args:
        file: the answers.
        done: called with the number of runs that are done, or not needed.
    """
    stale, left_over = file.stale(), file.left_over()
    if not stale and not left_over:
        return
    answers = [each for each in file.answers if short_name(each) in stale]
    first = _counted(file, answers, done)
    second, again = {}, []
    for answer in answers:
        name = short_name(answer)
        old = file.old_record(answer)
        if old and _agree(file.bench, old.observations, first[name]):
            second[name] = old.observations
            if _same_cards(file, old.observations, first[name]):
                # it stays byte for byte, so that a diff shows what changed
                first[name], second[name] = second[name], first[name]
            done(1)
        else:
            again.append(answer)
    second |= _counted(file, again[::-1], done)
    gone = {*stale, *left_over}
    records = {name: r for name, r in file.records.items() if name not in gone}
    for answer in answers:
        name = short_name(answer)
        verdicts = file.verdicts(first[name])
        why = difference(file.bench, first[name], second[name])
        if any(each.outcome == NO_VERDICT for each in verdicts.values()):
            why = "this machine was too busy to tell. Run `course record` again"
        if why:
            yield f"{answer}: not kept: {why}"
            continue
        line = verdict_line(verdicts)
        records[name] = Record(answer_digest(answer), line, first[name])
        yield from misjudged(answer, verdicts)
    now, trials = file.dependencies, file.trials
    # another processor rounds the numbers otherwise: no reason for another file
    numbers = file.stored.numbers if file.of_these_cases else trials.numbers
    write_records(
        file.path, RecordFile(now.python, now.parts, trials.digest, numbers, records)
    )


def _counted(
    file: AnswerFile, answers: Sequence[Answer], done: Callable[[int], object]
) -> dict[str, Observations]:
    found = {}
    for answer, observations in file.observe(answers):
        found[short_name(answer)] = observations
        done(1)
    return found


def _agree(bench: Bench, old: Observations, new: Observations) -> bool:
    try:
        return not difference(bench, old, new)
    except Exception:  # the old record has another format
        return False


def _same_cards(file: AnswerFile, old: Observations, new: Observations) -> bool:
    """Whether two observations give the same cards, word by word."""
    one, two = file.verdicts(old), file.verdicts(new)
    return [each.message for each in one.values()] == [
        each.message for each in two.values()
    ]


def differences(file: AnswerFile, names: Collection[str]) -> list[str]:
    """Run answers again; return a line for each that differs from its record.

    Where this machine is too busy to tell, the answer runs once more.
    """
    wanted = [each for each in file.answers if short_name(each) in names]
    found = _differences(file, wanted)
    unclear = [each for each in wanted if NO_VERDICT in found[short_name(each)]]
    found |= _differences(file, unclear)
    return [f"{each}: {why}" for each in wanted if (why := found[short_name(each)])]


def _differences(file: AnswerFile, answers: Sequence[Answer]) -> dict[str, str]:
    found = {}
    for answer, observations in file.observe(answers):
        name = short_name(answer)
        stored = file.records.get(name)
        found[name] = (
            difference(file.bench, stored.observations, observations) if stored else NEW
        )
    return found


def misjudged(answer: Answer, verdicts: dict[str, Judged]) -> list[str]:
    """Return lines on each verdict that is not the one an answer is known for."""
    lines = []
    for exercise, said in verdicts.items():
        came, known = (said.outcome, said.mistake), answer.expected[exercise]
        if came != known:
            lines.append(f"{answer}: {exercise} {came}, known for {known}")
            lines += [f"    {line}" for line in said.message.splitlines()]
    return lines


def difference(bench: Bench, first: Observations, second: Observations) -> str:
    """Return how two observations of one answer differ, or "".

    They agree with the same verdict, mistake and counts, and with values within the
    exercise's tolerance.
    """
    from course.checks.declared import find_exercise
    from course.checks.exercises import Exercise
    from course.checks.judging import FLOAT32
    from course.checks.observed import Stopped, from_npz

    for name in first:
        one, two = (judged(bench, name, each[name]) for each in (first, second))
        if (one.outcome, one.mistake) != (two.outcome, two.mistake):
            verdicts = (
                f"{name} {one.outcome} {one.mistake}, then {two.outcome} {two.mistake}"
            )
            return "\n    ".join((verdicts, *two.message.splitlines()))
        exercise = find_exercise(name)
        if not isinstance(exercise, Exercise):
            continue
        runs = [list(from_npz(each[name]).cases) for each in (first, second)]
        if len(runs[0]) != len(runs[1]):
            return f"{name}: {len(runs[0])} cases, then {len(runs[1])}"
        cases = bench.trial(name).cases
        for number, pair in enumerate(zip(*runs, strict=True)):
            stopped = [isinstance(each, Stopped) for each in pair]
            if any(stopped):
                if not all(stopped):
                    return f"{name}: case {number + 1} stopped once"
                continue
            a, b = (exercise.reading(cases[number], each) for each in pair)
            if not a.agrees(b, exercise.tolerance, FLOAT32):
                return f"{name}: case {number + 1} gave {_start(a)}, then {_start(b)}"
    return ""


def _start(observation) -> str:
    values = observation.values.ravel()[:8].round(6).tolist()
    return f"{values} {dict(observation.counts)}"[:300]


def _apart(answers: Sequence[Answer]) -> Iterator[list[Answer]]:
    """Give a lesson's functions apart: the others must do without what these import."""
    for lesson in (False, True):
        some = [a for a in answers if short_name(a).startswith(LESSON) == lesson]
        if some:
            yield some


def verdict_line(verdicts: dict[str, Judged]) -> str:
    """Return verdicts as the index has them: "WRONG sum_of_means"."""
    said = {k: f"{v.outcome} {v.mistake or ''}".strip() for k, v in verdicts.items()}
    if len(said) == 1:
        return next(iter(said.values()))
    return ", ".join(f"{name[3:]}: {each}" for name, each in sorted(said.items()))


def bench_of(places: Places, path: Path) -> Bench:
    """Return the bench for a file of answers, with the learners' own seed."""
    return Bench(places, path.parent.parent.name, DEFAULT_SEED)
