"""What the README shows and says is so; links of all pages lead somewhere."""

import base64
import io
import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from autograder.pictures import FILM, stale
from autograder.places import Places, course_places
from autograder.source import read_source
from autograder.thumbnails import SIZE, thumbnail, thumbnail_path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TINY = """\
# ---
# course:
#   number: "NN"
#   title: First
#   part: 1
#   minutes: {core: 5}
#   symptoms: ["replicas drift", "copies differ"]
#   in_a_hurry: {cause: A cause., probe: A probe., fix: A fix.}
# ---

# %% key="tools"
predict("NN")
a = 1

# %% key="shown" thumbnail="0 0 50 100"
show(a)

# %% key="later"
b = 1
"""


def ran():
    """TINY's notebook with a picture as the output of its cell."""
    file = io.BytesIO()
    Image.new("RGB", (90, 30), "red").save(file, "PNG")
    data = (
        f'<img src="data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"'
    )
    cell = new_code_cell("show(a)", id="shown")
    cell.outputs = [new_output("display_data", {"text/html": data})]
    return new_notebook(cells=[cell])


RUN = ran()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_pictures_are_of_the_code_as_it_is():
    assert not stale(course_places(ROOT)), "run: make picture"


def test_a_picture_is_stale_when_its_code_or_the_part_shown_has_changed(tmp_path):
    """And not when its notebook gets another number, or nothing before it changes."""
    places = Places(tmp_path)
    source, picture = (
        places.source("02_first"),
        places.root / thumbnail_path("02_first"),
    )
    text = TINY.replace("NN", "02")

    def write(text, source=source):
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")

    write(text)
    ((_, code),) = stale(places).values()
    picture.write_bytes(thumbnail(read_source(source), RUN, code))
    assert Image.open(picture).size == SIZE
    halves = text.replace('"0 0 50 100"', '"0 0 50 100, 50 0 100 100"')
    write(halves)  # the same picture, put together again
    whole = Image.open(io.BytesIO(thumbnail(read_source(source), RUN, code)))
    write(text.replace("0 0 50 100", "0 0 100 100"))
    assert (
        whole.tobytes()
        == Image.open(io.BytesIO(thumbnail(read_source(source), RUN, code))).tobytes()
    )
    write(text)
    assert not stale(places)
    for old, new, is_stale in (
        ("a = 1", "a = 2", True),
        ("0 0 50 100", "0 0 60 100", True),
        ("b = 1", "b = 2", False),
    ):
        write(text.replace(old, new))
        assert bool(stale(places)) == is_stale, new
    source.parent.rename(places.source("03_first").parent)
    moved = places.source("03_first")
    (moved.parent / source.name).unlink()
    write(TINY.replace("NN", "03"), moved)
    assert not stale(places)


def test_the_film_moves():
    film = Image.open(ROOT / FILM)
    assert film.n_frames > 8


def test_each_picture_stands_in_the_gallery_and_leads_to_its_notebook():
    gallery = README.split("<!-- gallery:begin -->")[1].split("<!-- gallery:end -->")[0]
    tile = r'href="notebooks/(\w+)/\1.ipynb"><img src="solutions/\1/thumbnail.png"'
    assert len(re.findall(tile, gallery)) == gallery.count("<td>")
    pictures = [each.parent.name for each in ROOT.glob("solutions/*/thumbnail.png")]
    assert re.findall(tile, gallery) == sorted(pictures)


def link_targets(text):
    """Where a page's links lead, in text and in pictures; other sites left out."""
    found = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text)
    return [a or b for a, b in found if not (a or b).startswith("http")]


def anchors(text):
    """What a link may name: rows, and headings as GitHub spells them."""
    shown = re.sub(r"```.*?```", "", text, flags=re.S)
    headings = re.findall(r"^#+ (.+)$", shown, re.M)
    named = {
        re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings
    }
    return named | set(re.findall(r'<a id="([^"]+)">', shown))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    targets = link_targets(page.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        file, _, anchor = target.partition("#")
        other = page.parent / file if file else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other.read_text("utf-8")), target


@pytest.mark.parametrize("page", ["triage.md", "messages.md"])
def test_each_row_of_a_table_has_a_place_of_its_own(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    places = re.findall(r'<a id="([^"]+)">', text)
    assert len(set(places)) == len(places) > 20


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
