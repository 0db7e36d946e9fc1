"""The commands `course workshop ...`; imports happen inside, so that help is fast."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.root_option import Root

workshop = typer.Typer(
    no_args_is_help=True, help="A room of learners on this machine (Linux)."
)
Data = Annotated[
    Path | None,
    typer.Option("--data", help="The workshop's folder; one of yours by default."),
]
Notebooks = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NOTEBOOK]...", help="Number or name; all by default."),
]
Exchange = Annotated[
    Path | None,
    typer.Option(help="Root of nbgrader's exchange, where no workshop runs here."),
]


class Register(StrEnum):
    """Whether learners may register themselves."""

    APPROVE = "approve"
    OPEN = "open"


@workshop.command("start")
def workshop_start(
    learners: Annotated[
        Path | None, typer.Option(help="Names, one a line; passwords are drawn.")
    ] = None,
    register: Annotated[
        Register | None,
        typer.Option(help="Learners register; you approve them, or they come in."),
    ] = None,
    instructor: Annotated[
        str | None, typer.Option(help="Your name there; your login by default.")
    ] = None,
    release: Annotated[
        list[str] | None,
        typer.Option(help="Hand out only this one now; can be given several times."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Where to listen; 0.0.0.0 is everywhere. [127.0.0.1]"),
    ] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="[8000]")] = None,
    public: Annotated[
        str | None,
        typer.Option(help="The address that others type, behind a proxy of yours."),
    ] = None,
    subdomains: Annotated[
        bool | None,
        typer.Option(
            "--subdomains", help="A web address for each session, below --public."
        ),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate for TLS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its key.")] = None,
    without_tls: Annotated[
        bool | None, typer.Option("--without-tls", help="Passwords in clear text.")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Start on a machine that is too small.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="The options of the last start.")
    ] = False,
    memory: Annotated[
        float | None,
        typer.Option(min=0.5, help="GB for one learner's processes together. [2]"),
    ] = None,
    disk: Annotated[
        float | None,
        typer.Option(min=0.1, help="GB for one learner's files together. [1]"),
    ] = None,
    tasks: Annotated[
        int | None,
        typer.Option(min=200, help="Processes and threads of one learner. [2000]"),
    ] = None,
    idle: Annotated[
        float | None,
        typer.Option(min=0.05, help="Minutes after which unused kernels end. [30]"),
    ] = None,
    data: Data = None,
    root: Root = None,
) -> None:
    """Start a JupyterHub for a room of learners, in the background.

    What is not given is as at the last start.
    """
    from workshop.command import start

    start(
        data,
        root,
        learners,
        release or [],
        anyway,
        forget,
        instructor=instructor,
        register=register and register.value,
        address=address,
        port=port,
        public=public,
        subdomains=subdomains,
        certificate=tls_cert and str(tls_cert),
        key=tls_key and str(tls_key),
        without_tls=without_tls,
        memory=memory and int(memory * 2**30),
        disk=disk and int(disk * 2**30),
        tasks=tasks,
        idle=idle and int(idle * 60),
    )


@workshop.command("stop")
def workshop_stop(data: Data = None) -> None:
    """End the workshop; learners' files and submissions stay."""
    from workshop.command import stop

    stop(data)


@workshop.command("status")
def workshop_status(data: Data = None) -> None:
    """Show what runs."""
    from workshop.command import status

    raise typer.Exit(status(data))


@workshop.command("add")
def workshop_add(
    names: Annotated[
        list[str], typer.Argument(help="Names of learners who came late.")
    ],
    data: Data = None,
) -> None:
    """Make more accounts while the workshop runs, and print their passwords."""
    from workshop.command import add

    add(data, names)


@workshop.command("approve")
def workshop_approve(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="All who wait by default."),
    ] = None,
    data: Data = None,
) -> None:
    """Let in who has registered."""
    from workshop.command import approve

    approve(data, names or [])


@workshop.command("release")
def workshop_release(
    notebooks: Notebooks = None,
    practice: Annotated[
        int | None, typer.Option(help="Instead: two jobs without a label of this part.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Other numbers, other jobs.")] = 1,
    exchange: Exchange = None,
    data: Data = None,
    root: Root = None,
) -> None:
    """Let learners fetch notebooks, or a newer build of them."""
    from workshop.command import hand_out

    chosen = None if practice is None else (practice, seed)
    hand_out("release", notebooks or [], data, root, exchange, chosen)


@workshop.command("collect")
def workshop_collect(
    notebooks: Notebooks = None,
    exchange: Exchange = None,
    data: Data = None,
    root: Root = None,
) -> None:
    """Take in what learners submitted: then `course grade autograder/submitted`."""
    from workshop.command import hand_out

    hand_out("collect", notebooks or [], data, root, exchange)


@workshop.command("feedback")
def workshop_feedback(
    notebooks: Notebooks = None,
    exchange: Exchange = None,
    data: Data = None,
    root: Root = None,
) -> None:
    """Let learners fetch the feedback on what was graded."""
    from workshop.command import hand_out

    hand_out("feedback", notebooks or [], data, root, exchange)
