"""Run known answers, keep what was observed of each, and say what is stale."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder.answers.bench import Bench
from autograder.answers.reading import Answer, read_answers
from autograder.answers.runs import SECONDS, Judged, Seen, judged, observe_answers
from autograder.build import solution_notebook
from autograder.places import CourseError, Places
from autograder.preprocessors import make_learner_version
from autograder.proof.depends import (
    Depends,
    answer_digest,
    depends_on,
    overlooked,
    seen_by,
    write_view,
)
from autograder.proof.kept import Entry, Kept, read_kept, write_kept
from autograder.proof.signature import Signature, is_found_by_name, signature_of
from autograder.source import JOBS, read_source
from course.learner.seed import DEFAULT_SEED

NEW = "it has no record"
EDITED = "its code was changed"
OTHER_CASES = "its cases are others"
LESSON = "lesson."  # begins the name of a wrong function of the lesson's own


class Room:
    """The answers of one file, with what their records depend on as things stand."""

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
        self.depends: Depends = depends_on(
            places, bench.notebook, self.trials, self.answers
        )
        self.kept: Kept | None = read_kept(path)

    @property
    def of_this_python(self) -> bool:
        """Whether the records were made with the Python that runs here."""
        return self.kept is None or self.kept.python == self.depends.python

    def stale(self) -> dict[str, str]:
        """Return why each answer has no record that fits: its name -> the reason.

        Records of another Python can't be compared: they count as they are.
        """
        kept, reason = self.kept, ""
        if kept is not None and self.of_this_python:
            changed = self.depends.changes(kept.python, kept.parts)
            if changed:
                reason = f"changed: {', '.join(changed)}"
            elif not self.trials.matches(kept.cases, kept.numbers):
                reason = OTHER_CASES
        entries = kept.entries if kept else {}
        found = {}
        for answer in self.answers:
            name = short_name(answer)
            if name not in entries:
                found[name] = NEW
            elif reason or entries[name].code != answer_digest(answer):
                found[name] = reason or EDITED
        return found

    def left_over(self) -> list[str]:
        """Return the names of records whose answers are gone."""
        names = {short_name(answer) for answer in self.answers}
        return sorted(set(self.kept.entries if self.kept else ()) - names)

    def observed(
        self, answers: Sequence[Answer], seconds: float = SECONDS
    ) -> Iterator[tuple[Answer, Seen]]:
        """Run answers as they are recorded: with no more of the course than is known.

        Raises:
            CourseError: something was read that no key has.
        """
        for some in _apart(answers):
            seen, met = seen_by(self.depends, some), []
            with tempfile.TemporaryDirectory(prefix="course-view-") as folder:
                view = write_view(seen, Path(folder))
                yield from observe_answers(
                    some, self.places, self.bench, seconds=seconds, view=view, met=met
                )
            found = {name for each in met if each for name in overlooked(seen, each)}
            if found:
                raise CourseError(
                    f"{self.path}: its answers read {', '.join(sorted(found))}, which "
                    "no record depends on. Say so in autograder/proof/depends.py."
                )

    def judged(self, seen: Seen) -> dict[str, Judged]:
        """Return what the checks say of what was observed."""
        return {name: judged(self.bench, name, data) for name, data in seen.items()}

    def kept_with(self, entries: dict[str, Entry]) -> Kept:
        """Return these entries as records of the course as it stands."""
        return Kept(
            self.depends.python,
            self.depends.parts,
            self.trials.digest,
            self.trials.numbers,
            entries,
        )


def record(room: Room) -> Iterator[str]:
    """Record what is stale in a file of answers; yield a line for each that fails.

    Each answer runs twice, in other processes and the other way round. One that does
    not agree with itself, or met a machine too busy to tell, is not kept.
    """
    stale = room.stale()
    if not stale and not room.left_over():
        return
    answers = [each for each in room.answers if short_name(each) in stale]
    entries = dict(room.kept.entries) if room.kept else {}
    for name in {*stale, *room.left_over()}:
        entries.pop(name, None)
    first = dict(_by_name(room.observed(answers))) if answers else {}
    again = dict(_by_name(room.observed(answers[::-1]))) if answers else {}
    for answer in answers:
        name = short_name(answer)
        verdicts = room.judged(first[name])
        why = difference(room.bench, first[name], again[name])
        if any(each.outcome == "NO VERDICT" for each in verdicts.values()):
            why = "this machine was too busy to tell"
        if why:
            yield f"{answer}: not kept: {why}"
            continue
        entries[name] = Entry(answer_digest(answer), told(verdicts), first[name])
        wrong = misjudged(answer, verdicts)
        if wrong:
            yield wrong
    write_kept(room.path, room.kept_with(entries))


def differences(room: Room, names: Sequence[str]) -> list[str]:
    """Run answers again; return a line for each that differs from its record."""
    wanted = [each for each in room.answers if short_name(each) in names]
    entries = room.kept.entries if room.kept else {}
    lines = []
    for answer, seen in room.observed(wanted):
        entry = entries.get(short_name(answer))
        why = difference(room.bench, entry.seen, seen) if entry else NEW
        if why:
            lines.append(f"{answer}: {why}")
    return lines


def misjudged(answer: Answer, verdicts: dict[str, Judged]) -> str:
    """Return in which verdict an answer differs from what it is known for, or ""."""
    lines = []
    for exercise, said in verdicts.items():
        came, known = (said.outcome, said.mistake), answer.expected[exercise]
        if came != known:
            lines.append(f"{answer}: {exercise} {came}, known for {known}")
            lines += [f"    {line}" for line in said.message.splitlines()]
    return "\n".join(lines)


def difference(bench: Bench, first: Seen, second: Seen) -> str:
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
            return (
                f"{name} {one.outcome} {one.mistake}, then {two.outcome} {two.mistake}"
            )
        exercise = find_exercise(name)
        if not isinstance(exercise, Exercise):
            continue
        seen = [list(from_npz(each[name]).cases) for each in (first, second)]
        if len(seen[0]) != len(seen[1]):
            return f"{name}: {len(seen[0])} cases, then {len(seen[1])}"
        cases = bench.trial(name).cases
        for number, pair in enumerate(zip(*seen, strict=True)):
            stopped = [isinstance(each, Stopped) for each in pair]
            if any(stopped):
                if not all(stopped):
                    return f"{name}: case {number + 1} stopped once"
                continue
            a, b = (exercise.reading(cases[number], each) for each in pair)
            if not a.agrees(b, exercise.tolerance, FLOAT32):
                return f"{name}: case {number + 1} gave {_words(a)}, then {_words(b)}"
    return ""


def _words(came) -> str:
    return f"{came.values.ravel()[:8].round(6).tolist()} {dict(came.counts)}"[:300]


def known_answers(places: Places, path: Path) -> list[Answer]:
    """Return the answers of a file, and what else is known for what it gets.

    That is the learner's own cell with a comment in it, and the wrong functions of the
    exercise's lesson that a module has by name.
    """
    notebook, exercise = path.parent.parent.name, path.stem
    found = read_answers(path)
    text = places.source(notebook).read_text(encoding="utf-8")
    if JOBS in text:
        return found
    shipped = _as_shipped(places, notebook, exercise)
    return [*found, shipped, *_in_lesson(notebook, exercise)]


@functools.cache
def _learners_cells(places: Places, notebook: str) -> dict[str, str]:
    source = read_source(places.source(notebook))
    learners = make_learner_version(solution_notebook(source, places.claims))
    return {
        cell.metadata.get("exercise"): cell.source
        for cell in learners.cells
        if cell.metadata.get("role") == "fix"
    }


def _as_shipped(places: Places, notebook: str, exercise: str) -> Answer:
    code = _learners_cells(places, notebook)[exercise]
    expected = {f"{notebook[:2]}/{exercise}": ("NOT ATTEMPTED", None)}
    commented = code.replace("\n", "  # a comment\n", 1)
    return Answer(notebook, f"{exercise}/as_shipped", expected, commented)


def _in_lesson(notebook: str, exercise: str) -> Iterator[Answer]:
    from course.checks.declared import find_exercise

    name = f"{notebook[:2]}/{exercise}"
    for mistake in find_exercise(name).mistakes:
        made = mistake.function
        if made is not None and is_found_by_name(made):
            code = f"from {made.__module__} import {made.__name__} as {exercise}"
            expected = {name: ("WRONG", mistake.code)}
            yield Answer(notebook, f"{exercise}/{LESSON}{mistake.code}", expected, code)


def _apart(answers: Sequence[Answer]) -> Iterator[list[Answer]]:
    """Give a lesson's functions apart: the others must do without what these import."""
    for lesson in (False, True):
        some = [a for a in answers if short_name(a).startswith(LESSON) == lesson]
        if some:
            yield some


def short_name(answer: Answer) -> str:
    """Return an answer's name in its file, such as sum_of_means."""
    return answer.name.rpartition("/")[2]


def told(verdicts: dict[str, Judged]) -> str:
    """Return verdicts as the index has them: "WRONG sum_of_means"."""
    said = {k: f"{v.outcome} {v.mistake or ''}".strip() for k, v in verdicts.items()}
    if len(said) == 1:
        return next(iter(said.values()))
    return ", ".join(f"{name[3:]}: {each}" for name, each in sorted(said.items()))


def _by_name(
    seen: Iterable[tuple[Answer, Seen]],
) -> Iterator[tuple[str, Seen]]:
    return ((short_name(answer), each) for answer, each in seen)


def bench_of(places: Places, path: Path) -> Bench:
    """Return the bench for a file of answers, with the learners' own seed."""
    return Bench(places, path.parent.parent.name, DEFAULT_SEED)
