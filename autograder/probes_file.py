"""The file docs/probes.py: all probes, also for `fit`, to copy as one module."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autograder.places import Places
from autograder.probes import read_probes
from autograder.source import Source

HEAD = '''\
# Built by `course build` from the probes of the notebooks: edit those.
# SPDX-License-Identifier: BSD-3-Clause
# {copyright}
# fmt: off
# ruff: noqa
"""Probes for a TensorFlow job that is wrong, slow, or stands still when it is parallel.

Plain TensorFlow and NumPy; copy this file beside your job. Which probe comes first, how
to call it, and what a healthy job prints: triage.md, where each of them has a section.
"""
'''


def render_probes_file(places: Places, sources: Sequence[Source]) -> str:
    """The module's text: imports once, then the probes in the order of triage.md.

    Raises CourseError where the triage.md of a room does not fit its probes.
    """
    probes = [probe for source in sources for probe in read_probes(source)]
    probes.sort(key=lambda probe: (probe.question or len(probes), probe.order))
    imports, functions = {"import numpy as np", "import tensorflow as tf"}, []
    for probe in probes:
        number = probe.source.header.number
        for code in (probe.code, *probe.forms):
            own, function = _parts(code)
            imports |= own
            use = "" if code is probe.code else ", for a job with fit"
            functions.append(f"# notebook {number}{use}\n{function}")
    plain, rest = _sorted(imports)
    license_text = (places.root / "LICENSE").read_text(encoding="utf-8")
    (owner,) = [x for x in license_text.splitlines() if x.startswith("Copyright")]
    parts = [f"{HEAD.format(copyright=owner)}\n{plain}\n\n{rest}", *functions]
    return "\n\n\n".join(parts) + "\n"


def _parts(code: str) -> tuple[set[str], str]:
    """The lines that import, and the code that stands below them."""
    tree = ast.parse(code)
    imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    begin = max((node.end_lineno for node in imports), default=0)
    below = "\n".join(code.splitlines()[begin:]).strip("\n")
    return {ast.unparse(node) for node in imports}, below


def _sorted(imports: set[str]) -> tuple[str, str]:
    """Python's own, and the others."""
    others = {line for line in imports if line.split()[1] in ("numpy", "tensorflow")}
    by_kind = [sorted(imports - others, key=lambda x: (x.startswith("from"), x))]
    by_kind.append(sorted(others))
    return "\n".join(by_kind[0]), "\n".join(by_kind[1])
