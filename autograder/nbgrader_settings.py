"""The settings that make stock nbgrader work on this course, from any folder."""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points
from pathlib import Path

from nbconvert.preprocessors import (
    ClearMetadataPreprocessor,
    CSSHTMLHeaderPreprocessor,
)
from nbgrader import preprocessors as stock
from traitlets.config import Config

from autograder.gradebook import share_engines
from autograder.places import COURSE_ID, EXCHANGE_VARIABLE, HERE, Places
from autograder.preprocessors import (
    FreshExecute,
    LearnerVersion,
    PointsNeedVerdict,
    RestoreCells,
    SavePoints,
    Stamp,
)
from autograder.sanitize import clean_html, clean_markdown
from course.learner.seed import course_seed

SECONDS_PER_CELL = 120


def configure(
    c: Config, root: Path | None = None, gradebook: Path | None = None
) -> None:
    """Write the course's settings into an nbgrader configuration.

    `root` is the course's folder (this checkout by default), `gradebook` the
    database's file.
    """
    places = Places(Path(root).resolve() if root else HERE.parent)
    _environment()
    _layout(c, places, gradebook or places.gradebook)
    _exchange(c)
    _generate(c)
    _autograde(c)
    _feedback(c)


def settings(root: Path, gradebook: Path | None = None) -> Config:
    """A configuration for nbgrader's own API."""
    share_engines()
    config = Config()
    configure(config, root, gradebook)
    return config


def _environment() -> None:
    """Let nbgrader find its `alembic`, and keep TensorFlow's chatter off stderr."""
    programs = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if programs not in path.split(os.pathsep):
        os.environ["PATH"] = programs + os.pathsep + path
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    course_seed()  # a bad COURSE_SEED stops here, before anybody is graded with it


def _layout(c: Config, places: Places, gradebook: Path) -> None:
    c.CourseDirectory.course_id = COURSE_ID
    c.CourseDirectory.root = str(places.root)
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"
    c.CourseDirectory.submitted_directory = "autograder/submitted"
    c.CourseDirectory.autograded_directory = "autograder/autograded"
    c.CourseDirectory.feedback_directory = "autograder/feedback"
    c.CourseDirectory.solution_directory = "autograder/solution"
    c.CourseDirectory.db_url = f"sqlite:///{gradebook}"
    c.CourseDirectory.ignore = [
        ".ipynb_checkpoints",
        "*.py",
        "*.pyc",
        # a room's own: its answers, and what the pages say of its failure
        "answers",
        "records",
        "elsewhere",
        "*.toml",
        "triage.md",
        "thumbnail.png",
        "__pycache__",
        "feedback",
    ]


def _exchange(c: Config) -> None:
    """Nothing where no workshop runs: then files come and go by hand."""
    root = os.environ.get(EXCHANGE_VARIABLE)
    if root:
        for each in entry_points(group="course.exchange"):
            each.load()(c, Path(root))


def _generate(c: Config) -> None:
    c.GenerateAssignment.preprocessors = [
        stock.IncludeHeaderFooter,
        stock.InstantiateTests,
        stock.LockCells,
        LearnerVersion,
        stock.ClearOutput,
        stock.CheckCellMetadata,
        stock.ComputeChecksums,
        stock.SaveCells,
        stock.ClearHiddenTests,
        stock.ClearMarkScheme,
        stock.ComputeChecksums,
        stock.CheckCellMetadata,
        Stamp,
    ]


def _autograde(c: Config) -> None:
    c.OverwriteCells.add_missing_cells = True
    c.IgnorePattern.enabled = True
    c.IgnorePattern.pattern = r"(?s).*"
    c.Execute.timeout = SECONDS_PER_CELL
    c.Execute.iopub_timeout = 30
    c.Execute.extra_arguments = ["--log-level=ERROR"]
    c.Autograde.sanitize_preprocessors = [
        stock.ClearOutput,
        stock.DeduplicateIds,
        stock.OverwriteKernelspec,
        RestoreCells,
        stock.CheckCellMetadata,
    ]
    c.Autograde.autograde_preprocessors = [
        FreshExecute,
        stock.IgnorePattern,
        ClearMetadataPreprocessor,
        PointsNeedVerdict,
        stock.LimitOutput,
        SavePoints,
        stock.AssignLatePenalties,
        stock.CheckCellMetadata,
    ]


def _feedback(c: Config) -> None:
    c.GenerateFeedback.preprocessors = [
        stock.GetGrades,
        stock.ClearHiddenTests,
        CSSHTMLHeaderPreprocessor,
    ]
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {
        "clean_html": clean_html,
        "markdown2html": clean_markdown,
    }
