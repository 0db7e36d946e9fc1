"""Answers to 06/my_first_misplaced, right and wrong, and what the check says."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def all_at_once(shares, applied):
    """All steps together, with arrays."""
    with np.errstate(invalid="ignore"):
        total = shares.sum(axis=1)
    finite = np.isfinite(total).all(axis=1)
    total = np.where(finite[:, None], total, 0.0)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    wanted = total / np.maximum(length / LIMIT, 1.0)
    off = np.flatnonzero(np.abs(applied - wanted).max(axis=1) > 1e-5)
    return (off[0], finite[off[0]]) if len(off) else None


@right
def two_questions(shares, applied):
    """Ask for the check where a share is not finite, elsewhere for the clip."""
    for step, (own, done) in enumerate(zip(shares, applied, strict=True)):
        if not np.isfinite(own).all():
            if np.any(done != 0):
                return step, 0
            continue
        total = own.sum(axis=0)
        length = float(np.hypot(*total))
        if length > LIMIT:
            total = total / length * LIMIT
        if not np.allclose(total, done, rtol=0, atol=1e-6):
            return step, 1
    return None


@wrong
@changed(two_questions, ("return step, 1", "return step, int(np.abs(own).sum())"))
def rule_is_a_size():
    """Something else in the place of the rule: none of the known mistakes."""


@wrong
@changed(two_questions, ("return step, 1", "return step"))
def only_the_step():
    """Forget the rule."""


@wrong("compared_exactly")
@changed(
    all_at_once,
    ("np.abs(applied - wanted).max(axis=1) > 1e-5", "(applied != wanted).any(axis=1)"),
)
def no_tolerance():
    """Compare with !=."""


@wrong("compared_exactly")
@changed(two_questions, ("atol=1e-6", "atol=1e-12"))
def hardly_a_tolerance():
    """A tolerance of float64."""


@wrong("zeros_blamed")
@changed(
    two_questions,
    (
        """
            if np.any(done != 0):
                return step, 0
            continue""",
        """
            return step, 0""",
    ),
)
def zeros_too():
    """Blame the check wherever a share is not finite."""


@wrong("lengths_of_shares_only")
def a_long_share(shares, applied):
    """Look for a share that is too long."""
    for step, own in enumerate(shares):
        if max(np.linalg.norm(share) for share in own) > LIMIT:
            return step, 1
    return None


@wrong("last_not_first")
def the_last(shares, applied):
    """Go on to the end."""
    found = None
    for step, (own, done) in enumerate(zip(shares, applied, strict=True)):
        total = own.sum(axis=0)
        finite = np.isfinite(total).all()
        if finite:
            total = total * min(1.0, LIMIT / np.linalg.norm(total))
        else:
            total = np.zeros(2)
        if np.abs(done - total).max() > 1e-5:
            found = step, int(finite)
    return found
