"""What a notebook asks before its code is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One answer to a prediction, with the idea behind it."""

    text: str
    comment: str


@dataclass(frozen=True)
class Prediction:
    """A notebook's question before its code is run.

    number: the notebook, such as "02".
    options: letter -> Option, in order.
    answer: letter of the option that a run shows.
    """

    number: str
    question: str
    options: Mapping[str, Option]
    answer: str


@dataclass(frozen=True)
class TickTable:
    """A notebook's question as a table to tick: every row is yes or no to each column.

    number: the notebook, such as "04".
    columns: short questions.
    rows: what is asked about -> for each column, whether a run shows yes.
    """

    number: str
    question: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[bool, ...]]

    @property
    def answer(self) -> str:
        """The right ticks as text: y or n for each tick, one word for each row."""
        return " ".join(
            "".join("ny"[tick] for tick in ticks) for ticks in self.rows.values()
        )
