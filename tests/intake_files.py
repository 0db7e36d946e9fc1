"""Notebooks, folders and zips to take submissions in from."""

import io
import json
import zipfile

from autograder.intake import find_submissions
from autograder.places import Places

NAMES = ("02_replicas_drift_apart", "03_right_only_when_it_divides")
TWO, THREE = NAMES
LEARNER = {
    TWO: (
        ("start", ""),
        ("slider", ""),
        ("my_step-check", 'check("02/my_step", my_step)'),
    ),
    THREE: (("start", ""), ("nine", ""), ("traps", ""), ("", 'check("03/my_loss", 1)')),
}


def notebook(name=TWO, told=True, text="", keep=9):
    """A notebook's bytes; its metadata tells its name, its cells do in any case."""
    cells = [
        {
            "cell_type": "code",
            "metadata": {"nbgrader": {"grade_id": grade_id}} if grade_id else {},
            "source": code,
        }
        for grade_id, code in [*LEARNER.get(name, ())[:keep], ("", text)]
    ]
    metadata = {"course": {"name": name}} if told else {}
    return json.dumps({"metadata": metadata, "cells": cells}).encode()


def course(folder):
    """A course with these notebooks; its places."""
    places = Places(folder)
    for name in NAMES:
        put(places.root, {f"solutions/{name}/{name}.py": b""})
        handed_out = notebook(name, text="# Your code")
        put(places.root, {f"notebooks/{name}/{name}.ipynb": handed_out})
    return places


def put(folder, files):
    """Write files; a dictionary becomes a zip."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zipped(data) if isinstance(data, dict) else data)
    return folder


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, zipped(data) if isinstance(data, dict) else data)
    return buffer.getvalue()


def given(tmp_path, files, kind):
    """The same files as a folder, as one zip, as a zip in a folder, in a folder."""
    if kind == "folder":
        return put(tmp_path / "in", files)
    inside = (
        {f"submitted/{k}": v for k, v in files.items()} if "deep" in kind else files
    )
    put(tmp_path / "in", {"export.zip": inside})
    return tmp_path / "in" if "in folder" in kind else tmp_path / "in" / "export.zip"


def who(found):
    return [(each.student, each.notebook) for each in found.submissions]


def one(tmp_path, places, files, **options):
    found = find_submissions(put(tmp_path / "in", files), places, **options)
    (submission,) = found.submissions
    return submission, found.left_out


NBGRADER = {
    f"s01/{TWO}/{TWO}.ipynb": notebook(),
    f"s01/{TWO}/timestamp.txt": b"2024-05-01 10:00:00 UTC\n",
    f"s01/{THREE}/{THREE}.ipynb": notebook(THREE),
    f"s02/{TWO}/{TWO}.ipynb": notebook(text="other"),
}
