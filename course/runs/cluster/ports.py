"""Port numbers on 127.0.0.1 that no other cluster of this machine gets meanwhile."""

from __future__ import annotations

import secrets
import socket

LOW, HIGH = 20_000, 32_000  # below the ports that Linux gives to outgoing connections


class Ports:
    """Holds `count` free TCP ports until `close`.

    Each is reserved by a UDP socket of the same number: TensorFlow can still listen on
    the TCP port, and no other `Ports` on this machine can reserve it.
    """

    def __init__(self, count: int) -> None:
        self._held: list[socket.socket] = []
        numbers = iter(range(HIGH - LOW))
        first = secrets.randbelow(HIGH - LOW)
        while len(self._held) < count:
            step = next(numbers, None)
            if step is None:
                self.close()
                raise OSError("no free port is left on 127.0.0.1")
            self._hold(LOW + (first + step) % (HIGH - LOW))

    @property
    def numbers(self) -> list[int]:
        """The ports' numbers."""
        return [each.getsockname()[1] for each in self._held]

    def close(self) -> None:
        """Give the ports back."""
        for each in self._held:
            each.close()
        self._held.clear()

    def _hold(self, number: int) -> None:
        held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            held.bind(("127.0.0.1", number))
            with socket.socket() as probe:  # a port may be taken by another program
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("0.0.0.0", number))
        except OSError:
            held.close()
            return
        self._held.append(held)
