"""The same failures in PyTorch and JAX: each program prints what its room says."""

import os
import re
import shutil
import time

import nbformat
import psutil
import pytest

from autograder.adopt import adopt
from autograder.build import solution_notebook
from autograder.elsewhere import (
    COLUMNS,
    FRAMEWORKS,
    LINES,
    MORE,
    Block,
    read_elsewhere,
    read_folder,
)
from autograder.elsewhere_page import (
    changed_lines,
    render_elsewhere,
    render_elsewhere_page,
    versions,
)
from autograder.elsewhere_runs import HOW, PACKAGES, agrees, python_of, run
from autograder.places import CourseError, course_places
from autograder.source import read_source

PLACES = course_places()
SOURCES = [read_source(PLACES.source(name)) for name in PLACES.names()]
ROOMS = {each.name: read_elsewhere(PLACES, each.name) for each in SOURCES}
BLOCKS = [
    pytest.param(block, id=f"{name[:2]}-{framework}")
    for name, blocks in ROOMS.items()
    for framework, block in blocks.items()
    if not block.cannot
]
KINDS = ("broken", "mended")
# framework, what its words say beside the program, how it is seen
FACTS = [
    (
        "pytorch",
        """
import torch, torch.distributed as dist
dist.init_process_group("gloo")
model = torch.nn.Linear(1, 1)
model.unused = torch.nn.Linear(1, 1)  # gets no gradient
model = torch.nn.parallel.DistributedDataParallel(model)
for _ in range(2):
    model(torch.ones(1, 1)).sum().backward()
""",
        "RuntimeError: Expected to have finished reduction in the prior iteration...",
    ),
    (
        "jax",
        """
import jax
w = jax.numpy.ones(3)
jax.jit(lambda w: w + 1, donate_argnums=0)(w)
print(w)
""",
        "RuntimeError: Array has been deleted...",
    ),
    (
        "jax",
        """
import jax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
sharding = NamedSharding(Mesh(jax.devices(), ("data",)), P("data"))
jax.device_put(jax.numpy.ones(3), sharding)
""",
        "...IndivisibleError: ...should evenly divide the shape...",
    ),
    (
        "jax",
        """
import os, time, jax
rank, beats = int(os.environ["RANK"]), {"heartbeat_timeout_seconds": 10}
jax.distributed.initialize(num_processes=2, process_id=rank, **beats)
if rank == 1:
    os._exit(0)  # it dies, and nobody is told
time.sleep(80)
""",
        "(ended by SIGABRT) Terminating process because ...fatal errors...",
    ),
]


def needs(framework):
    """Skip a test, or fail it in CI, where no Python has the framework."""
    if python_of(framework) is None:
        (pytest.fail if "CI" in os.environ else pytest.skip)(HOW[framework])


def without_probe(outcome, probe):
    """What is left of a program's lines when those of its probe are taken away."""
    left = outcome.splitlines()
    for line in probe.strip().splitlines():
        assert line in left, f"the probe did not print {line!r}, but {outcome}"
        left.remove(line)
    return "\n".join(left)


def prints_what_is_said(block, kind):
    needs(block.framework)
    said = block.broken_prints if kind == "broken" else block.mended_prints
    outcome = run(block.probed(getattr(block, kind)), block).outcome
    rest = without_probe(outcome, block.probe_prints[KINDS.index(kind)])
    assert agrees(said, rest), outcome


@pytest.mark.prove
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_program_and_its_probe_print_what_is_said(block, kind):
    prints_what_is_said(block, kind)


@pytest.mark.prove
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_without_the_probe_it_prints_the_rest(framework, kind):
    block = next(b[framework] for b in ROOMS.values() if b and not b[framework].cannot)
    needs(framework)
    outcome = run(getattr(block, kind), block).outcome
    assert agrees(getattr(block, f"{kind}_prints"), outcome), outcome


@pytest.mark.prove
@pytest.mark.parametrize(("framework", "program", "said"), FACTS)
def test_what_the_words_say_beside_the_programs(framework, program, said):
    needs(framework)
    several = framework == "pytorch" or "RANK" in program
    ran = run(program, Block(framework, processes=1 + several))
    assert agrees(said, ran.outcome), ran


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_versions_are_those_that_the_programs_ran_on(framework):
    """Another version: run all tests here with it, then change the file."""
    needs(framework)
    assert versions()[framework] == f"{PACKAGES[framework]} {python_of(framework)[1]}"


def test_every_failure_is_here_and_its_notebook_shows_it():
    for source in SOURCES:
        has_cell = any(cell.role == "elsewhere" for cell in source.cells)
        assert has_cell == bool(ROOMS[source.name]), source.name
    assert [name for name, blocks in ROOMS.items() if not blocks] == [
        name for name in ROOMS if "mystery" in name
    ]


@pytest.mark.parametrize("block", BLOCKS)
def test_programs_are_short_and_differ_by_a_line_or_two(block):
    for program, most in ((block.broken, LINES), (block.mended, LINES + MORE)):
        lines = program.splitlines()
        assert len(lines) <= most and max(map(len, lines)) <= COLUMNS
    assert len(block.probe.strip().splitlines()) <= 5
    assert 1 <= len(changed_lines(block.broken, block.mended).splitlines()) <= 7


def test_the_page_and_a_notebook_show_both_frameworks():
    page = render_elsewhere_page(PLACES, SOURCES)
    assert re.findall(r"^## (\d\d)$", page, re.M) == [n[:2] for n in ROOMS if ROOMS[n]]
    assert "\n\n\n" not in re.sub(r"```.*?```", "code", page, flags=re.S)
    for blocks in ROOMS.values():
        for block in blocks.values():
            assert block.cannot or block.broken in page
    source = next(each for each in SOURCES if ROOMS[each.name])
    (cell,) = [
        cell
        for cell in solution_notebook(source, PLACES.claims).cells
        if cell.metadata.get("role") == "elsewhere"
    ]
    assert cell.source.startswith("<details><summary>The same in PyTorch and JAX")
    assert cell.source.endswith("\n\n</details>")
    assert all(f"**{each}" in cell.source for each in FRAMEWORKS.values())


def test_a_program_that_waits_is_ended_with_what_it_started():
    needs("jax")
    program = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
print(child.pid)
time.sleep(300)
"""
    ran = run(program, Block("jax", processes=2), deadline=8)
    assert ran.codes == (None, None)
    assert ran.outcome.endswith("(it still waited when it was stopped)")
    until = time.monotonic() + 20
    while any(map(runs, map(int, ran.printed))) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(runs, map(int, ran.printed)))


@pytest.mark.parametrize(
    ("last", "code"), [("print('ran')", 0), ("raise ValueError", 1), ("del end", -6)]
)
def test_an_abort_counts_only_before_the_program_has_ended(last, code):
    needs("jax")
    program = f"""
import os
class End:
    def __del__(self, os=os):
        os.write(2, b"terminate called without an active exception\\n")
        os.abort()
end = End()
{last}
"""
    assert run(program, Block("jax")).codes == (code,)


def runs(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_all_are_started_again_where_one_has_failed():
    needs("jax")
    program = """
import os, pathlib
before = pathlib.Path("begun")
again = before.exists()
before.touch()
print("again:", again)
raise SystemExit(int(not again))
"""
    assert run(program, Block("jax")).outcome == "again: False\n(ended with code 1)"
    assert run(program, Block("jax", restarts=1)).outcome == "again: True"


def test_a_change_says_where_lines_come():
    assert changed_lines("a\nb\nc", "a\nb\nnew\nc") == "  b\n+ new"
    assert changed_lines("a\nb\nc", "a\nB\nc") == "- b\n+ B"


@pytest.mark.parametrize(
    ("said", "printed", "agree"),
    [
        ("one\ntwo", "one\ntwo", True),
        ("one\ntwo", "one", False),
        ("E: [...] closed ...", "E: [a.cc:1] closed by [b]", True),
        ("one ...", "one x\ntwo", False),
    ],
)
def test_dots_stand_for_any_text_of_a_line(said, printed, agree):
    assert agrees(said, printed) == agree


@pytest.fixture
def folder(tmp_path):
    """A copy of the first room's files, to spoil."""
    name = next(name for name, blocks in ROOMS.items() if blocks)
    copied = shutil.copytree(PLACES.solutions / name / "elsewhere", tmp_path / "copied")
    assert read_folder(copied)
    return copied


def spoil(folder, old, new):
    file = folder / "elsewhere.toml"
    text = file.read_text("utf-8")
    assert re.search(old, text)
    file.write_text(re.sub(old, new, text, count=1), "utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"\[jax\]", "[mxnet]", "needs the tables pytorch, jax"),
        (r"\nwords = ", "\nword = ", "it lacks words"),
        (r"\nprobe = ", '\nnote = "x"\nprobe = ', "can't have note"),
        (r"mends = .*", 'mends = ["xyz"]', "mends is"),
        (r"mends = .*", 'mends = [["x = 1", "y"]]', "stands 0 times"),
        (r"probe_prints = .*", 'probe_prints = ["x"]', "broken, mended"),
        (r"\nprobe = ", '\nprobe_before = "xyz"\nprobe = ', "begins with 'xyz'"),
        (r"(?s)probe = '''.*?'''", 'probe = "if"', "with the probe, it is no Python"),
        (r"(?s)\[pytorch\].*\[jax\]", '[pytorch]\ncannot = "x"\n[jax]', "exclude"),
    ],
)
def test_what_does_not_fit_is_said(folder, old, new, words):
    spoil(folder, old, new)
    with pytest.raises(CourseError, match=re.escape(words)):
        read_folder(folder)


def test_a_program_that_is_too_long_is_said(folder):
    with (folder / "in_pytorch.py").open("a") as file:
        file.write("# one more\n")
    with pytest.raises(CourseError, match="has 16 lines"):
        read_folder(folder)


def test_a_cell_without_a_folder_is_said():
    source = next(each for each in SOURCES if not ROOMS[each.name])
    with pytest.raises(CourseError, match="no elsewhere/ beside it"):
        render_elsewhere(source)


def test_an_edit_of_the_built_block_has_no_place_in_the_source(tmp_path):
    built = PLACES.learner(next(name for name, blocks in ROOMS.items() if blocks))
    notebook = nbformat.read(built, as_version=4)
    block = next(c for c in notebook.cells if c.metadata.get("role") == "elsewhere")
    block.source += "\nAnother word."
    nbformat.write(notebook, tmp_path / built.name)
    with pytest.raises(CourseError, match="edit elsewhere/ beside the source"):
        adopt(tmp_path / built.name, PLACES)
