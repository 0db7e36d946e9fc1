"""A job that takes and gives back memory when told, to try a monitor on.

It is a plain Python process, which may start one that starts another, and so on: what
they hold is real, and how much is known.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from types import TracebackType

MB = 2**20
_JOB = """
import mmap, subprocess, sys
held, kept, child = [], [], None
for line in sys.stdin:
    what, number = line.split()
    size = int(number) * 2**20
    if what == "take":
        held.append(b"1" * size)
    elif what == "give":
        held.clear()
    elif what == "reserve":
        kept.append(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    else:
        if child is None:
            child = subprocess.Popen([sys.executable, "-I", "-S", "-c", sys.argv[1],
                sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        passed = {"child": "take", "second": "child", "third": "second"}[what]
        child.stdin.write(f"{passed} {number}\\n")
        child.stdin.flush()
        child.stdout.readline()
    print("done", flush=True)
"""


class HeldMemory:
    """A running job; `pid` is its number. Use it in a `with` block.

    Raises:
        RuntimeError: the job ended by itself.
    """

    def __enter__(self) -> HeldMemory:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _JOB, _JOB],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # children read the end of their input, and end
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def take(self, mb: int) -> None:
        """Take memory and write to all of it."""
        self._tell("take", mb)

    def give_back(self) -> None:
        """Give back all that was taken."""
        self._tell("give", 0)

    def reserve(self, mb: int) -> None:
        """Reserve addresses and write to none of them."""
        self._tell("reserve", mb)

    def take_in_child(self, mb: int) -> None:
        """Let a process that this one started take memory."""
        self._tell("child", mb)

    def take_in_third(self, mb: int) -> None:
        """Let a process take memory that this one's child's child started."""
        self._tell("third", mb)

    def _tell(self, what: str, mb: int) -> None:
        self._process.stdin.write(f"{what} {mb}\n")
        self._process.stdin.flush()
        if self._process.stdout.readline() != "done\n":
            raise RuntimeError("the job ended by itself; is memory left here?")
