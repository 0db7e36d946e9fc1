"""The program of a job: its cells, its settings, and files that it reads."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """What one job consists of.

    helpers: the cells before the job itself: functions and classes.
    entry: the function `job(folder, probe)` that is run; its name is set by `named`.
    settings: what stands in settings.json; None is the size of a batch.
    files: name -> text of other files in the folder.
    """

    helpers: tuple[str, ...]
    entry: str
    settings: Mapping[str, object]
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def defines(self) -> list[str]:
        """The names that the cells before the job define."""
        nodes = (node for code in self.helpers for node in ast.parse(code).body)
        return [node.name for node in nodes if hasattr(node, "name")]

    def named(self, name: str) -> str:
        """Return the entry as a function of this name."""
        return self.entry.replace("def job(", f"def {name}(", 1)

    def whole(self, name: str) -> str:
        """Return all of its code, the entry last."""
        return "\n\n\n".join((*self.helpers, self.named(name)))
