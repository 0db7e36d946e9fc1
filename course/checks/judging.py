"""Judge what an answer gave: compare with the truth, match known mistakes.

Here is data alone. What runs an answer is `observing`; no line of one runs here.
"""

from __future__ import annotations

import hashlib

import numpy as np

from course.checks.cases import draw
from course.checks.declared import find_exercise
from course.checks.exercises import Exercise, Mistake, Observation, OwnCheck, Sign
from course.checks.observed import Observed, Stopped
from course.checks.verdicts import Outcome, Verdict

FLOAT32 = 1e-5  # relative: mistakes are computed in float64, answers run in float32


class Reference:
    """The cases of one exercise, what they must give, and what its mistakes give.

    Each truth is computed once, when it is first asked for.
    """

    def __init__(self, exercise: Exercise, seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self.cases = draw(exercise, seed)
        self._truths: dict[int, Observation] = {}
        self._seen: dict[tuple[str, int], Observation] = {}

    def truth(self, case: int) -> Observation:
        """Return the truth for the case of this number."""
        if case not in self._truths:
            self._truths[case] = self.exercise.expect(self.cases[case])
        return self._truths[case]

    def seen(self, mistake: Mistake, case: int) -> Observation:
        """Return what `mistake` gives on the case of this number."""
        key = mistake.code, case
        if key not in self._seen:
            self._seen[key] = mistake.observe(self.cases[case])
        return self._seen[key]


References = dict[tuple[str, int], Reference]  # by exercise and seed


def judge(
    exercise: str, seed: int, seen: Observed, references: References | None = None
) -> Verdict:
    """Return the verdict on what an answer to `exercise` gave.

    Args:
        exercise: its name, such as "02/my_step".
        seed: the cases were drawn from it.
        seen: what the answer gave; no more cases are asked for than are needed.
        references: who judges many answers gives an empty dictionary at first, so that
            truths are computed once.

    Raises:
        UnknownName: no exercise has this name.
    """
    found = find_exercise(exercise)
    if isinstance(found, OwnCheck):
        return found.judge(seen.own, seed)
    if seen.kind:
        name = exercise.split("/")[1]
        line = f"check got {seen.kind} instead of the function {name}."
        return Verdict(exercise, Outcome.WRONG, seed, (line,), unlabelled=True)
    references = {} if references is None else references
    if (exercise, seed) not in references:
        references[exercise, seed] = Reference(found, seed)
    reference = references[exercise, seed]
    if seen.shipped:
        return _not_attempted(reference)
    got, wrong = [], []
    for number, came in enumerate(seen.cases):
        case = reference.cases[number]
        if isinstance(came, Stopped):
            if came.busy and wrong:
                break
            return _stopped(reference, case, came)
        got.append(found.reading(case, came))
        if got[-1].agrees(reference.truth(number), found.tolerance):
            continue
        wrong.append(number)
        # one wrong result may fit a mistake by chance, and so may zeros everywhere: two
        # that tell something have to agree; of signs, a later case may show one more
        telling = sum(_tells(got[each]) for each in wrong)
        if found.signs or telling < found.agreeing:
            continue
        if len(matching_mistakes(reference, got)) == 1:
            break
    if not wrong:
        return _right(reference, len(got))
    return _wrong(reference, seen, got, wrong[0])


def _stopped(reference: Reference, case: object, came: Stopped) -> Verdict:
    """Return the verdict on an answer that gave nothing to compare on a case."""
    outcome = Outcome.CRASHED
    if came.busy:
        outcome = Outcome.NO_VERDICT
    elif came.returned:
        outcome = Outcome.WRONG
    lines = (f"Called with {case}.", *came.sentences)
    # what was returned says it all: no further cause is to be named
    return Verdict(
        reference.exercise.name, outcome, reference.seed, lines, unlabelled=True
    )


def matching_mistakes(reference: Reference, got: list[Observation]) -> list[Mistake]:
    """Return the known mistakes that give these observations on the first cases.

    Signs count as one mistake, and only where they explain all that came.
    """
    exercise, tolerance = reference.exercise, reference.exercise.tolerance
    signs = [sign for sign in exercise.signs if _shows(sign, reference, got)]
    known = [*exercise.mistakes, *([exercise.showing(signs)] if signs else [])]
    return [
        mistake
        for mistake in known
        if all(
            came.agrees(reference.seen(mistake, number), tolerance, FLOAT32)
            for number, came in enumerate(got)
        )
    ]


def _tells(came: Observation) -> bool:
    """Whether a result is more than one and the same number, or none."""
    values = came.values
    return bool(values.size and np.isfinite(values).all() and np.ptp(values) > 0)


def _shows(sign: Sign, reference: Reference, got: list[Observation]) -> bool:
    """Whether these observations have a fault already, which the truths have not."""
    tolerance, changes_truth = reference.exercise.tolerance, False
    for number, came in enumerate(got):
        case, truth = reference.cases[number], reference.truth(number)
        if not came.agrees(sign.change(case, came), tolerance, FLOAT32):
            return False
        changes_truth |= not truth.agrees(sign.change(case, truth), tolerance, FLOAT32)
    return changes_truth


def _right(reference: Reference, judged: int) -> Verdict:
    exercise, seed = reference.exercise, reference.seed
    if judged < len(reference.cases):
        raise ValueError(
            f"{exercise.name}: {judged} of {len(reference.cases)} cases were observed."
        )
    cases = "; ".join(map(str, reference.cases))
    lines = (f"{exercise.right} Cases: {cases}.",)
    return Verdict(exercise.name, Outcome.RIGHT, seed, lines)


def _wrong(
    reference: Reference, seen: Observed, got: list[Observation], first: int
) -> Verdict:
    """Return the verdict on observations of which the one numbered `first` is wrong."""
    exercise, case = reference.exercise, reference.cases[first]
    mistake = next(iter(matching_mistakes(reference, got)), None)
    difference = exercise.compare(case, got[first], reference.truth(first))
    lines = [f"Called with {case}.", difference.came, difference.expected]
    if mistake and mistake.code == exercise.shipped_mistake.code:
        lines.append(_same_as_shipped(exercise, seen, len(got)))
    return Verdict(
        exercise.name,
        Outcome.WRONG,
        reference.seed,
        tuple(lines),
        mistake=mistake.code if mistake else None,
        cause=mistake.cause if mistake else None,
        where=difference.where,
        place=difference.place,
        fingerprint=mistake.code if mistake else _digest(got),
    )


def _not_attempted(reference: Reference) -> Verdict:
    # the shipped code's result is that of a known mistake: no need to run it
    exercise = reference.exercise
    for number in range(len(reference.cases)):
        shipped = reference.seen(exercise.shipped_mistake, number)
        truth = reference.truth(number)
        if not shipped.agrees(truth, exercise.tolerance):
            break
    case = reference.cases[number]
    difference = exercise.compare(case, shipped, truth)
    lines = (
        f"{exercise.name.split('/')[1]} is still the same code as "
        f"{exercise.broken_name}. Change it in its own cell, run that cell, then run "
        "this check again.",
        f"Called as shipped with {case}. {difference.came} {difference.expected}",
    )
    return Verdict(exercise.name, Outcome.NOT_ATTEMPTED, reference.seed, lines)


def _digest(got: list[Observation]) -> str:
    parts = [repr((np.round(o.values, 4).tolist(), dict(o.counts))) for o in got]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def _same_as_shipped(exercise: Exercise, seen: Observed, judged: int) -> str:
    on = "this case" if judged == 1 else f"the {judged} cases that were run"
    if seen.shipped is None:
        return (
            f"On {on}, the shipped code gives the same result. (The cell with "
            f"{exercise.broken_name} has not run: run it, and the check can tell "
            "whether you changed anything.)"
        )
    return (
        f"On {on}, the shipped code gives the same result. What you changed in "
        f"{exercise.name.split('/')[1]} makes no difference there; a change in "
        f"{exercise.broken_name} does not count."
    )
