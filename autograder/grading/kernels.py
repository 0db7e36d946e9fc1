"""Where the kernels of grading come from, and the room each of them gets."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import threading
import uuid
import weakref
from collections.abc import Iterator
from pathlib import Path

from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import LocalProvisioner

from autograder.grading.isolation import (
    NOBODY,
    environment,
    isolated_server,
    new_socket_folder,
)
from autograder.grading.jobs import Job
from autograder.grading.views import Views
from course.kernels import cgroup, cgroup_places
from course.kernels.gate import Gate
from course.kernels.warm import WarmProvisioner, WarmServer, unavailable

NO_GPU = {"CUDA_VISIBLE_DEVICES": "-1"}  # CUDA does not survive a fork


class Kernels:
    """Kernels from a fork server, locked in or not; or ordinary ones.

    A server that has crashed is replaced at the next submission.

    memory_guard: what limits their memory: a key of autograder.memory_guards.
    """

    def __init__(self, isolated: bool = True, warm: bool | None = None) -> None:
        """Start the server.

        Args:
            isolated: lock submissions in.
            warm: fork them; by default wherever that can be had.

        Raises:
            CourseError: isolation can't be had on this machine.
        """
        self.isolated = isolated
        self.warm = isolated or (not unavailable() if warm is None else warm)
        self._folder = new_socket_folder()
        self._views = Views() if isolated else None
        self._lock, self.closed = threading.Lock(), False
        self._gates: dict[Path, Gate] = {}
        self._place = self._place_for_groups()
        self.memory_guard = "none"
        if isolated:
            self.memory_guard = "cgroup" if self._place else "watching"
        self._ordinary: weakref.WeakSet[LocalProvisioner] = weakref.WeakSet()
        self._server: WarmServer | None = None
        try:
            self._server = self._new_server()
        except BaseException:
            self.close()  # its folders
            raise

    def _place_for_groups(self) -> cgroup.Place | None:
        if not self.isolated:
            return None
        try:
            place = cgroup_places.find_place()
        except cgroup_places.NoCgroup:
            return None
        cgroup.sweep(place)
        return place

    def _new_server(self) -> WarmServer | None:
        if self.isolated:
            return isolated_server(self._folder, self._views.folder)
        if not self.warm:
            return None
        # it leaves its own sockets behind: in our folder, which is removed
        here = {"TMPDIR": str(self._folder)}
        return WarmServer(env={**os.environ, **NO_GPU, **here})

    def server(self) -> WarmServer | None:
        """The running server; None where kernels are ordinary ones.

        Raises:
            RuntimeError: they are closed, and no server is started any more.
        """
        with self._lock:
            if self.closed:
                raise RuntimeError("grading was stopped")
            if self._server is not None and not self._server.runs:
                self._server = self._new_server()
            return self._server

    def provisioner(self, manager: KernelManager) -> LocalProvisioner:
        """What starts the manager's kernel, whatever this machine's default is."""
        kind = WarmProvisioner if self.warm else LocalProvisioner
        made = kind(
            kernel_id=uuid.uuid4().hex, kernel_spec=manager.kernel_spec, parent=manager
        )
        if not self.warm:
            self._ordinary.add(made)
        return made

    def environment(self, folder: Path) -> dict[str, str]:
        """The variables of a kernel whose folder this is, but for the course's own."""
        if self.isolated:
            return environment()
        data = {"COURSE_DATA_DIR": str(folder / "data")}
        return {**os.environ, **(NO_GPU if self.warm else {}), **data}

    def cage(self, job: Job, folder: Path) -> dict:
        """What locks in the kernel of a job, whose sockets are in `folder`."""
        with self._lock:
            view = self._views.of(job.names)
        limits = job.limits
        cage = limits.cage(str(folder), str(view))
        if self._place is not None:
            group = cgroup.Group(self._place, limits.memory, limits.tasks)
            self._gates[folder] = gate = Gate(group, folder / "gate")
            cage["gate"] = str(gate.path)
        return cage

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for one kernel's sockets, gone afterwards."""
        folder = Path(tempfile.mkdtemp(dir=self._folder, prefix="k"))
        try:
            if self.isolated and os.geteuid() == 0:
                os.chown(folder, NOBODY, NOBODY)
            yield folder
        finally:
            if gate := self._gates.pop(folder, None):
                gate.close()
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End the server and all kernels; none is started any more."""
        with self._lock:
            self.closed = True
            if self._server is not None:
                self._server.close()
            for each in self._ordinary:
                if each.has_process and each.pgid:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.killpg(each.pgid, signal.SIGKILL)
            shutil.rmtree(self._folder, ignore_errors=True)
            if self._views is not None:
                self._views.close()
