"""What the README shows and says is so; links of all pages lead somewhere."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from autograder.picture import PICTURE, draw, notebook_cells

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_picture_is_what_notebook_02_draws(devices):
    drawn = np.asarray(Image.open(io.BytesIO(draw(notebook_cells()))).convert("RGB"))
    kept = np.asarray(Image.open(PICTURE).convert("RGB"))
    assert drawn.shape == kept.shape
    # another processor may round a pixel differently; a changed figure moves many
    assert np.abs(drawn.astype(int) - kept).mean() < 0.5, "run: make picture"


def link_targets(text):
    """Where a page's links lead, in text and in pictures; other sites left out."""
    found = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text)
    return [a or b for a, b in found if not (a or b).startswith("http")]


def anchors(text):
    """What a link may name: headings, as GitHub and JupyterLab both spell them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.S), re.M
    )
    return {each for each in headings if re.fullmatch(r"[a-z0-9_]+", each)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    targets = link_targets(page.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        file, _, anchor = target.partition("#")
        other = page.parent / file if file else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other.read_text("utf-8")), target


def test_ten_notebooks_have_a_symptom_in_the_index_and_the_page_has_all():
    index = README.split("<!-- symptoms:begin -->")[1].split("<!-- symptoms:end -->")[0]
    found = re.findall(r"\]\(notebooks/(\w+)/\1\.ipynb\) \|$", index, re.M)
    assert len(set(found)) == 10
    assert set(found) <= {path.parent.name for path in ROOT.glob("solutions/*/*.py")}
    assert "](docs/find.html)" in README


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
