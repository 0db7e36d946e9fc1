"""Folders of checkpoints, sound and faulty, each with a program to restore them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import ml_dtypes
import numpy as np

from course.lessons.n19_restored_but_wrong.checkpoint_files import (
    COUNTER,
    Arrays,
    bytes_of,
    cut,
    data_file,
    index_file,
    turn_a_bit,
    write,
)

WORDS = ("kernel", "bias", "gamma", "table", "moment", "rate", "beta", "scale")
HEALTHY = ""


@dataclass(frozen=True, eq=False)
class Case:
    """A folder and a program.

    kind: what is special, in words.
    stored: the newest checkpoint; program: the values that the program begins with.
    damage: what is done to the files, HEALTHY if nothing.
    at: the array that the damage hits first.
    """

    kind: str
    stored: Arrays
    program: Arrays
    damage: str = HEALTHY
    at: str = ""

    def __str__(self) -> str:
        return self.kind

    @contextmanager
    def folder(self) -> Iterator[str]:
        """Write the files, for the time of the block."""
        with tempfile.TemporaryDirectory(prefix="course-restore-") as parent:
            folder = Path(parent) / "run"
            if self._files:
                folder.mkdir()
            for name, content in self._files.items():
                (folder / name).write_bytes(content)
            yield str(folder)

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """File name -> content; a check asks for the same files many times."""
        if self.damage == "no folder":
            return {}
        with tempfile.TemporaryDirectory(prefix="course-restore-") as parent:
            folder = Path(parent)
            write(folder, {name: np.ones_like(v) for name, v in self.stored.items()})
            self._damage(folder, write(folder, self.stored))
            return {file.name: file.read_bytes() for file in folder.iterdir()}

    def _damage(self, folder: Path, path: str) -> None:
        if self.damage == "no state":
            (folder / "checkpoint").unlink()
        elif self.damage == "no index":
            index_file(path).unlink()
        elif self.damage == "cut index":
            cut(index_file(path), index_file(path).stat().st_size // 2)
        elif self.damage == "bit":
            turn_a_bit(path, self.stored[self.at])
        elif self.damage == "cut data":
            begin, end = bytes_of(path, self.stored[self.at])
            cut(data_file(path), (begin + end) // 2)

    @property
    def unreadable(self) -> bool:
        """Whether nothing at all can be read."""
        return self.damage in ("no folder", "no state", "no index", "cut index")

    def faults(self, held: dict[str, np.ndarray | None]) -> set[str]:
        """Return the names that do not fit, given what can be read of the file."""
        names = {*held, *self.program} - {COUNTER}
        return {n for n in names if not fits(held.get(n), self.program.get(n))}


def fits(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Whether both are there, of one dtype and shape."""
    if one is None or other is None:
        return False
    return (one.dtype, one.shape) == (other.dtype, other.shape)


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw names, shapes and values; one case for each fault, and two sound ones."""

    def floats(shape: tuple[int, ...] = (), dtype: type = np.float32) -> np.ndarray:
        return np.asarray(rng.normal(size=shape) + 2.0, dtype)

    def names(count: int) -> list[str]:
        chosen = rng.choice(WORDS, count, replace=False)
        # a number behind it: no message has such a word by chance
        return sorted(f"{word}_{rng.integers(10, 99)}" for word in chosen)

    def shape() -> tuple[int, int]:
        return int(rng.integers(2, 4)), int(rng.integers(4, 7))

    def model() -> Arrays:
        shapes = (shape(), (int(rng.integers(3, 6)),), (), shape())
        return {n: floats(s) for n, s in zip(names(4), shapes, strict=True)}

    def begins(stored: Arrays) -> Arrays:
        order = rng.permutation(list(stored))
        return {str(n): np.zeros_like(stored[str(n)]) for n in order}

    cases = []
    sound = model()
    first = next(iter(sound))
    sound[first][0, 1] = np.nan
    cases.append(Case("a sound checkpoint, the newest of two", sound, begins(sound)))
    kinds = {
        "flag": np.array([True, False, True]),
        "count": np.array(2**53 + 2 * int(rng.integers(5, 500)) + 1, np.int64),
        "half": floats((3,), np.float16),
        "brain": floats((2, 2), ml_dtypes.bfloat16),
        "double": floats((2,), np.float64),
    }
    every = dict(zip(names(5), kinds.values(), strict=True))
    cases.append(Case("a sound checkpoint of five dtypes", every, begins(every)))

    stored = model()
    program = begins(stored)
    old = list(stored)[int(rng.integers(0, 4))]
    program[f"{old[:-3]}_{rng.integers(100, 999)}"] = program.pop(old)
    cases.append(Case("a checkpoint in which one name is another", stored, program))
    stored = model()
    program = begins(stored)
    del stored[list(stored)[int(rng.integers(0, 4))]]
    cases.append(Case("a checkpoint that lacks one variable", stored, program))
    stored = model()
    program = begins(stored)
    program.pop(list(program)[int(rng.integers(0, 4))])
    cases.append(Case("a checkpoint that has one more variable", stored, program))
    # the last name in the alphabet: all others could be written before it
    stored = model()
    last = list(stored)[-1]
    program = begins(stored)
    program[last] = np.zeros_like(stored[last].T)
    moved = program.pop(last)
    cases.append(
        Case("a checkpoint with another shape", stored, {**program, last: moved})
    )
    stored = model()
    program = begins(stored)
    stored[list(stored)[3]] = floats(program[list(stored)[3]].shape, np.float64)
    cases.append(Case("a checkpoint with another dtype", stored, program))
    stored = model()
    one, two, *_ = stored
    program = begins(stored)
    stored[one] = stored[one].astype(np.int32)  # of the same size
    stored[two] = floats((len(stored[two]) + 1,))
    words = "a checkpoint with another dtype and another shape, in two variables"
    cases.append(Case(words, stored, program))

    # faults of two kinds: both are to be named
    stored = model()
    program = begins(stored)
    one, two, *_ = stored
    program[f"{one[:-3]}_{rng.integers(100, 999)}"] = program.pop(one)
    stored[two] = floats(program[two].shape, np.float64)
    words = "a checkpoint with another name, and another dtype in another variable"
    cases.append(Case(words, stored, program))
    stored = model()
    program = begins(stored)
    one, two, *_ = stored
    program.pop(two)
    words = "a checkpoint with one more variable, and a bit turned in another array"
    cases.append(Case(words, stored, program, "bit", one))

    for damage, words in (
        ("no folder", "a folder that does not exist"),
        ("no state", "a folder that was copied without its file `checkpoint`"),
        ("no index", "a checkpoint whose index file is gone"),
        ("cut index", "a checkpoint whose index file is cut"),
        ("bit", "a checkpoint with one bit turned in an array"),
        ("cut data", "a checkpoint whose file of numbers is cut"),
    ):
        stored = model()
        at = list(stored)[0 if damage == "bit" else 1]
        cases.append(Case(words, stored, begins(stored), damage, at))
    return cases
