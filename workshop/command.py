"""What `course workshop` does: start, stop, status."""

from __future__ import annotations

import getpass
import os
import secrets
import shlex
import socket
import sys
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from autograder.lab import free_port
from autograder.places import CourseError, course_places
from workshop.folders import Folders, default_data
from workshop.options import Options, check_name, load, remembered
from workshop.reachable import outside_url

if TYPE_CHECKING:
    from workshop.accounts import Account

HUB_PORT, ROOM_PORT = 8200, 8100  # the first to try, for hub and live view
NEEDED = (
    "The workshop's packages are missing: run `make workshop` in the course's folder."
)


def folders_at(data: Path | None) -> Folders:
    """The workshop's folders.

    Raises:
        CourseError: no workshop can run on this system, or as this user.
    """
    if sys.platform != "linux":
        raise CourseError("A workshop needs Linux: it keeps learners apart with bwrap.")
    if os.geteuid() == 0:
        raise CourseError(
            "A workshop does not run as root: who knew the instructor's password would "
            "be root here. Make an account for it (sudo adduser teacher), and clone "
            "and start the course there."
        )
    return Folders((data or default_data()).absolute())


def start(
    data: Path | None,
    root: Path | None,
    learners: Path | None,
    notebooks: list[str],
    anyway: bool,
    forget: bool,
    **chosen: object,
) -> None:
    """Start a workshop in the background, and say how to come in.

    Args:
        data: the workshop's folder.
        root: the course's.
        learners: a list of names.
        notebooks: which to release; all by default.
        anyway: start on a machine that is too small for so many.
        forget: the options of the last start.
        **chosen: fields of Options; None for those that were not given: they are as at
            the last start.

    Raises:
        CourseError: with what is missing or wrong, before anything runs.
    """
    folders, places = folders_at(data), course_places(root)
    try:
        from workshop import accounts, day, disk, names, slips, supervision, wall
    except ImportError as error:
        raise CourseError(f"{NEEDED} ({error})") from None
    from workshop.hand_out import release
    from workshop.node import proxy_command
    from workshop.room import catalogue

    console = Console(highlight=False)
    given = {name: value for name, value in chosen.items() if value is not None}
    last = {} if forget else remembered(folders)
    options = _options(places.root, last | given)
    kept = [name for name in last if name not in given and name != "instructor"]
    people, header = names.read_list(learners) if learners else ([], "")
    chosen_names = [places.find(each) for each in notebooks] or places.names()
    there = day.machine(folders.data)
    if (small := day.missing(len(people), there)) and not anyway:
        raise CourseError(
            f"{len(people)} learners need {', and '.join(small)}. About "
            f"{day.most_learners(there)} fit here. (--anyway starts all the same.)"
        )
    if supervision.programs(folders):
        raise CourseError(
            f"A workshop runs in {folders.data} already: `{_words('status', data)}` "
            f"shows where, `{_words('stop', data)}` ends it. (--data names another "
            "folder, --port another port.)"
        )
    folders.make()
    options = _with_ports(options)
    with console.status("Looking whether learners can be kept apart ..."):
        wall.try_out(folders, options)
    with console.status("Getting the proxy ready ..."):
        proxy = proxy_command()
    options.save(folders)
    had = accounts.known(folders)
    teacher = names.Person(options.instructor, options.instructor)
    handed = accounts.add(folders, [teacher, *people])
    outside = outside_url(options)
    others = accounts.learners(folders, options.instructor)
    slips.write_slips(folders.slips, others, outside or options.url)
    with console.status("Releasing the notebooks ..."):
        release(folders, places, chosen_names)
    with console.status("Reading the exercises ..."):
        catalogue.load()
    with console.status("Starting the hub ..."):
        config = supervision.write_config(folders, options, proxy)
        supervision.start(folders, options, config)
    console.print(f"The workshop runs: {outside or options.url}", soft_wrap=True)
    if not outside:
        console.print(
            "Only this machine gets in there: --address lets others and phones in."
        )
    _say_who(console, handed[options.instructor])
    if kept:
        told = ", ".join(f"{name} {getattr(options, name)}" for name in kept)
        console.print(f"As at the last start: {told}. (--forget begins anew.)")
    if header:
        console.print(f"The first line, {header!r}, was taken for a header.")
    if others:
        new = sum(each not in had for each in handed if each != options.instructor)
        console.print(
            f"Learners: {len(others)} accounts, {new} of them new", soft_wrap=True
        )
        console.print(f"Slips to print: {folders.slips}", soft_wrap=True)
    elif not options.register:
        console.print(
            "Only you can sign in yet: `course workshop add NAME` adds others."
        )
    if options.register:
        console.print(f"Learners register at {outside or options.url}/hub/signup")
    if options.register == "approve":
        console.print(f"You let them in at {outside or options.url}/hub/authorize")
    fit = day.most_learners(there)
    console.print(f"Learners that fit on this machine: about {fit}")
    told = disk.said(folders.learners, options.disk, folders.quota_script)
    console.print(told, soft_wrap=True)
    _say_where(console, outside or options.url)
    console.print(
        f"`{_words('stop', data)}` ends it, and forgets what the room showed.",
        soft_wrap=True,
    )


def _say_who(console: Console, teacher: Account) -> None:
    console.print(
        f"You are [bold]{teacher.name}[/bold], password [bold]{teacher.password}[/bold]"
    )


def _say_where(console: Console, url: str) -> None:
    room = f"{url}/services/room/"
    console.print(f"The room while it works: {room}", soft_wrap=True)
    console.print(f"Your day, step by step: {room}day", soft_wrap=True)
    console.print(f"The wall, for the projector: {room}wall", soft_wrap=True)


def _words(command: str, data: Path | None) -> str:
    own = ["--data", str(data)] if data else []
    return shlex.join(["course", "workshop", command, *own])


def add(data: Path | None, names: list[str]) -> None:
    """Make accounts while the workshop runs, and say their passwords."""
    folders = folders_at(data)
    options = load(folders)
    from workshop import accounts, slips, supervision
    from workshop.names import Person

    address = outside_url(options) or options.url
    known = {each.shown: each for each in accounts.known(folders).values()}
    for shown in names:
        if shown in known:
            name = known[shown].name
            raise CourseError(
                f"{shown} has an account: {address}/hub/change-password/{name} "
                "gives it another password."
            )
    console = Console(highlight=False)
    handed = accounts.add(folders, [Person(shown) for shown in names])
    learners = accounts.learners(folders, options.instructor)
    slips.write_slips(folders.slips, learners, address)
    added = folders.slips.with_stem("slips-added")
    slips.write_slips(added, list(handed.values()), address)
    if supervision.programs(folders):
        console.print("The hub starts again: nobody can sign in for some seconds, and")
        console.print("who is in works on.")
        with console.status("Telling the hub ..."):
            supervision.restart_hub(folders, options)
    for each in handed.values():
        console.print(f"{each.shown}: {each.name}  {each.password}", markup=False)
    console.print(f"Their slips to print: {added}", soft_wrap=True)


def approve(data: Path | None, names: list[str]) -> None:
    """Let in who has registered, all by default; say who it is."""
    folders = folders_at(data)
    load(folders)
    from workshop.registered import approve

    came = approve(folders, names)
    Console(highlight=False).print(
        f"Let in: {', '.join(came)}." if came else "Nobody waits.", markup=False
    )


def stop(data: Path | None) -> None:
    """End everything of the workshop; learners' files and submissions stay."""
    folders = folders_at(data)
    if not folders.data.is_dir():
        load(folders)  # says that there is none
    from workshop import sessions, supervision
    from workshop.room.store import forget

    console = Console(highlight=False)
    with console.status("Stopping the workshop ..."):
        supervision.stop(folders)
        sessions.end_all(folders)
        forget(folders.room_state)
    left = [*sessions.walls(folders), *sessions.others(folders)]
    left = [each for each in left if each.pid != os.getpid()]
    if left:
        raise CourseError(
            "These processes did not end: " + ", ".join(str(each.pid) for each in left)
        )
    console.print(f"Stopped. Learners' files stay in {folders.data}.", soft_wrap=True)


def status(data: Path | None) -> int:
    """Print what runs, where, and who you are; return 0 where all of it runs."""
    folders = folders_at(data)
    options = load(folders)
    from workshop import accounts, sessions, supervision

    console = Console(highlight=False)
    running = supervision.programs(folders)
    if not running:
        console.print(f"The workshop in {folders.data} does not run.")
        return 1
    table = Table("program", "state", box=None)
    for each in running:
        table.add_row(each["name"], each["description"] or each["statename"])
    console.print(table)
    console.print(f"Learners' sessions: {len(list(sessions.walls(folders)))}")
    url = outside_url(options) or options.url
    console.print(f"Address: {url}", soft_wrap=True)
    if teacher := accounts.known(folders).get(options.instructor):
        _say_who(console, teacher)
    console.print(f"Slips to print: {folders.slips}", soft_wrap=True)
    _say_where(console, url)
    return 0 if all(each["statename"] == "RUNNING" for each in running) else 1


def hand_out(
    what: str,
    notebooks: list[str],
    data: Path | None,
    root: Path | None,
    exchange: Path | None = None,
    practice: tuple[int, int] | None = None,
) -> None:
    """Release notebooks, collect submissions, or give feedback; say what came of it.

    Args:
        what: "release", "collect" or "feedback".
        notebooks: numbers or names; all by default.
        data: the workshop's folder.
        root: the course's.
        exchange: the root of an exchange, where no workshop runs on this machine.
        practice: a part and a seed: jobs without a label to release instead.

    Raises:
        CourseError: there is no workshop, no such exchange or no such notebook.
    """
    folders, places = folders_at(data), course_places(root)
    if exchange is None:
        load(folders)
    elif exchange.is_dir():
        folders = replace(folders, apart=exchange.absolute())
    else:
        raise CourseError(f"There is no exchange at {exchange}: it is no folder.")
    from workshop import hand_out as hands

    console = Console(highlight=False)
    names = [places.find(each) for each in notebooks] or places.names()
    if what == "release":
        if practice:
            new = [hands.release_practice(folders, places, *practice)]
        else:
            new = hands.release(folders, places, names)
        console.print(f"Released: {', '.join(new) or 'nothing, all are out already'}.")
        if new:
            console.print("A notice in JupyterLab lets learners open them.")
    elif what == "collect":
        count, refused = hands.collect(folders, places, names)
        console.print(f"New submissions: {count}.")
        for which, why in refused.items():
            console.print(f"Not taken: {which} {why}.", markup=False)
        if count:
            grade = ["course", "grade", str(places.root / "autograder" / "submitted")]
            grade += ["--root", str(root)] if root else []
            console.print(f"Now grade them: {shlex.join(grade)}", soft_wrap=True)
    else:
        count = hands.give_feedback(folders, places, names)
        console.print(f"Feedback pages handed out: {count}.")
        if count:
            console.print("A notice in JupyterLab lets learners open them.")
        else:
            console.print("None is there yet: collect and grade first.")


def _options(root: Path, chosen: dict) -> Options:
    name = check_name((chosen.pop("instructor", None) or getpass.getuser()).lower())
    options = Options(str(root), name, **chosen)
    for each in (options.certificate, options.key):
        if each and not Path(each).is_file():
            raise CourseError(f"There is no certificate or key at {each}.")
    if bool(options.certificate) != bool(options.key):
        raise CourseError("--tls-cert and --tls-key belong together.")
    try:
        here = ip_address(options.address).is_loopback
    except ValueError:
        raise CourseError(
            f"--address {options.address!r} is no address such as 192.168.1.20; "
            "0.0.0.0 stands for all of this machine's."
        ) from None
    if options.public and not options.public.startswith(("http://", "https://")):
        raise CourseError(
            f"--public {options.public!r} is no address such as https://room.example.org"
        )
    if options.subdomains and not _is_name(urlsplit(options.public).hostname):
        raise CourseError(
            "--subdomains needs a name, and a wildcard name below it that leads here, "
            "too: --public https://room.example.org and *.room.example.org."
        )
    if not here and not options.certificate and not options.without_tls:
        raise CourseError(
            f"On {options.address} passwords would travel in clear text: give "
            "--tls-cert and --tls-key, or say --without-tls where a proxy of yours in "
            "front has the certificate."
        )
    return replace(
        options,
        certificate=options.certificate and str(Path(options.certificate).resolve()),
        key=options.key and str(Path(options.key).resolve()),
        secret=secrets.token_hex(32),
        proxy_secret=secrets.token_hex(32),
    )


def _is_name(host: str | None) -> bool:
    """Whether it can have names below it: not so an address of numbers."""
    try:
        ip_address(host or "")
    except ValueError:
        return bool(host)
    return False


def _with_ports(options: Options) -> Options:
    """Return them with ports for hub and live view; its own port must be free too."""
    family = socket.AF_INET6 if ":" in options.address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.address, options.port))
        except OSError as error:
            raise CourseError(
                f"{options.address} port {options.port} can't be used "
                f"({error.strerror}): choose another with --address or --port."
            ) from None
        probe.listen()  # neither of the others may take it
        return replace(
            options, hub_port=free_port(HUB_PORT), room_port=free_port(ROOM_PORT)
        )
