"""Ten threads of docs/field.md, made again: the printed probe tells each of them.

A job in field_jobs/ is what the thread's author ran, shortened. Some comments in it say
more. `# instead: ...` is the mended line, or several, for the line above, and
`# and: ...` one to be added. At `# probe` stands the probe's next call, as printed,
`with` a piece of it `as` the reader's own.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from triage_page import FIT, SECTIONS, Script
from triage_runs import logs, run, run_outside, run_workers, wait_until, workers

from autograder.field import read_field
from autograder.places import course_places

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

PLACES = course_places()
FOLDER = Path(__file__).with_name("field_jobs")
REMADE = {
    Path(thread.remade).stem: thread for thread in read_field(PLACES) if thread.remade
}
MOST_LINES = 40


@dataclass(frozen=True)
class Told:
    """What the probe prints of a broken job, and of the mended one: patterns.

    how: runs the job with its probe in a folder; returns what was printed.
    page: SECTIONS, or FIT where the job calls `fit` and the probe has a form for it.
    """

    broken: str
    mended: str
    how: object = lambda text, folder, probe: run(text, folder)
    page: dict = None


def at_the_end(text, folder, probe):
    """Both workers to their ends, then the probe outside of them."""
    return run_workers(text, folder) + run_outside(probe, folder)


def beside(text, folder, probe):
    """The probe outside, while both workers run; each time anew until all is up."""
    printed = []

    def answered():
        found = (folder / "0.log").read_text().splitlines()
        if not found:
            return False
        printed.append(run_outside(probe, folder, TF_CONFIG=found[0]))
        return printed[-1].count(": answers") == 2

    with workers(text, folder) as (children, _):
        wait_until(answered, children, folder)
    return printed[-1]


def until_done_or_stacks(text, folder, probe):
    """Both workers of tf_keras, until both end, or one of them prints its stacks."""
    files = [folder / "0.log", folder / "1.log"]

    def ended():
        texts = [file.read_text() for file in files]
        hung = any("Timeout (" in text and "in <module>" in text for text in texts)
        return hung or all("done\n" in text for text in texts)

    with workers(text, folder, keras="tf_keras"):
        wait_until(ended, [], folder)
    return logs(folder)


TOLD = {
    "plain_dataset": Told(
        "more than once: 16 of 16.*largest share: 8",
        "more than once: 0 of 16.*never: 0 of 16.*largest share: 4",
    ),
    "own_train_step": Told(
        r"epoch 0, spread: 0\.0*[1-9]", r"epoch 1, spread: 0\.0\n", page=FIT
    ),
    "empty_share": Told(
        r"array\(\[0.5\].*array\(\[\].*losses: .*nan",
        r"array\(\[1.\](?!.*nan)",
    ),
    "clip_before_sum": Told(
        r"kernel': 0\.0*[1-9]\d*, ", r"kernel': 0\.0, '\w+/dense_\d/bias': 0\.0}"
    ),
    "first_card_only": Told(
        r"\({'': \d+}, \['CPU:0', 'CPU:1'\]\)",
        r"\({'CPU:0': (\d+), 'CPU:1': \1}, \['CPU:0', 'CPU:1'\]\)",
        page=FIT,
    ),
    "run_outside_function": Told("in turn: True", "in turn: False"),
    "two_towers": Told(
        r"backward none \d+\n(?!.*backward CPU)",
        r"backward CPU:0 (\d+)\n.*backward CPU:1 \1\n(?!.*backward none)",
    ),
    "chief_never_started": Told(
        "chief 0 at 127.0.0.1:9: refused: nobody listens there",
        r"worker 0 at \S+ answers\nworker 1 at \S+ answers\n(?!.*refused)",
        beside,
    ),
    "config_too_late": Told(
        "24 were read more than once",
        "0 never;\n0 were read more than once",
        at_the_end,
    ),
    "chief_saves_alone": Told(
        r"'index': 0} has made step 2.*Timeout \(.* in on_epoch_end\n.*in <module>\n"
        r".*'index': 1} has made step 2\n$",
        r"done\n.*done\n",
        until_done_or_stacks,
        FIT,
    ),
}
JOBS = [name for name in TOLD if name in REMADE and REMADE[name].probe in SECTIONS]
MENDING = re.compile(r"^( *)(.*)\n((?: *# (?:instead|and): .*\n)+)", re.M)


def mended(text):
    """The job with the lines that its comments give."""

    def instead(found):
        indent, above, comments = found.groups()
        lines = re.findall(r"# (instead|and): (.*)", comments)
        kept = [above] if lines[0][0] == "and" else []
        return "".join(
            f"{indent}{line}\n" for line in kept + [code for _, code in lines]
        )

    return MENDING.sub(instead, text)


def probed(text, probe, page):
    """The job with the probe's definition, and its calls where the job says."""
    calls = iter(page[probe].calls)

    def call(found):
        indent, printed, own = found.groups()
        code = next(calls)
        assert not printed or printed in code, f"{printed} is not in\n{code}"
        code = code.replace(printed, own) if printed else code
        return re.sub(r"^(?=.)", indent, code, flags=re.M)

    marked = re.sub(r"^( *)# probe(?:, with (.+) as (.+))?\n", call, text, flags=re.M)
    return Script(marked).paste(probe, page=page).text if marked != text else text


@pytest.mark.parametrize("state", ["broken", "mended"])
@pytest.mark.parametrize("name", JOBS)
def test_the_probe_tells(name, state, tmp_path):
    told, probe = TOLD[name], REMADE[name].probe
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    text = mended(text) if state == "mended" else text
    text = probed(text, probe, told.page or SECTIONS)
    output = told.how(text, tmp_path, probe)
    other = {"broken": "mended", "mended": "broken"}[state]
    assert re.search(getattr(told, state), output, re.S), output
    assert not re.search(getattr(told, other), output, re.S), output


def test_each_job_is_short_and_names_its_thread():
    assert {file.stem for file in FOLDER.glob("*.py")} == set(TOLD) >= set(REMADE)
    for name, thread in REMADE.items():
        text = (FOLDER / f"{name}.py").read_text("utf-8")
        assert thread.address in text and thread.settled != "open"
        assert len(text.splitlines()) <= MOST_LINES, name
        assert mended(text) != text


def test_a_mended_line_stands_where_the_broken_one_stood():
    text = "a\n  b\n  # instead: c\n  # instead: d\n  e\n    # and: f\n"
    assert mended(text) == "a\n  c\n  d\n  e\n  f\n"
