"""What the README shows and says is so."""

import io
import re
from pathlib import Path

import numpy as np
from PIL import Image

from autograder.picture import PICTURE, draw, notebook_cells

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_what_notebook_02_draws(devices):
    drawn = np.asarray(Image.open(io.BytesIO(draw(notebook_cells()))).convert("RGB"))
    kept = np.asarray(Image.open(PICTURE).convert("RGB"))
    assert drawn.shape == kept.shape
    # another processor may round a pixel differently; a changed figure moves many
    assert np.abs(drawn.astype(int) - kept).mean() < 0.5, "run: make picture"


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", README)
    local = [a or b for a, b in links if not (a or b).startswith("http")]
    assert len(local) > 5
    assert not [link for link in local if not (ROOT / link).exists()]


def test_every_command_of_the_readme_exists():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    named = set(re.findall(r"\bmake ([a-z-]+)", README))
    assert {"lab", "test"} <= named <= targets
    from typer.main import get_command

    from autograder.cli import app

    commands = set(get_command(app).commands)
    named = set(re.findall(r"`course ([a-z-]+)", README))
    assert named and named <= commands
