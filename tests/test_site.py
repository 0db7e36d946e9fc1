"""The static site: what becomes of a notebook, and what a reader meets."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from checkout import ROOT
from nbformat import v4
from playwright.sync_api import expect
from rich.console import Console

from autograder import executed as executing
from autograder.places import CourseError, course_places
from autograder.published import Published
from autograder.site.building import build_site, find_page, sphinx
from autograder.site.films import STATE, VIEW, script
from autograder.site.gallery import card, index
from autograder.site.links import Links
from autograder.site.page import page_of
from autograder.site.questions import question
from autograder.source import read_source
from course.checks.verdicts import MIME_TYPE

pytest_plugins = ["learner_lab"]

pytestmark = pytest.mark.depends_on("README.md", "docs/**/*", "solutions/0[02]_*/*")
PLACES = course_places(ROOT)
NAMES = ["00_start_here", "02_replicas_drift_apart"]  # a table of ticks, and a choice
PAGES = frozenset(
    ["index.md", "triage.md", "failures/02_a.ipynb", "failures/03_b.ipynb"]
)
ADA = Published("github", "ada/course", "main")
SHOWN = {
    "svg": "<svg></svg>",
    "moments": ["0", "1"],
    "said": ["a", "b </p>"],
    "width": 9,
}
SCREENS = (1366, 768), (390, 800), (1920, 1080)  # a laptop, a phone, a projector


def notebook_of(*cells, states=()):
    """An executed solution notebook, with the states of its widgets."""
    state = {name: {"state": each} for name, each in dict(states).items()}
    return v4.new_notebook(
        cells=list(cells),
        metadata={
            "course": {"name": "02_a", "number": "02"},
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
            "widgets": {STATE: {"state": state}},
        },
    )


def code(source, *outputs, **metadata):
    made = [v4.new_output("display_data", each) for each in outputs]
    return v4.new_code_cell(source, outputs=made, metadata=metadata)


def view(name):
    return {VIEW: {"model_id": name}, "text/html": "<img>", "text/plain": "a"}


def page(*cells, published=None, states=()):
    return page_of(notebook_of(*cells, states=states), Links(PAGES, published)).cells


def test_links_lead_to_pages_else_to_the_repository():
    text = (
        "[next](../03_b/03_b.ipynb) [probe](../../docs/triage.md#meet) "
        '[test](../../tests/test_a.py "why") [out](https://example.org) [up](#a)'
    )
    [cell] = page(v4.new_markdown_cell(text))
    assert cell.source == (
        "[next](03_b.ipynb) [probe](../triage.md#meet) "
        "test [out](https://example.org) [up](#a)"
    )
    links = Links(PAGES, ADA)
    assert links.linked("[a](../notebooks/09_c/09_c.ipynb)", "docs/triage.md") == (
        "[a](https://github.com/ada/course/blob/main/notebooks/09_c/09_c.ipynb)"
    )


def test_solutions_are_folded_below_the_hints_and_checks_are_left_out():
    cells = page(
        code("a = 1", role="setup"),
        v4.new_markdown_cell("## Fix"),
        code("def my_a(): pass", role="fix"),
        code("check('02/my_a', my_a)", {MIME_TYPE: {}, "text/html": "x"}, role="check"),
        v4.new_markdown_cell("<details><summary>Hint 1: a question</summary>"),
        v4.new_markdown_cell("Because.", metadata={"solution_only": True}),
        code("b = 2", jupyter={"source_hidden": True}),
        code("c = 3"),
    )
    setup, fix, hints, solution, why, hidden, shown = cells
    assert [each.metadata.tags for each in (setup, solution, hidden)] == [
        ["hide-input"]
    ] * 3
    assert solution.source == "def my_a(): pass" and hints.source.startswith("<details")
    assert solution.metadata.mystnb.code_prompt_show.startswith("Show a solution (")
    assert why.source.startswith("<details><summary>Why this is right</summary>\n\nBec")
    assert fix.source == "## Fix" and not shown.metadata


def test_what_is_asked_about_is_not_folded_and_words_fit_the_page():
    printed = v4.new_output("stream", text="3")
    small = code("print(3)")
    small.outputs = [printed]
    *_, text, small = page(
        v4.new_markdown_cell("How many? Decide before\nyou run the cell."), small
    )
    assert small.metadata.tags == ["hide-output"] and small.outputs == [printed]
    tools, _, loop, _, later, text = page(
        code("import a", role="setup"),
        v4.new_markdown_cell("## 2 · Predict\n\nWhat comes of it?"),
        code("def loop(): pass", role="setup"),
        code('predict("02")'),
        code("b = 1", role="setup"),
        v4.new_markdown_cell("(Folded: click\non the three dots.)"),
    )
    assert tools.metadata.tags == later.metadata.tags == ["hide-input"]
    assert not loop.metadata
    assert text.source == "(Folded: click on “Show the code”.)"


def test_the_prediction_asks_and_films_move():
    states = {
        "box": {"children": ["IPY_MODEL_knob", "IPY_MODEL_kind", "IPY_MODEL_film"]},
        "knob": {"description": "rows", "value": 3, "min": 1, "max": 9},
        "kind": {"description": "kind", "index": 0, "_options_labels": ["sum", "<b>"]},
        "film": {"shown": SHOWN},
        "form": {"children": []},
    }
    told = {"text/html": "<p>You made no prediction. It was C.</p>"}
    printed = v4.new_output("stream", text="1")
    both = code('print(1)\npredict("02")', view("form"))
    both.outputs.insert(0, printed)
    asked, shown, again, film, form, said = page(
        code('predict("02")', view("form")),
        both,
        code("play()", view("box")),
        code("ask()", view("form")),
        code("show(a)", told),
        states=states,
    )
    assert asked.source == again.source == question("02")
    assert asked.cell_type == "markdown"
    assert (shown.source, shown.outputs) == ("print(1)", [printed])
    html = film.outputs[0].data["text/html"]
    assert '<div class="film-here">' in html and "b <\\/p>" in html
    assert "<li>rows: 1 to 9</li><li>kind: “sum” or “&lt;b&gt;”</li>" in html
    assert "<noscript><p>b &lt;/p&gt;</p>" in html and VIEW not in film.outputs[0].data
    assert "needs a kernel" in form.outputs[0].data["text/html"]
    assert said.outputs[0].data["text/html"] == "<p>It was C.</p>"


def test_published_pages_open_the_notebook_elsewhere():
    _, launches = page(v4.new_markdown_cell("# 02"), published=ADA)
    assert "[Open in Colab](https://colab.research.google.com/" in launches.source
    assert "lab%2Ftree%2Fnotebooks%2F02_a%2F02_a.ipynb" in launches.source


def test_questions_hold_what_answers_them():
    choice, table = question("02"), question("04")
    assert choice.count('type="radio"') == 4 and choice.count("data-right") == 1
    assert 'value="C" data-right' in choice
    assert table.count('type="checkbox"') == 12 and "<fieldset><legend>" in table


def test_the_films_script_is_the_widget_s_own():
    assert "export default" not in script() and "function render(" in script()


def test_a_notebook_is_run_once_and_again_when_it_changed(tmp_path, monkeypatch):
    runs = []

    def ran(path, console):
        runs.append(path)
        return nbformat.read(path, as_version=4)

    monkeypatch.setattr(executing, "run_copy", ran)
    monkeypatch.setattr(executing, "results_of", lambda notebook: [])
    for _ in range(2):
        notebook = executing.executed(PLACES, NAMES[0], Console(), store=tmp_path)
    assert len(runs) == 1 and notebook.metadata["course"]["number"] == "00"
    (kept,) = tmp_path.iterdir()
    old = nbformat.read(kept, as_version=4)
    said = [v4.new_output("stream", text="it ran")]
    next(each for each in old.cells if each.id == "fit").outputs = said
    old.cells[1].source = "a text that was changed since"
    nbformat.write(old, kept)
    shown = executing.executed(PLACES, NAMES[0], Console(), store=tmp_path)
    assert next(each for each in shown.cells if each.id == "fit").outputs == said
    assert shown.cells[1].source == notebook.cells[1].source
    executing.executed(PLACES, NAMES[0], Console(), store=tmp_path, again=True)
    assert len(runs) == 2
    monkeypatch.setattr(executing, "_content", lambda places, name: "other")
    executing.executed(PLACES, NAMES[0], Console(), store=tmp_path)
    assert len(runs) == 3 and len([*tmp_path.iterdir()]) == 1


def test_what_is_not_right_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(
        executing, "run_copy", lambda path, console: nbformat.read(path, as_version=4)
    )  # never run: no check has said anything
    with pytest.raises(CourseError, match="00_start_here is not right"):
        executing.executed(PLACES, NAMES[0], Console(), store=tmp_path)
    assert not [*tmp_path.iterdir()]


def test_a_page_at_fault_is_explained(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "conf.py").write_text('extensions = ["myst_nb"]\n')
    (tmp_path / "a" / "index.md").write_text("# A\n\n[gone](gone.md)\n")
    with pytest.raises(CourseError, match=r"gone\.md"):
        sphinx(tmp_path / "a", tmp_path / "b")


def test_the_index_leads_to_pages():
    page = (ROOT / "docs" / "find.html").read_text(encoding="utf-8")
    has = ["triage.md", "messages.md", f"failures/{NAMES[1]}.ipynb"]
    text = find_page(page, Links(frozenset(has), None))
    links = re.findall(r'href="(?!http|#)([^"]+)"', text)
    assert len(links) > 100 and not [each for each in links if ".html" not in each]
    failures = {each for each in links if each.startswith("failures/")}
    assert failures == {"failures/02_replicas_drift_apart.html"}


def test_each_document_has_its_place_in_the_contents():
    names = sorted(each.stem for each in (ROOT / "docs").glob("*.md"))
    source = read_source(PLACES.source(NAMES[0]))
    text = index([card(source, ROOT)], [f"{each}.md" for each in names], None, "2")
    trees = "\n".join(re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL))
    assert [each for each in names if f"\n{each}\n" not in trees] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Two failures and all other pages, built as `course site` does."""
    target = tmp_path_factory.mktemp("site")
    return build_site(PLACES, NAMES, target, Console()).parent


@pytest.fixture(params=["light", "dark"])
def reader(request, chromium, site):
    """A page in the browser, without a network; `open(name)` leads to a file."""
    context = chromium.new_context(
        offline=True,
        color_scheme=request.param,
        viewport=dict(zip(("width", "height"), SCREENS[0], strict=True)),
    )
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.open = lambda name: page.goto((site / name).as_uri())
    yield page
    context.close()
    assert not errors


class Addresses(HTMLParser):
    """What a page links to and loads, and the places that links can name."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        name = "href" if tag in ("a", "link") else "src"
        if tag in ("a", "link", "script", "img") and attrs.get(name):
            self.targets.append(attrs[name])


@pytest.mark.prove
@pytest.mark.xdist_group("site")
def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path: Addresses(path.read_text("utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 8
    broken = []
    for path, found in pages.items():
        for target in found.targets:
            parts = urlsplit(target)
            if parts.scheme in ("http", "https", "data"):
                continue
            if parts.fragment.startswith("q="):  # a question to the index, no place
                parts = parts._replace(fragment="")
            other = (
                (path.parent / unquote(parts.path)).resolve() if parts.path else path
            )
            known = pages[other].ids if other in pages else {parts.fragment}
            if not other.is_file() or (parts.fragment and parts.fragment not in known):
                broken.append(f"{path.name}: {target}")
    assert not broken
    loaded = [
        address
        for path in pages
        for address in re.findall(
            r'<(?:script|img|link)\b[^>]*(?:src|href)="(https?:[^"]+)', path.read_text()
        )
    ]
    assert not loaded


@pytest.mark.prove
@pytest.mark.browser
@pytest.mark.xdist_group("site")
def test_a_reader_predicts_looks_and_unfolds(reader):
    reader.open(f"failures/{NAMES[1]}.html")
    form = reader.locator("form.prediction")
    form.get_by_label("A. The mean").check()
    form.get_by_role("button", name="Answer").click()
    expect(form.get_by_role("status")).to_contain_text("You said A; it is C.")
    form.get_by_label("C. The copy of replica 0").check()
    reader.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_contain_text("C is right.")

    film = reader.locator(".film-here").first
    expect(film.locator("output")).to_have_text("after 10 steps")
    film.get_by_role("slider").focus()
    reader.keyboard.press("Home")
    expect(film.locator("output")).to_have_text("after 0 steps")
    picture = film.get_by_role("group")
    picture.focus()
    reader.keyboard.press("ArrowRight")
    expect(film.locator(".course-film-says")).not_to_contain_text("Point at a part")

    solution = reader.get_by_text("context.all_reduce", exact=False).first
    expect(solution).to_be_hidden()
    reader.get_by_text("Show a solution").nth(1).click()
    expect(reader.get_by_text("gradient = context.all_reduce").first).to_be_visible()
    expect(reader.get_by_role("button", name="Copy").first).to_be_attached()

    reader.open(f"failures/{NAMES[0]}.html")
    table = reader.locator("form.prediction")
    table.get_by_label("22 rows: other on 4 devices?").check()
    table.get_by_role("button", name="Answer").click()
    expect(table.get_by_role("status")).to_contain_text("5 of 8 are right.")
    expect(table.locator("td.missed")).to_have_count(3)


@pytest.mark.prove
@pytest.mark.browser
@pytest.mark.xdist_group("site")
def test_the_search_finds_by_symptom_and_message(reader):
    reader.open("find.html")
    reader.get_by_label("What you see").fill("weights differ between replicas")
    reader.locator("#found section h2 a").first.click()
    expect(reader).to_have_url(re.compile(r"failures/02_replicas_drift_apart\.html$"))
    reader.locator(".sidebar-search").fill("mirrored variable")
    reader.keyboard.press("Enter")
    expect(reader.get_by_label("What you see")).to_have_value("mirrored variable")
    expect(reader.locator("#found section:visible").first).to_be_visible()
    reader.get_by_role("link", name="Search the text of all pages").click()
    expect(reader.locator(".search a").first).to_be_visible()


@pytest.mark.prove
@pytest.mark.browser
@pytest.mark.xdist_group("site")
@pytest.mark.parametrize(
    "name",
    [
        "index",
        "find",
        "triage",
        "messages",
        "claims",
        *[f"failures/{n}" for n in NAMES],
    ],
)
def test_axe_finds_no_fault_on_any_screen(reader, name):
    reader.open(f"{name}.html")
    for width, height in SCREENS:
        reader.set_viewport_size({"width": width, "height": height})
        scrolls = "document.documentElement.scrollWidth > innerWidth"
        assert not reader.evaluate(scrolls), f"{width} pixels are too few"
        if width > 1400:  # as on the laptop
            continue
        found = Axe().run(reader).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []
