"""Carries what the proxy sends to a learner's session, which has no network.

A program of its own for each session, outside its wall: the socket on which the proxy
comes in must never be in the session, since who holds one can leave by it. Started as
`relay.py LISTENING NAME PID`: the number of that socket, the Unix name on which the
session listens (in hexadecimal), and the process with which it ends. It imports the
standard library only, and is small.
"""

import asyncio
import contextlib
import os
import socket
import sys

PIECE = 2**16  # bytes


async def relay(listening: socket.socket, name: bytes, ends: int) -> None:
    """Connect each who comes with the session, until file `ends` can be read."""

    async def serve(here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError), contextlib.closing(back):
            there, onward = await asyncio.open_unix_connection(name)
            with contextlib.closing(onward):
                await asyncio.gather(carry(here, onward), carry(there, back))

    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(ends, over.set)
    await asyncio.start_server(serve, sock=listening)
    await over.wait()


async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy from `source` to `target`, its end too."""
    while piece := await source.read(PIECE):
        target.write(piece)
        await target.drain()
    target.write_eof()


def main() -> None:
    """Relay until the session's process has ended."""
    number, name, process = sys.argv[1:]
    with contextlib.suppress(ProcessLookupError):  # it has ended already
        ends = os.pidfd_open(int(process))
        listening = socket.socket(fileno=int(number))
        asyncio.run(relay(listening, bytes.fromhex(name), ends))


if __name__ == "__main__":
    main()
