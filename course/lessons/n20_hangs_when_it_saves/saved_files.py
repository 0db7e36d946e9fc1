"""The files that a save writes, in two halves; what a folder of them holds."""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

Content = np.ndarray | None  # of a file: w and seen, float64 (5,); None: not whole


def files_in(folder: Path) -> dict[str, Content]:
    """Return the content of all files in a folder, and in folders in it, by name."""
    found = sorted(each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): content(each) for each in found}


def content(path: Path) -> Content:
    """Return w and seen of a file: float64, (5,); None if it is not whole."""
    with (
        contextlib.suppress(
            OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile
        ),
        np.load(path, allow_pickle=False) as values,
    ):
        return np.concatenate([values["w"], values["seen"]]).astype(float)
    return None


def write_in_halves(
    path: str, w: np.ndarray, seen: np.ndarray, between: Callable[[], object]
) -> None:
    """Write a file; call `between` when half of it is there."""
    buffer = io.BytesIO()
    np.savez(buffer, w=w, seen=seen)
    content = buffer.getvalue()
    with open(path, "wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        between()
        file.write(content[len(content) // 2 :])
