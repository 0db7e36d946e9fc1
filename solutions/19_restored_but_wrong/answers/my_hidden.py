"""Answers to 19/my_hidden, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def lists(variables, initial, loss, step):
    """All losses as lists, compared at the end."""
    stored = {name: variable.numpy() for name, variable in variables.items()}

    def losses(left_out):
        for name, variable in variables.items():
            variable.assign(initial[name] if name == left_out else stored[name])
        seen = [loss()]
        for _ in range(10):
            step()
            seen.append(loss())
        return seen

    whole = losses(None)
    tried = {name: losses(name) for name in variables}
    return {n for n, seen in tried.items() if seen[0] == whole[0] and seen != whole}


@right
def weights_compared(variables, initial, loss, step):
    """The weights of each step tell as well as the losses; it ends early."""
    stored = {name: np.array(v.numpy()) for name, v in variables.items()}

    def begin(**other):
        for name, value in (stored | other).items():
            variables[name].assign(value)

    begin()
    path = []
    for _ in range(10):
        step()
        path.append(variables["weights"].numpy())
    found = []
    for name in sorted(variables):
        if name == "weights":
            continue
        begin(**{name: initial[name]})
        for weights in path:
            step()
            if not np.array_equal(weights, variables["weights"].numpy()):
                found.append(name)
                break
    return found


@wrong("at_once_only")
def everything_but_the_weights(variables, initial, loss, step):
    """No step is made."""
    return [name for name in variables if name != "weights"]


@wrong("too_few_steps")
@changed(lists, ("range(10)", "range(1)"))
def one_step():
    """One step ahead."""


@wrong("all_that_matter")
@changed(lists, ("seen[0] == whole[0] and ", ""))
def all_of_them():
    """What is seen at once is named, too."""


@wrong("never_matter")
@changed(lists, ("seen != whole", "seen == whole"))
def turned_round():
    """What never matters is named."""


@wrong("zeros_left")
@changed(lists, ("initial[name] if", "stored[name] * 0 if"))
def zeros():
    """What is left out becomes zero."""


@wrong("not_at_the_start")
@changed(
    lists,
    (
        "stored = {name: variable.numpy() for name, variable in variables.items()}",
        "stored = initial",
    ),
)
def initial_only():
    """Nothing of the file is used."""


@wrong
@changed(lists, ("return {n for", "return {(n, 0) for"))
def pairs():
    """Pairs, as if a place were asked for."""


@wrong("too_few_steps")
@changed(lists, ("range(10)", "range(3)"))
def three_steps():
    """Three steps ahead: too few for the schedule."""
