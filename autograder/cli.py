"""The `course` command: imports happen inside each command, so that help is fast."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from autograder import no_grammar  # noqa: F401 - before all that takes nbformat in
from autograder.root_option import Root

app = typer.Typer(
    name="course",
    help="Distributed TensorFlow failures: an interactive course.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    suggest_commands=True,
)


@app.command()
def lab(
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; the next free one if taken.")
    ] = None,
    browser: Annotated[
        bool, typer.Option(help="Open the first notebook in a browser.")
    ] = True,
) -> None:
    """Open the course in JupyterLab."""
    from autograder.lab import start

    raise typer.Exit(start(open_browser=browser, port=port))


@app.command()
def check(
    notebooks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NOTEBOOK]...",
            help="Number, name or path; all notebooks by default.",
        ),
    ] = None,
    root: Root = None,
) -> None:
    """Run your notebooks and print a table of what is right.

    Each runs as a copy: your files stay as they are. Exit code 0 only where every
    exercise is RIGHT.
    """
    from autograder.check import check_notebooks

    raise typer.Exit(0 if check_notebooks(notebooks or [], root) else 1)


@app.command()
def status(root: Root = None) -> None:
    """Show the notebooks, their minutes and your progress."""
    from autograder.status import print_status

    print_status(root)


@app.command()
def build(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Notebooks; all by default."),
    ] = None,
    root: Root = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail on any difference.")
    ] = False,
    adopt: Annotated[
        Path | None,
        typer.Option(help="Take edits of this built notebook into its source."),
    ] = None,
) -> None:
    """Build the notebooks, docs/ and the README's tables from their sources.

    Refuses to overwrite a notebook that was edited by hand, and shows the edits.
    """
    from autograder import adopt as adopting
    from autograder import build as building
    from autograder.places import course_places

    places = course_places(root)
    if adopt is not None:
        lines = adopting.adopt(adopt.resolve(), places)
        for line in lines or ["Nothing to take: the notebook is as it was built."]:
            typer.echo(line)
    elif check:
        found = building.differences(places)
        for line in found:
            typer.echo(line)
        if found:
            typer.echo("Run `course build` and commit what it writes.", err=True)
            raise typer.Exit(1)
        typer.echo("Every built file is what its source builds.")
    else:
        chosen = [places.find(name) for name in names] if names else None
        changed = building.build(places, chosen)
        for path in changed:
            typer.echo(f"wrote {path.relative_to(places.root)}")
        if not changed:
            typer.echo("Nothing changed.")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Number and symptom: 21_loss_jumps.")],
    root: Root = None,
) -> None:
    """Write the two rooms of a new failure, runnable, with the places to fill in."""
    from autograder.new_room import new_room, told
    from autograder.places import course_places

    places = course_places(root)
    typer.echo(told(places, name, new_room(places, name)))


@app.command()
def renumber(
    notebook: Annotated[str, typer.Argument(help="Number, name or path.")],
    number: Annotated[str, typer.Argument(help="Its new number, such as 20.")],
    root: Root = None,
) -> None:
    """Give a failure another number; those in its way move by one.

    Changes folders, names, imports, exercises and links, then builds. Says which lines
    only a person can judge.
    """
    from autograder.places import course_places
    from autograder.renumber import renumber

    for line in renumber(course_places(root), notebook, number):
        typer.echo(line)


@app.command()
def test(
    notebook: Annotated[str, typer.Argument(help="Number, name or path.")],
    exercise: Annotated[
        str | None, typer.Argument(help="One exercise, such as my_step.")
    ] = None,
    root: Root = None,
) -> None:
    """Say what is missing of one failure, and run all tests that belong to it.

    With an exercise, run only what belongs to it. Exit code 0 only where nothing is
    missing, and all tests pass.
    """
    from autograder.places import course_places
    from autograder.room_tests import run_room_tests

    raise typer.Exit(run_room_tests(course_places(root), notebook, exercise))


@app.command()
def record(
    notebook: Annotated[
        str | None,
        typer.Argument(help="Number, name or path; all notebooks by default."),
    ] = None,
    exercise: Annotated[
        str | None, typer.Argument(help="One exercise, such as my_step.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Record nothing; say what is stale.")
    ] = False,
    root: Root = None,
) -> None:
    """Run the known answers whose records are stale, and keep what they give.

    Each runs twice, or once where its old record says the same. You can stop it at any
    time; the next call goes on. Exit code 0 only where no record is stale, and every
    answer gets the verdict it is known for.
    """
    from autograder.places import course_places
    from autograder.proof.command import record_answers

    done = record_answers(course_places(root), notebook, exercise, only_say=check)
    raise typer.Exit(0 if done else 1)


@app.command()
def grade(
    submissions: Annotated[
        Path,
        typer.Argument(
            help="A folder, a zip, or what Canvas or Moodle exported, as it came."
        ),
    ],
    notebook: Annotated[
        list[str] | None,
        typer.Option(help="Only this notebook; can be given several times."),
    ] = None,
    student: Annotated[
        list[str] | None,
        typer.Option(help="Only this student, again; can be given several times."),
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option(help="Regular expression for file names, with (?P<student>...)."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="The class's seed; drawn once and kept by default."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Submissions at a time; one a core by default."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Grade what did not change, too.")
    ] = False,
    no_isolation: Annotated[
        bool,
        typer.Option("--no-isolation", help="Run submissions with all your rights."),
    ] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Dask scheduler, tls://HOST:PORT, whose workers run them."),
    ] = None,
    tls_ca: Annotated[
        Path | None, typer.Option(help="Certificate of the scheduler's authority.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="Your certificate for the scheduler.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(help="The key of your certificate.")
    ] = None,
    root: Root = None,
) -> None:
    """Grade a class: gradebook, feedback, tables and a report.

    Stop it with Ctrl-C when you like: run again, it goes on where it stopped, and
    grades only what changed.
    """
    from autograder.grading.command import grade_class

    raise typer.Exit(
        grade_class(
            submissions,
            root,
            notebooks=notebook or [],
            students=student or [],
            pattern=pattern,
            seed=seed,
            jobs=jobs,
            again=again,
            isolated=not no_isolation,
            scheduler=scheduler,
            certificates=(tls_ca, tls_cert, tls_key),
        )
    )


@app.command()
def mark(
    student: Annotated[str, typer.Argument(help="As in the gradebook.")],
    notebook: Annotated[str, typer.Argument(help="Number, name or path.")],
    exercise: Annotated[
        str | None, typer.Argument(help="Such as my_step; without it, all are shown.")
    ] = None,
    points: Annotated[
        str | None, typer.Option(help="A number; check for those that its check gave.")
    ] = None,
    comment: Annotated[
        str | None,
        typer.Option(help='For the learner, on the feedback page; "" removes it.'),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: all exercises as JSON.")
    ] = False,
    root: Root = None,
) -> None:
    """Give points or a comment by hand; the feedback page and the tables follow.

    They stay when the submission is graded again, and each stays when the other is
    given.
    """
    from autograder.by_hand import give, marks, points_given
    from autograder.places import course_places

    places = course_places(root)
    name = places.find(notebook)
    if exercise is None:
        found = marks(places, student, name)
    else:
        given = {"points": points_given(points), "comment": comment}
        found = [give(places, student, name, exercise, **given)]
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in marks(places, student, name)]))
        return
    for each in found:
        typer.echo(f"{each.exercise}: {each}")
        if each.comment:
            typer.echo(f"  {each.comment}")


@app.command()
def practice(
    part: Annotated[int, typer.Argument(help="The part of the course: 1, 2 or 3.")],
    seed: Annotated[
        int, typer.Option(min=0, help="Other numbers give other jobs.")
    ] = 1,
    root: Root = None,
) -> None:
    """Write a notebook with two jobs without a label from one part."""
    from autograder.places import course_places
    from autograder.practice import write_practice

    path = write_practice(course_places(root), part, seed)
    typer.echo(f"Open {path} in `course lab`.")


@app.command()
def site(
    notebook: Annotated[
        list[str] | None, typer.Option(help="Only these, by number or name.")
    ] = None,
    root: Root = None,
) -> None:
    """Build a static site of the course: artifacts/site/html/index.html.

    Notebooks are run once; after that only those that changed.
    """
    from rich.console import Console

    from autograder.places import course_places
    from autograder.site.building import build_site

    places = course_places(root)
    names = [places.find(each) for each in notebook or []] or places.names()
    target, console = places.root / "artifacts" / "site", Console()
    console.print(build_site(places, sorted(names), target, console))


@app.command("binder-link")
def binder_link(root: Root = None) -> None:
    """Print the address that launches this repository on Binder, and its badge."""
    from autograder.places import course_places
    from autograder.published import binder_badge, of_origin

    published = of_origin(course_places(root))
    typer.echo(published.on_binder())
    typer.echo(binder_badge(published))


@app.command("colab-link")
def colab_link(
    notebook: Annotated[
        str, typer.Argument(help="A notebook, by number or name.")
    ] = "00",
    root: Root = None,
) -> None:
    """Print the address that opens a notebook in Colab, and its badge.

    Colab opens the notebooks in colab/, which `course publish` makes.
    """
    from autograder.places import course_places
    from autograder.published import colab_badge, of_origin

    places = course_places(root)
    published, name = of_origin(places), places.find(notebook)
    typer.echo(published.on_colab(name))
    typer.echo(colab_badge(published, name))


@app.command()
def publish(
    branch: Annotated[
        str | None, typer.Option(help="The branch that learners get: origin's main.")
    ] = None,
    root: Root = None,
) -> None:
    """Write where learners find this repository: Colab's notebooks, links, badges.

    Owner, repository and branch are those of the git remote `origin`.
    """
    from autograder.build import build
    from autograder.places import course_places
    from autograder.published import of_origin, write_published

    places = course_places(root)
    published = of_origin(places, branch)
    write_published(places, published)
    for path in build(places):
        typer.echo(path.relative_to(places.root))
    typer.echo(f"Commit these, and push them to {published.branch}.")


# Further commands come from packages that this one knows nothing of.
for each in entry_points(group="course.commands"):
    app.add_typer(each.load(), name=each.name)


def main() -> None:
    """Run the command line; an error for people is one message and exit code 2."""
    from autograder.places import CourseError

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        app()
    except CourseError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
