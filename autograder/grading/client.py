"""A kernel's client that knows at once when the kernel is ready."""

from __future__ import annotations

import math
import time
from queue import Empty

from jupyter_client.asynchronous import AsyncKernelClient

TRY_SECONDS = 1.0


class Client(AsyncKernelClient):
    """jupyter_client's, which waits until nothing has come for a fifth of a second.

    A kernel that has said that it is idle after our request has sent all that came
    before; there is nothing more to wait for.
    """

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Return when the kernel answers and we hear what it publishes.

        Args:
            timeout: seconds; endless by default.

        Raises:
            RuntimeError: it died, or did not answer in time.
        """
        until = time.monotonic() + (math.inf if timeout is None else timeout)
        while not await self._answers(self.kernel_info()):
            if not await self.is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
            if time.monotonic() > until:
                raise RuntimeError(f"Kernel didn't respond in {timeout:.0f} seconds")

    async def _answers(self, request: str) -> bool:
        """Whether the reply to a request and the kernel's idle state come soon."""
        until = time.monotonic() + TRY_SECONDS
        try:
            for channel in (self.shell_channel, self.iopub_channel):
                while not _ends(message := await _next(channel, until), request):
                    pass
                if channel is self.shell_channel:
                    self._handle_kernel_info_reply(message)
        except Empty:
            return False
        return True


async def _next(channel: object, until: float) -> dict:
    return await channel.get_msg(timeout=max(until - time.monotonic(), 0.0))


def _ends(message: dict, request: str) -> bool:
    """Whether a message is the last on its channel that a request brings."""
    if message["parent_header"].get("msg_id") != request:
        return False
    state = message["content"].get("execution_state")
    return message["msg_type"] != "status" or state == "idle"
