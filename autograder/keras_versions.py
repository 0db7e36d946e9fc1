"""Which versions of Keras train wrongly on two replicas by themselves.

    python -m autograder.keras_versions 3.8.0 3.15.1

installs each of them into a folder that is removed again, runs keras_trial.py with it,
and prints the rows of keras_versions.toml; without arguments, for all that are there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from autograder.toml_files import read_toml

DATA = Path(__file__).with_suffix(".toml")
TRIAL = Path(__file__).with_name("keras_trial.py")
LEGACY = "tf_keras"
SECONDS = 300
NEAR = 1e-5  # float order makes less than 1e-6


def measured() -> list[dict]:
    """Return what was measured, a row for each version: see keras_trial.py."""
    return read_toml(DATA)["measured"]


def tensorflow() -> str:
    """Return the version of TensorFlow that all of them ran on."""
    return read_toml(DATA)["tensorflow"]


def measure(package: str, version: str) -> dict:
    """Install one version beside the others, and try it.

    Raises subprocess.SubprocessError where it can't be installed, or does not run.
    """
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        wanted = f"{package}=={version}"
        subprocess.run([*pip, "--target", folder, wanted], check=True, timeout=SECONDS)
        env = os.environ | {"PYTHONPATH": folder, "TF_CPP_MIN_LOG_LEVEL": "3"}
        if package == LEGACY:
            env["TF_USE_LEGACY_KERAS"] = "1"
        return {"package": package, "version": version, **run_trial(env)}


def run_trial(env: dict[str, str]) -> dict[str, float]:
    """Run keras_trial.py in this environment, and return what it printed."""
    command = [sys.executable, str(TRIAL)]
    ran = subprocess.run(
        command, env=env, check=True, capture_output=True, text=True, timeout=SECONDS
    )
    return json.loads(ran.stdout.splitlines()[-1])


def verdict(row: dict) -> str:
    """What a row says, in words."""
    if row["spread"] > NEAR:
        return "wrong: the replicas' copies of the weights differ"
    if row["off"] > NEAR:
        twice = row["off_twice"] < NEAR
        return "wrong: " + ("each step is twice as long" if twice else "other weights")
    if row["loss"] > NEAR:
        return "right; the logged loss is another"
    return "right"


def clips(row: dict) -> str:
    """What `clipnorm` does to the weights, in words; "" where they are wrong anyhow."""
    if not verdict(row).startswith("right"):
        return ""
    return "other weights" if row["clipped"] > NEAR else "right"


def table(rows: Sequence[dict]) -> str:
    """A table for people: neighbours that say the same share a line."""
    lines = [
        "| version | `fit` on two replicas | with `clipnorm` |",
        "|:--|:--|:--|",
    ]
    key = lambda row: (row["package"], verdict(row), clips(row))  # noqa: E731
    for (package, said, clipped), same in groupby(rows, key):
        versions = [row["version"] for row in same]
        span = f"{versions[0]} to {versions[-1]}" if versions[1:] else versions[0]
        name = "Keras" if package == "keras" else package
        lines.append(f"| {name} {span} | {said} | {clipped} |")
    return "\n".join(lines)


def main(versions: Sequence[str]) -> None:
    """Measure and print; all that are in the file where none is named."""
    known = [(row["package"], row["version"]) for row in measured()]
    for package, version in [("keras", each) for each in versions] or known:
        print("\n[[measured]]")
        for name, value in measure(package, version).items():
            said = json.dumps(value) if isinstance(value, str) else f"{value:.2g}"
            print(f"{name} = {said}")


if __name__ == "__main__":
    main(sys.argv[1:])
