"""Kernels that start warm: forked from a server that has TensorFlow imported.

`WarmProvisioner` is a kernel provisioner of jupyter_client, registered under the name
`course-warm`; JUPYTER_DEFAULT_PROVISIONER_NAME=course-warm turns it on, and
local-provisioner turns it off. Where forking is not to be had, it starts an ordinary
kernel and says so in one line.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from jupyter_client.provisioning import LocalProvisioner

NAME = "course-warm"
PROVISIONER_VARIABLE = "JUPYTER_DEFAULT_PROVISIONER_NAME"  # jupyter_client's
START_SECONDS = 60.0  # the first kernel waits for TensorFlow, on a slow machine too
END_SECONDS = 5.0
KILLED_SECONDS = 0.5
# read when TensorFlow is imported, which the server did already
IMPORT_PREFIXES = ("TF_", "XLA_", "CUDA_", "KERAS_", "OMP_")
READ_LATER = {"TF_CONFIG"}


class ServerEnded(RuntimeError):
    """The fork server is gone, or did not answer in time."""


class WarmKernel:
    """A kernel of a server, with the methods of subprocess.Popen."""

    stdin = stdout = stderr = None

    def __init__(self, server: WarmServer, number: int) -> None:
        self._server, self.pid = server, number
        self._started, self._ended = threading.Event(), threading.Event()
        self.returncode: int | None = None
        self.reason = ""

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait until it has ended; subprocess.TimeoutExpired if it has not in time."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("kernel", timeout)
        return self.returncode

    def send_signal(self, signum: int) -> None:
        """Pass a signal to the kernel and the processes of its group."""
        if self.returncode is None:
            self._server.send(do="signal", id=self.pid, signum=int(signum))

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it and everything it started."""
        self.send_signal(signal.SIGKILL)

    def told(self, event: dict) -> None:
        """Take in what the server says about this kernel."""
        if event["event"] == "ended":
            self.returncode = event["code"]
            self.reason = event["reason"]
            self._ended.set()
        self._started.set()

    def wait_until_started(self, seconds: float) -> None:
        """Return when it runs; ServerEnded with the reason where it does not."""
        if not self._started.wait(seconds):
            raise ServerEnded(f"no kernel within {seconds:.0f} s")
        if self.returncode is not None:
            raise ServerEnded(self.reason or f"it ended with code {self.returncode}")


class WarmServer:
    """A running fork server: starts kernels, and ends them with itself."""

    def __init__(
        self, wall: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> None:
        """Start the server; `wall` is a command in front that locks it in."""
        given = os.environ if env is None else env
        # one thread: a fork copies no other
        fixed = {"OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [*wall, sys.executable, "-P", "-m", "course.kernels.warm_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"TF_CPP_MIN_LOG_LEVEL": "3", **given, **fixed},
            start_new_session=True,
        )
        self._kernels: dict[int, WarmKernel] = {}
        self._lock = threading.Lock()
        self._count = 0
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The server's process; the fork server is a child of it."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the server's process runs."""
        return self._process.poll() is None

    def start(self, seconds: float = START_SECONDS, **request: object) -> WarmKernel:
        """Start a kernel: `arguments`, `env`, `cwd`, and `cage` and `connection`.

        Raises:
            ServerEnded: with the reason; no kernel runs then.
        """
        with self._lock:
            self._count += 1
            kernel = self._kernels[self._count] = WarmKernel(self, self._count)
        self.send(do="start", id=kernel.pid, **request)
        try:
            kernel.wait_until_started(seconds)
        except ServerEnded:
            with contextlib.suppress(ServerEnded):
                kernel.kill()
            raise
        return kernel

    def send(self, **request: object) -> None:
        """Send one request line."""
        line = json.dumps(request).encode() + b"\n"
        try:
            with self._lock:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise ServerEnded(f"the fork server has ended ({error})") from None

    def close(self) -> None:
        """End the server and all its kernels."""
        atexit.unregister(self.close)
        with self._lock, contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        for line in self._process.stdout:
            event = json.loads(line)
            kernel = self._kernels.get(event["id"])
            if kernel is not None:
                kernel.told(event)
                if event["event"] == "ended":
                    del self._kernels[event["id"]]
        for kernel in list(self._kernels.values()):
            kernel.told({"event": "ended", "code": 1, "reason": "the server ended"})


_server: WarmServer | None = None
_server_lock = threading.Lock()


def server() -> WarmServer:
    """Return this process's fork server; a new one where it has crashed."""
    global _server
    with _server_lock:
        if _server is None or not _server.runs:
            _server = WarmServer()
        return _server


def unavailable() -> str:
    """Say why kernels can't be forked here; an empty string where they can."""
    if sys.platform != "linux":
        return "forking a TensorFlow process is for Linux only"
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "all") in ("", "-1")
    if Path("/dev/nvidiactl").exists() and not hidden:
        return "a GPU is visible, and CUDA does not survive a fork"
    return ""


def import_environment(env: dict[str, str]) -> dict[str, str]:
    """The variables in `env` that the server has read once and for all."""
    return {
        name: value
        for name, value in env.items()
        if name.startswith(IMPORT_PREFIXES) and name not in READ_LATER
    }


class WarmProvisioner(LocalProvisioner):
    """Starts a kernel as a fork of the warm server, or else as jupyter_client does.

    forked: the last kernel that came from a server, also after it has ended.
    """

    forked: WarmKernel | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs: object) -> dict:
        """Launch a kernel with a command such as `python -m ipykernel_launcher ...`.

        `server` among the keywords, a WarmServer, is used as it is and without a
        way out: a kernel that has to be locked in must not start at large. `cage`
        goes to the keeper.
        """
        own = kwargs.pop("server", None)
        cage = kwargs.pop("cage", None)
        env = dict(kwargs.get("env") or os.environ)
        arguments = ipykernel_arguments(cmd)
        reason = "" if own else unavailable() or self._unfit(arguments, env)
        if not reason:
            try:
                cwd = os.fspath(kwargs.get("cwd") or os.getcwd())
                request = {"arguments": arguments, "env": env, "cwd": cwd, "cage": cage}
                self.process = await asyncio.to_thread(self._fork, own, request)
            except (ServerEnded, OSError) as error:
                if own:
                    raise
                reason = str(error)
            else:
                self.forked = self.process
                self.pid, self.pgid = self.process.pid, None
                self.cwd = kwargs.get("cwd", Path.cwd())
                return self.connection_info
        self.log.warning("An ordinary kernel starts, which takes longer: %s.", reason)
        return await super().launch_kernel(cmd, **kwargs)

    async def kill(self, restart: bool = False) -> None:
        """End the kernel; return when it has, or in half a second.

        Whoever kills it looks for its end every tenth of a second only.
        """
        forked = self.process if self.process is self.forked else None
        await super().kill(restart)
        if forked is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(forked.wait, KILLED_SECONDS)

    def _fork(self, own: WarmServer | None, request: dict) -> WarmKernel:
        if request["cage"] is not None:  # such a kernel can't see the host's file
            arguments = request["arguments"]
            place = arguments.index("-f")
            file = Path(arguments[place + 1])
            request["connection"] = file.read_text(encoding="utf-8")
            request["arguments"] = arguments[:place] + arguments[place + 2 :]
        return (own or server()).start(**request)

    def _unfit(self, arguments: list[str] | None, env: dict[str, str]) -> str:
        if arguments is None:
            return "this is not a kernel of this Python environment"
        wanted, imported = import_environment(env), import_environment(os.environ)
        changed = sorted(
            name
            for name in wanted.keys() | imported.keys()
            if wanted.get(name) != imported.get(name)
        )
        return f"{', '.join(changed)} is read at import" if changed else ""


def ipykernel_arguments(command: list[str]) -> list[str] | None:
    """What stands behind `python -m ipykernel_launcher`; None for other commands."""
    if "ipykernel_launcher" not in command or command[0] != sys.executable:
        return None
    return command[command.index("ipykernel_launcher") + 1 :]


def _load_jupyter_server_extension(app: object) -> None:
    """Begin to import TensorFlow when the Jupyter server starts, not at first use."""
    if os.environ.get(PROVISIONER_VARIABLE) == NAME and not unavailable():
        server()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "course.kernels.warm"}]
