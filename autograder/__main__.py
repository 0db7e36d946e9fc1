"""The `course` program: its command line, or one sentence on what is not installed."""

OURS = ("course", "autograder", "workshop")
WHAT_TO_DO = (
    "The package {} is not installed, which this command needs. In the course's folder "
    "`make lab` installs what is needed, for a workshop `make workshop`. Elsewhere "
    "take the wheel with its extras: lab for the notebooks, classroom to build and "
    "grade, workshop for a workshop; cpu or gpu for TensorFlow."
)


def main() -> None:
    """Run the command line; without a package that it needs, say what to install."""
    try:
        from autograder.cli import main as run

        run()
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if not missing or missing in OURS:
            raise
        raise SystemExit(WHAT_TO_DO.format(missing)) from None


if __name__ == "__main__":
    main()
