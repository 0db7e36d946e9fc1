"""What `course grade` shows while it runs: a bar, and whom it waits for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from autograder.intake import Submission

LONG_SECONDS = 30.0  # a submission that has run for longer is named
MOST_NAMED = 3


class Bar(Progress):
    """The bar of progress, and a line below it.

    waiting: the line; "" for none.
    """

    def __init__(self, console: Console) -> None:
        self.waiting = ""
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bar and the line, as rich asks for them."""
        yield from super().get_renderables()
        if self.waiting:
            yield Text(self.waiting, "yellow", no_wrap=True, overflow="ellipsis")


class Waits:
    """Whose cells run, and for how long.

    Args:
        runs: tells of a future whether its work has begun.
    """

    def __init__(self, runs: Callable[[Future], bool]) -> None:
        self._runs = runs
        self._whose: dict[Future, Submission] = {}
        self._since: dict[Future, float] = {}

    def begin(self, cells: Future, submission: Submission) -> None:
        """Take in that a submission's cells were handed over; they may queue first."""
        self._whose[cells] = submission

    def end(self, step: Future) -> None:
        """Forget a step that is done; it may be another one."""
        self._whose.pop(step, None)
        self._since.pop(step, None)

    def describe(self, now: float | None = None) -> str:
        """Name the submissions that have run for long, the longest first; or "".

        Args:
            now: seconds of time.monotonic(), which it asks by default.
        """
        now = time.monotonic() if now is None else now
        for cells in self._whose:
            if cells not in self._since and self._runs(cells):
                self._since[cells] = now
        long = [
            (now - since, self._whose[cells])
            for cells, since in sorted(self._since.items(), key=lambda item: item[1])
            if now - since > LONG_SECONDS
        ]
        named = [
            f"{each.student}, {each.notebook}, for {_duration(seconds)}"
            for seconds, each in long[:MOST_NAMED]
        ]
        if len(long) > MOST_NAMED:
            named.append(f"and {len(long) - MOST_NAMED} more")
        return f"waiting for {'; '.join(named)}" if named else ""


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds // 60:.0f} min"
