"""Where a workshop keeps what: secrets, sockets, learners' homes, the exchange."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from autograder.places import CourseError

LONGEST_SOCKET = 100  # the kernel takes 107 bytes


def default_data() -> Path:
    """The folder of this user's workshop."""
    return platformdirs.user_state_path("tf-parallel-course", appauthor=False) / "room"


@dataclass(frozen=True)
class Folders:
    """The files and folders of one workshop, all below `data`.

    Only what `run`, `home`, `inbound`, `outbound` and `feedback` name, and the folder
    of `notice`, is ever shown to a learner's session, each learner's own.

    apart: the root of an exchange that does not stand in `data`.
    """

    data: Path
    apart: Path | None = None

    @property
    def private(self) -> Path:
        """What only the hub and the instructor read: accounts, secrets, logs."""
        return self.data / "hub"

    @property
    def options(self) -> Path:
        """How the workshop was started, as JSON."""
        return self.private / "workshop.json"

    @property
    def accounts(self) -> Path:
        """Names and first passwords, to hand out."""
        return self.private / "accounts.csv"

    @property
    def slips(self) -> Path:
        """The learners' slips, to print."""
        return self.private / "slips.html"

    @property
    def database(self) -> Path:
        """The hub's own state."""
        return self.private / "jupyterhub.sqlite"

    @property
    def room_state(self) -> Path:
        """What the live view knows, for the case that it is started again."""
        return self.private / "room.json"

    @property
    def logs(self) -> Path:
        """What the workshop's processes say."""
        return self.private / "logs"

    @property
    def control(self) -> Path:
        """The socket by which supervisord is asked."""
        return self.private / "control.sock"

    @property
    def proxy_socket(self) -> Path:
        """Where the proxy takes its routes."""
        return self.private / "proxy.sock"

    @property
    def run(self) -> Path:
        """The sockets that learners' sessions use, and the queue."""
        return self.data / "run"

    @property
    def hub_socket(self) -> Path:
        """Where the hub listens for sessions."""
        return self.run / "hub.sock"

    @property
    def room_socket(self) -> Path:
        """Where the live view takes reports."""
        return self.run / "room.sock"

    @property
    def zygote_socket(self) -> Path:
        """Where sessions ask for kernels."""
        return self.run / "zygote.sock"

    @property
    def queue(self) -> Path:
        """Where sessions get a turn to start a cluster."""
        return self.run / "queue.sock"

    @property
    def exchange(self) -> Path:
        """The root of nbgrader's exchange."""
        return self.apart or self.data / "exchange"

    @property
    def quota_script(self) -> Path:
        """The commands that let the file system hold each learner's share."""
        return self.private / "quota.sh"

    @property
    def learners(self) -> Path:
        """What learners have, each in a folder of their own."""
        return self.data / "learners"

    def home(self, learner: str) -> Path:
        """A learner's files."""
        return self.learners / learner / "home"

    def notice(self, learner: str) -> Path:
        """What a learner is told in their next cell, in a folder of its own."""
        return self.learners / learner / "said" / "notice.txt"

    def inbound(self, course_id: str, learner: str) -> Path:
        """Where a learner's submissions arrive."""
        return self.exchange / course_id / "inbound" / learner

    def outbound(self, course_id: str) -> Path:
        """The released notebooks."""
        return self.exchange / course_id / "outbound"

    def feedback(self, course_id: str, learner: str) -> Path:
        """A learner's feedback pages."""
        return self.exchange / course_id / "feedback" / learner

    def make(self) -> None:
        """Make those that every workshop has; others of this machine can't enter.

        Raises:
            CourseError: the path is too long for a socket, or can't be written.
        """
        longest = max(
            len(bytes(p)) for p in (self.hub_socket, self.control, self.proxy_socket)
        )
        if longest > LONGEST_SOCKET:
            raise CourseError(
                f"The path {self.data} is too long by {longest - LONGEST_SOCKET} "
                "letters for a socket in it: name a shorter one with --data."
            )
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.data.chmod(0o700)
            own = (self.private, self.logs, self.run, self.exchange, self.learners)
            for each in own:
                each.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise CourseError(
                f"{self.data} can't be used: {error.strerror}. Name another folder "
                "with --data."
            ) from None
