"""Ctrl-C and SIGTERM: a wish to stop, which is met in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

STOPS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether somebody wishes to stop.

    An exception alone would not do: where it comes in a callback of the garbage
    collector, Python drops it; and between two writes it would leave one of them out.
    """

    def __init__(self) -> None:
        self.wished = False
        self._raises = False

    @contextlib.contextmanager
    def heeded(self) -> Iterator[None]:
        """Take one signal; it raises KeyboardInterrupt, unless in `steps`."""
        before = {each: signal.signal(each, self._take) for each in STOPS}
        self._raises = True
        try:
            yield
        finally:
            self._raises = False
            for each, handler in before.items():
                # after a wish the process ends now: undisturbed, to the very end
                signal.signal(each, signal.SIG_IGN if self.wished else handler)

    @contextlib.contextmanager
    def steps(self) -> Iterator[None]:
        """Raise nothing in here: what runs looks at `wished` between its steps."""
        raises, self._raises = self._raises, False
        try:
            yield
        finally:
            self._raises = raises

    def _take(self, signum: int, frame: object) -> None:
        # an impatient second one changes nothing. With SIG_IGN, Python would complain
        # where that one has come already
        for each in STOPS:
            signal.signal(each, _ignore)
        self.wished = True
        if self._raises:
            raise KeyboardInterrupt


def _ignore(signum: int, frame: object) -> None:
    pass
