"""How a workshop was started: what the hub and each command read again later."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass

from autograder.learner_limits import IDLE, MEMORY
from autograder.places import CourseError
from course.whole_files import PRIVATE, write_whole
from workshop.folders import Folders

# A name is a folder, part of an address and of nbgrader's file names.
# Its end is as plain: who reads a list takes "teacher." for the teacher.
LONGEST = 32
NAME = re.compile(rf"[a-z0-9](?:[a-z0-9._-]{{0,{LONGEST - 2}}}[a-z0-9])?")
NAMES_ARE = (
    f"small letters a-z, digits, '.', '_' and '-', at most {LONGEST}, "
    "the first and the last a letter or digit"
)


@dataclass(frozen=True)
class Options:
    """What the instructor chose.

    root: the course's checkout.
    instructor: who sees everybody's results.
    register: "" for accounts from a list only; "approve" or "open" for learners who
        register themselves, with or without the instructor's consent.
    address, port: where browsers come in.
    public: the address that others type, where that is another one; else "".
    subdomains: each session has a web address of its own below that of `public`.
    certificate, key: of TLS; empty for none.
    without_tls: an address beyond this machine is allowed without them.
    memory: in bytes, all processes of one learner together.
    disk: in bytes, all files of one learner together.
    tasks: of one learner: processes and their threads.
    idle: seconds without use after which a kernel ends.
    hub_port, room_port: where hub and live view listen for the proxy, on loopback.
    secret: what the live view shows the hub.
    proxy_secret: what the hub shows its proxy.
    """

    root: str
    instructor: str
    register: str = ""
    address: str = "127.0.0.1"
    port: int = 8000
    public: str = ""
    subdomains: bool = False
    certificate: str = ""
    key: str = ""
    without_tls: bool = False
    memory: int = MEMORY
    disk: int = 2**30
    tasks: int = 2000
    idle: int = IDLE
    hub_port: int = 0
    room_port: int = 0
    secret: str = ""
    proxy_secret: str = ""

    @property
    def url(self) -> str:
        """The address to type into a browser."""
        scheme = "https" if self.certificate else "http"
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{scheme}://{host}:{self.port}"

    @property
    def hub_url(self) -> str:
        """Where proxy and live view reach the hub."""
        return f"http://127.0.0.1:{self.hub_port}"

    def save(self, folders: Folders) -> None:
        """Write them where only the instructor can read."""
        text = json.dumps(asdict(self), indent=1)
        write_whole(folders.options, text.encode(), PRIVATE)


def load(folders: Folders) -> Options:
    """Read the options of the workshop in `folders`.

    Raises:
        CourseError: there is no workshop, or its file is damaged.
    """
    try:
        return Options(**json.loads(folders.options.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise CourseError(
            f"There is no workshop in {folders.data}: `course workshop start` begins "
            "one. (--data names another folder.)"
        ) from None
    except (OSError, ValueError, TypeError) as error:
        raise CourseError(
            f"{folders.options} can't be read ({error}): start the workshop again."
        ) from None


REMEMBERED = ("instructor", "register", "address", "port", "public", "subdomains")
REMEMBERED += ("certificate", "key", "without_tls", "memory", "disk", "tasks", "idle")


def remembered(folders: Folders) -> dict[str, object]:
    """Return what was chosen at the last start, where it is not as it comes."""
    try:
        last = load(folders)
    except CourseError:  # there was none, or its file is damaged: begin anew
        return {}
    usual = Options("", "")
    return {
        name: getattr(last, name)
        for name in REMEMBERED
        if getattr(last, name) != getattr(usual, name)
    }


def check_name(name: str) -> str:
    """Return `name` where it can be an account's; CourseError says what may."""
    if not NAME.fullmatch(name):
        raise CourseError(f"{name!r} can't be an account's name: {NAMES_ARE}.")
    return name
