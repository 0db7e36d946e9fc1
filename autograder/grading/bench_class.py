"""The class that the benchmark grades: known answers, handed in as students do."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import nbformat

from autograder.answers.reading import Answer, put_in
from autograder.places import Places


def choose(answers: list[Answer], count: int, seed: int) -> list[Answer]:
    """As many right as wrong answers from each notebook, as far as `count` allows."""
    groups: dict[tuple[str, bool], list[Answer]] = {}
    for answer in answers:
        groups.setdefault((answer.notebook, answer.is_right), []).append(answer)
    chance = random.Random(seed)
    for each in groups.values():
        chance.shuffle(each)
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*groups.values()))
    return list(itertools.islice(filter(None, in_turn), count))


def hand_in(answers: list[Answer], places: Places, folder: Path) -> Path:
    """Write one submission for each answer: s001, s002, ... in FOLDER."""
    names = places.names()
    for number, answer in enumerate(answers, start=1):
        # a small course has one notebook; its exercises are those of the answer's
        name = answer.notebook if answer.notebook in names else names[0]
        notebook = nbformat.read(places.learner(name), as_version=4)
        path = folder / f"s{number:03}" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(put_in(notebook, answer), path)
    return folder
