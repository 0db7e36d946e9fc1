"""The verdict on one answer: its data, the card it shows, the short error it raises."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

MIME_TYPE = "application/vnd.course.verdict+json"


class Outcome(StrEnum):
    """What a check can say; equal to its word, as data and records hold it."""

    RIGHT = "RIGHT"
    WRONG = "WRONG"
    CRASHED = "CRASHED"
    NOT_ATTEMPTED = "NOT ATTEMPTED"
    NO_VERDICT = "NO VERDICT"  # the machine's doing: it says nothing of the answer

    @property
    def shape(self) -> str:
        """One character that stands before the word."""
        return _MARKS[self][0]

    @property
    def colour(self) -> str:
        """Of the word and the shape, such as "#007a59"."""
        return _MARKS[self][1]


# a word, a shape and a colour (Okabe-Ito): the verdict never hangs on colour alone
_MARKS = {
    Outcome.RIGHT: ("\u25cf", "#007a59"),
    Outcome.WRONG: ("\u25b2", "#b34700"),
    Outcome.CRASHED: ("\u25a0", "#8f3a70"),
    Outcome.NOT_ATTEMPTED: ("\u25cb", "#4d4d4d"),
    Outcome.NO_VERDICT: ("\u25c7", "#4d4d4d"),
}
SHAPES = {outcome: outcome.shape for outcome in Outcome}


@dataclass(frozen=True)
class Verdict:
    """The outcome of checking one answer, with what a learner and a grader need.

    exercise: such as "02/my_step".
    seed: the cases were drawn from it.
    lines: what was called, what came, what was expected: one sentence each.
    mistake: code of the known mistake whose result this is, else None; of several
        signs, their codes joined by +.
    cause: the sentence that names that mistake; shown only if `named`.
    named: whether the cause may be shown yet.
    where: a sentence on where it went wrong, or ""; shown only if `placed`.
    placed: whether the place may be shown yet.
    place: where it went wrong, such as {"step": 1, "replica": 2}.
    fingerprint: equal for two answers that failed in the same way.
    unlabelled: whether this check never names a cause.
    drawn: whether there are cases.
    costs: what it costs to be told this, for `progress.remember_verdict`.
    """

    exercise: str
    outcome: Outcome
    seed: int
    lines: tuple[str, ...]
    mistake: str | None = None
    cause: str | None = None
    named: bool = False
    where: str = ""
    placed: bool = False
    place: dict[str, int] = field(default_factory=dict)
    fingerprint: str = ""
    unlabelled: bool = False
    drawn: bool = True
    costs: Mapping[str, int] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The whole verdict as a learner reads it, without the heading."""
        return "\n".join(self._shown_lines())

    def opened(self, *, named: bool, placed: bool) -> Verdict:
        """Return a copy that shows cause and place, or not."""
        return replace(self, named=named, placed=placed)

    def data(self) -> dict[str, object]:
        """Return what reports and graders read, ready for JSON."""
        return {
            "exercise": self.exercise,
            "outcome": self.outcome.value,
            "mistake": self.mistake,
            "cause": self.cause if self.named else None,
            "place": self.place or None,
            "seed": self.seed,
            "message": self.message,
        }

    def _shown_lines(self) -> list[str]:
        shown = [*self.lines, *([self.where] if self.where and self.placed else [])]
        if self.unlabelled:
            return shown
        if self.cause and self.named:
            shown.append(f"Likely cause: {self.cause}")
        elif self.outcome is Outcome.WRONG and self.named:
            shown.append(
                "This is none of the mistakes this check knows. Work through a small "
                "case by hand, or open a hint."
            )
        elif self.outcome is Outcome.WRONG:
            shown.append(
                "The same mistake a second time, or check(..., why=True) in a new "
                "cell, names the likely cause where it is known."
            )
        return shown

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        return {
            "text/html": self._card(),
            "text/plain": f"{self.outcome} {self.exercise}\n{self.message}",
            MIME_TYPE: self.data(),
        }

    def _card(self) -> str:
        mark, colour = self.outcome.shape, self.outcome.colour
        body = "".join(f"<p>{html.escape(line)}</p>" for line in self._shown_lines())
        return (
            f'<section aria-label="Check of {html.escape(self.exercise)}" style="'
            f"border-left:6px solid {colour};background-color:#fff;color:#1a1a1a;"
            'padding:8px 14px;max-width:62em;line-height:1.45">'
            f'<p style="margin:0"><strong style="color:{colour}">'
            f'<span aria-hidden="true">{mark}</span> {self.outcome}</strong> '
            f"{html.escape(self.exercise)}</p>{body}{self._drawn_with()}</section>"
        )

    def _drawn_with(self) -> str:
        if not self.drawn:
            return ""
        said = f"cases drawn with seed {self.seed}"
        return f'<p style="color:#595959;margin:0">{said}</p>'


class CheckFailed(Exception):
    """Raised by `check` unless the answer is RIGHT, so that a grader sees it."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"{verdict.exercise}: {verdict.outcome}")
        self.verdict = verdict

    def _render_traceback_(self) -> list[str]:
        # IPython calls this: one line, since the card above has said everything
        return [f"CheckFailed: {self}. See the card of this check."]
