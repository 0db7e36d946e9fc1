"""By hand: JSON, written anew and moved."""

import json
from pathlib import Path

EXPECT = {"17/my_resumable": "RIGHT"}


def my_resumable(folder, batches, w, momentum, step, every):
    place = Path(folder) / "state.json"
    state = {"next": 0, "w": [0.0, 0.0], "m": [0.0, 0.0]}
    if place.exists():
        state = json.loads(place.read_text())
    w.assign(state["w"])
    momentum.assign(state["m"])

    def save(number):
        told = {"next": number, "w": w.numpy().tolist(), "m": momentum.numpy().tolist()}
        part = place.with_suffix(".part")
        part.write_text(json.dumps(told))
        part.rename(place)

    for k, (x, y) in enumerate(batches[state["next"] :], state["next"]):
        step(x, y)
        if not (k + 1) % every:
            save(k + 1)
