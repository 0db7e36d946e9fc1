"""Starts and ends the Jupyter servers: a learner's behind the wall, the instructor's.

A learner's server has no network: the proxy reaches it through a relay outside and a
Unix socket that is handed in, and it reaches the hub through another Unix socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import psutil
from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Instance

from autograder.lab import environment as lab_environment
from autograder.places import COURSE_ID, EXCHANGE_VARIABLE
from course.kernels.adopted import SOCKET_VARIABLE
from course.kernels.notice import VARIABLE as NOTICE_VARIABLE
from course.kernels.warm import NAME as WARM
from course.kernels.warm import PROVISIONER_VARIABLE
from course.runs.cluster.turn import QUEUE_VARIABLE
from course.whole_files import write_whole
from workshop import disk, excess, relay, sessions, wall
from workshop.folders import Folders
from workshop.last_notebook import WORKSPACES, last_notebook
from workshop.options import Options
from workshop.priority import are_many, come_after, let_groups_come_after
from workshop.zygote import FIRST_TO_DIE

LEARNERS_VARIABLES = {
    "HOME": wall.HOME,
    "USER": wall.USER,
    "SHELL": "/bin/bash",
    "PYTHONNOUSERSITE": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    NOTICE_VARIABLE: f"{wall.SAID}/notice.txt",
    PROVISIONER_VARIABLE: WARM,
    QUEUE_VARIABLE: f"{wall.RUN}/queue.sock",
    SOCKET_VARIABLE: f"{wall.RUN}/zygote.sock",
}
NOTICE = (
    "The workshop at {now:%H:%M}: {told} If it was this notebook's kernel, run "
    "the cells from the top. End what you do not need: Kernel > Shut Down Kernel."
)


class RoomSpawner(LocalProcessSpawner):
    """One person's Jupyter server as a process of this user.

    folders, options: of the workshop.
    """

    folders = Instance(Folders).tag(config=True)
    options = Instance(Options).tag(config=True)
    _born = 0.0  # when the process began: its number may come again
    _inside = ""  # what tells the processes of its session
    _running: ClassVar[set[str]] = set()  # whose servers start or run
    _watch: disk.Watch | None = None  # of its files

    @property
    def teaches(self) -> bool:
        """Whether it is the instructor's: outside the wall, on the course itself."""
        return self.user.name == self.options.instructor

    async def start(self) -> tuple[str, int]:
        """Start the server; return the address that it listens on."""
        self._inside = ""
        self._running.add(self.user.name)  # those who come now are the load
        # the hub's own output would be a broken pipe once the hub was started anew
        log = self.folders.logs / f"session-{self.user.name}.log"
        with log.open("w") as output:
            self.popen_kwargs = {"stdout": output, "stderr": output}
            if self.teaches:
                address = await self._start_instructors()
            else:
                address = await self._start_learners()
        with contextlib.suppress(psutil.Error):
            self._born = psutil.Process(self.pid).create_time()
        return address

    async def _start_instructors(self) -> tuple[str, int]:
        self.notebook_dir, self.default_url = self.options.root, "/lab"
        self.cmd = [sys.executable, "-P", "-m", "jupyterhub.singleuser"]
        self.popen_kwargs["cwd"] = self.options.root
        return await super().start()

    async def _start_learners(self) -> tuple[str, int]:
        wall.make_homes(self.folders, self.user.name)
        self.notebook_dir, self.default_url = wall.NOTEBOOKS, self._first()
        self.cmd = [
            *wall.wall(self.folders, self.options, self.user.name),
            *(sys.executable, "-P", "-m", "workshop.inside.start"),
        ]
        idle = self.options.idle
        self.args = [
            f"--MappingKernelManager.cull_idle_timeout={idle}",
            f"--MappingKernelManager.cull_interval={min(60, idle)}",
            f"--LabApp.extra_labextensions_path={wall.LABEXTENSION}",
            # the server is a fork of a process that has another home
            f"--LabApp.workspaces_dir={wall.HOME}/{WORKSPACES}",
            f"--LabApp.user_settings_dir={wall.HOME}/.jupyter/lab/user-settings",
        ]
        with (
            socket.create_server(("127.0.0.1", 0)) as outside,
            socket.socket(socket.AF_UNIX) as inside,
        ):
            inside.bind("")  # to a name that the kernel chooses
            inside.listen()
            self.port = outside.getsockname()[1]
            self._listening = inside.fileno()
            self.popen_kwargs["pass_fds"] = [self._listening]
            address = await super().start()
            self._start_relay(outside.fileno(), inside.getsockname())
        return address

    def _start_relay(self, outside: int, name: bytes) -> None:
        """Start what carries between the two sockets; it ends with the session."""
        subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", relay.__file__),
                *(str(outside), name.hex(), str(self.pid)),
            ],
            env={sessions.WORKSHOP_VARIABLE: str(self.folders.data)},
            pass_fds=[outside],
            stdin=subprocess.DEVNULL,
            stdout=self.popen_kwargs["stdout"],
            stderr=self.popen_kwargs["stderr"],
            start_new_session=True,
        )

    def _first(self) -> str:
        """What the learner sees first: where they were, or the first notebook out."""
        last = last_notebook(self.folders.home(self.user.name))
        if last:
            return f"/lab/tree/{last}"
        released = self.folders.outbound(COURSE_ID).glob("[0-9][0-9]_*")
        name = min((each.name for each in released), default="")
        return f"/lab/tree/{name}/{name}.ipynb" if name else "/lab"

    def user_env(self, env: dict[str, str]) -> dict[str, str]:
        """Add what belongs to this person to the server's variables."""
        if self.teaches:
            exchange = str(self.folders.exchange)
            own = {
                name: os.environ[name]
                for name in ("HOME", "USER", "LOGNAME")
                if name in os.environ
            }
            ours = {
                EXCHANGE_VARIABLE: exchange,
                sessions.WORKSHOP_VARIABLE: str(self.folders.data),
            }
            return {**env, **lab_environment(), **own, **ours}
        hub, room = (
            f"http+unix://{quote(f'{wall.RUN}/{each.name}', safe='')}"
            for each in (self.folders.hub_socket, self.folders.room_socket)
        )
        outside = self.options.hub_url
        env = {name: text.replace(outside, hub) for name, text in env.items()}
        return {
            **env,
            **LEARNERS_VARIABLES,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath]),
            "COURSE_LISTEN": str(self._listening),
            "COURSE_ROOM_URL": f"{room}/services/room/",
        }

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """What the new process does first."""
        teaches = self.teaches
        grade = "0" if teaches else str(FIRST_TO_DIE)

        def first() -> None:
            Path("/proc/self/oom_score_adj").write_text(grade)
            if not teaches:
                come_after()

        return first

    async def poll(self) -> int | None:
        """Whether the server runs, as in `Spawner`; ends what uses too much memory."""
        status = await super().poll()
        if status is None:
            self._running.add(self.user.name)
        else:
            self._running.discard(self.user.name)
        if status is None and not self.teaches:
            # with many processes it takes seconds, and the hub must answer
            told = await asyncio.to_thread(self._end_excess)
            if told:
                self.log.warning("%s: %s", self.user.name, told)
                text = NOTICE.format(now=datetime.now(), told=told)
                write_whole(self.folders.notice(self.user.name), text.encode())
        return status

    def _end_excess(self) -> str:
        self._inside = self._inside or sessions.inside(self.pid)
        session = sessions.members(self._inside)
        if are_many(len(self._running)):
            let_groups_come_after(session)
        told = [excess.end_excess(session, self.options.memory)]
        mine, allowed = wall.written(self.folders, self.user.name), self.options.disk
        if not disk.held(mine[0], allowed):
            self._watch = self._watch or disk.Watch(mine, allowed)
            told.append(self._watch.look(session))
        return " ".join(filter(None, told))

    async def _signal(self, sig: int) -> bool:
        """Signal the server: behind the wall it is the child of the wall's child."""
        try:
            outer = psutil.Process(self.pid)
            if self._born and outer.create_time() != self._born:
                return False  # another process has the number now
        except psutil.NoSuchProcess:
            return False
        if sig == 0 or self.teaches:
            return await super()._signal(sig)
        sessions.send(outer, sig)
        return True

    def get_state(self) -> dict:
        """What finds the server again after the hub has been started anew."""
        return {**super().get_state(), "born": self._born}

    def load_state(self, state: dict) -> None:
        """Take up such a state."""
        super().load_state(state)
        self._born = state.get("born", 0.0)
