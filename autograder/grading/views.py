"""The folders that stand for parts of the course in graded kernels."""

from __future__ import annotations

import py_compile
import shutil
from collections.abc import Iterable
from pathlib import Path

from autograder.grading.isolation import locked_folder
from autograder.grading.pared import ROOT, Name, Pared


class Views:
    """A folder of views; each holds pared packages in the place of the whole ones.

    A view never changes: a kernel that runs may import the rest of it at any time.
    """

    def __init__(self) -> None:
        self.folder = locked_folder("views-")
        self.folder.chmod(0o755)  # a locked-in server is nobody
        self._made: dict[frozenset[Name], Path] = {}

    def of(self, names: Iterable[Name]) -> Path:
        """The view in which what trials refer to can be seen, by module and name."""
        names = frozenset(names)
        if names not in self._made:
            view = self.folder / str(len(self._made))
            for path, text in Pared.for_kernels(names).files():
                file = view / path
                file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                py_compile.compile(str(file), dfile=str(ROOT / path), doraise=True)
            self._made[names] = view
        return self._made[names]

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
