"""The folder that stands for parts of the course in graded kernels."""

from __future__ import annotations

import py_compile
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.grading.pared import PARED, ROOT, Name, Pared


class View:
    """A folder with the pared modules; kernels see it in the place of the whole ones.

    folder: holds one folder for each package that is pared.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="course-view-"))
        self.folder.chmod(0o755)  # a locked-in server is nobody
        for package in PARED:
            (self.folder / package.rpartition(".")[2]).mkdir(mode=0o755)
        self._names: set[Name] = set()
        self._written: dict[Path, str] = {}

    def show(self, names: Iterable[Name]) -> None:
        """Let these parts be seen, too: what a trial refers to, in module and name."""
        names = set(names)
        if self._written and names <= self._names:
            return
        self._names |= names
        for path, text in Pared(sorted(self._names)).files():
            if self._written.get(path) == text:
                continue
            self._written[path] = text
            file = self.folder / path
            file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            # kernels that run may import it now
            part = file.with_name(f".part-{file.name}")
            part.write_text(text, encoding="utf-8")
            part.replace(file)
            py_compile.compile(str(file), dfile=str(ROOT / path), doraise=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
