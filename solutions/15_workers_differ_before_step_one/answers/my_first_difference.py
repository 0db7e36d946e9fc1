"""Answers to 15/my_first_difference, right and wrong, and what each of them gets."""

from autograder.answers import changed, right, wrong


@right
def copies(logs):
    """The records are rewritten first: what is sent is put where it arrives."""
    import copy

    logs = copy.deepcopy(logs)
    for call, (what, _, where, value) in enumerate(logs[0]):
        if what == "make" and where == "scope":
            for own in logs[1:]:
                own[call] = (what, own[call][1], where, value)
    state = [{} for _ in logs]
    for call in range(len(logs[0])):
        for own, log in zip(state, logs, strict=True):
            what, variable, _, value = log[call]
            if what == "step":
                for name in own:
                    own[name] += value
            else:
                own[variable] = value
        found = {}
        for own in state[1:]:
            for name, value in own.items():
                if name in state[0] and value != state[0][name]:
                    gap = abs(value - state[0][name])
                    found[name] = max(gap, found.get(name, 0))
        if found:
            return [call, min(found), found[min(found)]]
    return None


@right
def one_worker_after_another(logs):
    """Every worker is followed alone; then the smallest place is taken."""

    def follow(log):
        now, seen = {}, []
        for (what, variable, where, value), chiefs in zip(log, logs[0], strict=True):
            if what == "step":
                now = {name: old + value for name, old in now.items()}
            elif (what, where) == ("make", "scope"):
                now = {**now, variable: chiefs[3]}
            else:
                now = {**now, variable: value}
            seen.append(now)
        return seen

    paths = [follow(log) for log in logs]
    places = [
        (call, name, -abs(now[name] - own[call][name]))
        for own in paths[1:]
        for call, now in enumerate(paths[0])
        for name in now
        if name in own[call] and own[call][name] != now[name]
    ]
    if not places:
        return None
    call, name, distance = min(places)
    return call, name, -distance


@right
def simple(logs):
    """As the notebook's, with a list for each call."""
    values = [{} for _ in logs]
    for call in range(len(logs[0])):
        chiefs = logs[0][call]
        for own, log in zip(values, logs, strict=True):
            what, variable, where, value = log[call]
            if what == "step":
                own.update({name: old + value for name, old in own.items()})
            elif what == "make" and where == "scope":
                own[variable] = chiefs[3]
            else:
                own[variable] = value
        for name in sorted(values[0]):
            gaps = [abs(own[name] - values[0][name]) for own in values if name in own]
            if max(gaps) > 0:
                return call, name, max(gaps)
    return None


@wrong("made_outside_is_sent")
@changed(simple, (' and where == "scope"', ""))
def all_that_is_made():
    """The scope plays no part."""


@wrong("assigned_in_scope_is_sent")
@changed(simple, ('what == "make" and ', ""))
def all_in_the_scope():
    """Where a call stands decides alone."""


@wrong("two_workers_only")
@changed(simple, ("values = [{} for _ in logs]", "values = [{}, {}]\nlogs = logs[:2]"))
def of_two():
    """The third worker is left out."""


@wrong("steps_left_out")
@changed(simple, ("old + value", "old"))
def no_steps():
    """Steps change nothing."""


@wrong
@changed(simple, ("max(gaps) > 0", "max(gaps) > 1"))
def tolerant():
    """Only large differences count."""


@wrong
@changed(simple, ("return call, name, max(gaps)", "return call, name, sum(gaps)"))
def all_distances():
    """The distances of all workers are added up."""


@wrong
@changed(simple, ("return call, name, max(gaps)", "return call, str([name]), 0"))
def names():
    """A text instead of a number."""
