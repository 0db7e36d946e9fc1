"""TF_CONFIGs in short: "ab 0" says that the workers are at a and b, with index 0."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

PLACES = "abcd"  # where process A, process B, ... run
PROCESSES = PLACES.upper()
NOBODY = "x"  # an address at which nobody runs
EMPTY = "{}"
PORT = 2222


def tf_config(short: str, at: Mapping[str, str]) -> str:
    """Return the TF_CONFIG of `short`, such as "ab 0" or "{}"; at: letter -> address.

    Raises:
        KeyError: a letter has no address.
    """
    if short == EMPTY:
        return EMPTY
    letters, index = short.split()
    task = {"type": "worker", "index": int(index)}
    return json.dumps({"cluster": {"worker": [at[k] for k in letters]}, "task": task})


def texts_of(short: str, at: Mapping[str, str] | None = None) -> list[str]:
    """Return the TF_CONFIGs of all processes, such as those of "ab 0, xb 1".

    at: letter -> address; "a:2222", "b:2222" and so on by default.
    """
    at = at or {letter: f"{letter}:{PORT}" for letter in PLACES + NOBODY}
    return [tf_config(one, at) for one in short.split(", ")]


def process_name(number: int) -> str:
    """Return "process A" for 0: which worker it is, only its TF_CONFIG says."""
    return f"process {PROCESSES[number]}"


def letters_of(hosts: Sequence[str], nobody: str) -> dict[str, str]:
    """Return which letter stands for which address: letter -> address."""
    return {**dict(zip(PLACES, hosts, strict=False)), NOBODY: nobody}


def in_short(text: str | None, at: Mapping[str, str]) -> str:
    """Return a TF_CONFIG in short; "" where it can't be written so."""
    names = {address: letter for letter, address in at.items()}
    try:
        config = json.loads(text or EMPTY)
        if not config:
            return EMPTY
        letters = "".join(names[address] for address in config["cluster"]["worker"])
        return f"{letters} {int(config['task']['index'])}"
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
