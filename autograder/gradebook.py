"""nbgrader's gradebook, written at once where nbgrader writes it bit by bit."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

from nbgrader import api
from sqlalchemy import Engine, create_engine


@contextlib.contextmanager
def one_commit(gradebook: api.Gradebook) -> Iterator[None]:
    """Commit what is written in between at its end, all of it or, on an error, nothing.

    nbgrader commits after each cell, and each time waits for the disk.
    """
    session = gradebook.db()
    session.commit = session.flush
    try:
        yield
    finally:
        del session.commit
    session.commit()


def keep_statements() -> None:
    """Let gradebooks of one file share what SQLAlchemy compiled.

    nbgrader opens the gradebook anew for each step of a submission.
    """
    api.create_engine = _create_engine


@functools.cache
def _create_engine(url: str, **options: object) -> Engine:
    return create_engine(url, **options)
