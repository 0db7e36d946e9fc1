"""What a job finds beside it, as plain data: files, variables, addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Surroundings:
    """What is there when a job begins.

    files: of its folder: name -> content.
    variables: of each process, what is set in its environment.
    alone: whether each worker finds no other's address in its TF_CONFIG.
    """

    files: Mapping[str, bytes]
    variables: Sequence[Mapping[str, str]]
    alone: bool = False

    def write(self, folder: str | Path) -> None:
        """Write all files into an empty folder."""
        for name, content in self.files.items():
            Path(folder, name).write_bytes(content)

    def cluster(self, config: str) -> str:
        """Return the TF_CONFIG that a worker finds, of the right one."""
        if not self.alone:
            return config
        known = json.loads(config)
        own = known["cluster"]["worker"][known["task"]["index"]]
        alone = {"worker": [own]}
        return json.dumps({"cluster": alone, "task": {"type": "worker", "index": 0}})
