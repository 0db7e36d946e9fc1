"""Answers to 13/my_late_error, right and wrong, and what the check says of each."""

import json

from autograder.answers import changed, right, wrong


@right
def second_worker(hosts, nobody):
    """Worker 1 listens elsewhere."""
    texts = []
    for k, own in enumerate(hosts):
        plan = [nobody if k == 1 and host == own else host for host in hosts]
        task = {"type": "worker", "index": k}
        texts.append(json.dumps({"cluster": {"worker": plan}, "task": task}))
    return texts


@right
def last_text(hosts, nobody):
    """The last text is written anew."""
    task = {"type": "worker"}
    plan = {"worker": hosts}
    texts = [
        json.dumps({"cluster": plan, "task": {**task, "index": k}})
        for k in range(len(hosts))
    ]
    return [*texts[:-1], texts[-1].replace(hosts[-1], nobody)]


@wrong("no_strategy")
@changed(second_worker, ("if k == 1 and", "if k == 0 and"))
def first_worker_elsewhere():
    """Worker 0 listens elsewhere, and nobody finds it."""


@wrong("same_in_all_texts")
@changed(second_worker, ("k == 1 and host == own", "host == hosts[-1]"))
def moved_for_all():
    """All texts say where the last worker is now."""


@wrong("no_strategy")
@changed(last_text, ("texts[-1].replace(hosts[-1], nobody)", "'{'"))
def no_json():
    """One text can't be read."""


@wrong
@changed(
    last_text, ("[*texts[:-1], texts[-1].replace(hosts[-1], nobody)]", "texts[-1]")
)
def one_text():
    """One text only."""


@wrong("entry_1_of_worker_0")
@changed(
    last_text,
    (
        "[*texts[:-1], texts[-1]",
        "[texts[0].replace(hosts[1], nobody), *texts[1:]] or [texts[-1]",
    ),
)
def first_list():
    """Worker 0 has another address for worker 1."""
