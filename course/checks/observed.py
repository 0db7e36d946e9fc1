"""What running an answer gave, as plain data: all that a verdict is made from."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from course.checks.exercises import Data, Observation

_UNREADABLE = (OSError, EOFError, ValueError, RecursionError, zipfile.BadZipFile)


@dataclass(frozen=True)
class Stopped:
    """An answer gave nothing on a case.

    sentences: what happened.
    busy: whether that was the machine's doing, so that it says nothing of the answer.
    returned: whether the function ran to its end and returned the wrong kind of thing.
    """

    sentences: tuple[str, ...]
    busy: bool = False
    returned: bool = False


Came = Observation | Data | Stopped


@dataclass(frozen=True)
class Observed:
    """What is known of an answer when it has run.

    cases: what each case gave, in order; they may come while they are asked for.
        The last may have Stopped. None where the answer did not run at all.
    shipped: whether the code is still the shipped one; None where no shipped one was
        there to compare with.
    kind: what was given instead of a function, such as "int".
    own: what an exercise with a check of its own has observed, ready for JSON.
    """

    cases: Iterable[Came] = ()
    shipped: bool | None = False
    kind: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)


def to_npz(seen: Observed) -> bytes:
    """Return what was observed as the bytes of an npz file, without pickles.

    Raises:
        TypeError: something in it is not plain: numbers, truth values, texts.
    """
    arrays, kinds = {}, []
    for number, came in enumerate(seen.cases):
        if isinstance(came, Stopped):
            kinds.append(asdict(came))
        elif isinstance(came, Observation):
            arrays[f"{number}/values"] = np.asarray(came.values)
            kinds.append({"counts": dict(came.counts), "told": came.told})
        else:
            arrays |= {f"{number}/{key}": np.asarray(a) for key, a in came.items()}
            kinds.append({"arrays": list(came)})
    for key, array in arrays.items():
        if array.dtype.kind not in "biufcSU":
            raise TypeError(f"{key} is of dtype {array.dtype}: not plain data")
    head = {
        "cases": kinds,
        "shipped": seen.shipped,
        "kind": seen.kind,
        "own": dict(seen.own),
    }
    text = json.dumps(head).encode()
    file = io.BytesIO()
    np.savez(file, head=np.frombuffer(text, np.uint8), **arrays)
    return file.getvalue()


def from_npz(data: bytes, most: int | None = None) -> Observed:
    """Return what `to_npz` has written.

    Args:
        data: the bytes.
        most: how many bytes they may become, where a stranger sent them.

    Raises:
        ValueError: these are not such bytes, or they become more.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(each.file_size for each in archive.infolist())
        if most is not None and size > most:
            raise ValueError(f"{size} bytes were observed; {most} are allowed")
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(arrays.pop("head").tobytes())
        cases = [_case(arrays, str(n), told) for n, told in enumerate(head["cases"])]
        return Observed(cases, head["shipped"], head["kind"], head["own"])
    except (*_UNREADABLE, KeyError, TypeError, AttributeError) as error:
        raise ValueError("this is nothing that a check has observed") from error


def _case(arrays: Mapping[str, np.ndarray], number: str, told: Mapping) -> Came:
    if "sentences" in told:
        return Stopped(tuple(told["sentences"]), told["busy"], told["returned"])
    if "arrays" in told:
        return {key: arrays[f"{number}/{key}"] for key in told["arrays"]}
    counts = {name: tuple(count) for name, count in told["counts"].items()}
    return Observation(arrays[f"{number}/values"], counts, told["told"])
