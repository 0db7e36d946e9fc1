"""Three ports of this machine: one answers, one refuses, one is silent."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager

HERE = "127.0.0.1"
CALLS = 4  # after which the system lets no more calls wait at a port


@contextmanager
def three_ports() -> Iterator[list[str]]:
    """Yield the addresses of a port that answers, one that refuses, one that is silent.

    Somebody listens at the first. Nobody does at the second. At the third, more calls
    wait already than the system lets in: others get no answer, as behind a firewall
    that drops them.
    """
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(3)]
        for each in sockets:
            each.bind((HERE, 0))
        sockets[0].listen(8)
        sockets[2].listen(0)
        for _ in range(CALLS):
            call = held.enter_context(socket.socket())
            call.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                call.connect(sockets[2].getsockname())
        yield [f"{HERE}:{each.getsockname()[1]}" for each in sockets]
