"""Answers to 20/my_first_meeting, right and wrong, and what the check says of each."""

from itertools import zip_longest

from autograder.answers import changed, crashed, right, wrong


@right
def pairs(calls_0, calls_1):
    """Pairs of (index, call), with an end for the shorter list."""
    met_0, met_1 = (
        [(i, call) for i, call in enumerate(calls) if call[1] not in ("log", "file")]
        for calls in (calls_0, calls_1)
    )
    ends = (len(calls_0), None), (len(calls_1), None)
    for one, other in zip_longest(met_0, met_1):
        (i, first), (j, second) = one or ends[0], other or ends[1]
        if first != second:
            return i, j
    return None


@right
def two_indices(calls_0, calls_1):
    """Two indices that go on by themselves."""
    i = j = 0
    while True:
        while i < len(calls_0) and calls_0[i][1] in ("log", "file"):
            i += 1
        while j < len(calls_1) and calls_1[j][1] in ("log", "file"):
            j += 1
        if i == len(calls_0) and j == len(calls_1):
            return None
        if i == len(calls_0) or j == len(calls_1) or calls_0[i] != calls_1[j]:
            return i, j
        i, j = i + 1, j + 1


@right
def known_calls(calls_0, calls_1):
    """It names what is done together."""
    together = {"step", "save", "evaluate"}
    places = [
        [k for k, (_, name) in enumerate(calls) if name in together] + [len(calls)]
        for calls in (calls_0, calls_1)
    ]
    for n in range(max(map(len, places))):
        i, j = (own[min(n, len(own) - 1)] for own in places)
        if (calls_0[i:] or [None])[0] != (calls_1[j:] or [None])[0]:
            return i, j


@wrong("entry_by_entry")
def by_index(calls_0, calls_1):
    """All entries count, and ends as well."""
    for i, (one, other) in enumerate(zip_longest(calls_0, calls_1)):
        if one != other:
            return min(i, len(calls_0)), min(i, len(calls_1))


@wrong("names_only")
@changed(two_indices, ("calls_0[i] != calls_1[j]", "calls_0[i][1] != calls_1[j][1]"))
def names():
    """The step is not looked at."""


@wrong("steps_only")
@changed(two_indices, ("calls_0[i] != calls_1[j]", "calls_0[i][0] != calls_1[j][0]"))
def steps():
    """The name is not looked at."""


@wrong("files_counted")
@changed(pairs, ('not in ("log", "file")', '!= "log"'))
def logs_alone():
    """Only logs are left out."""


@wrong("steps_alone_compared")
@changed(known_calls, ('{"step", "save", "evaluate"}', '{"step"}'))
def only_steps():
    """Only steps count."""


@wrong("saves_left_out")
@changed(known_calls, ('{"step", "save", "evaluate"}', '{"step", "evaluate"}'))
def no_saves():
    """A save is taken for a thing that one does alone."""


@wrong("evaluations_left_out")
@changed(known_calls, ('{"step", "save", "evaluate"}', '{"step", "save"}'))
def no_evaluations():
    """An evaluation is taken for a thing that one does alone."""


@wrong("as_long_as_both")
@changed(pairs, ("zip_longest(met_0, met_1)", "zip(met_0, met_1)"))
def shorter():
    """It ends with the shorter list."""


@wrong("counted_without_the_others")
def filtered(calls_0, calls_1):
    """Indices of the filtered lists."""
    one, other = (
        [call for call in calls if call[1] not in ("log", "file")]
        for calls in (calls_0, calls_1)
    )
    for k in range(max(len(one), len(other))):
        if one[k : k + 1] != other[k : k + 1]:
            return min(k, len(one)), min(k, len(other))


@wrong("counted_until_one_ends")
def filtered_and_zipped(calls_0, calls_1):
    """The filtered lists in pairs, without what the longer one has more."""
    one = [call for call in calls_0 if call[1] not in ("log", "file")]
    other = [call for call in calls_1 if call[1] not in ("log", "file")]
    for k, (a, b) in enumerate(zip(one, other)):  # noqa: B905
        if a != b:
            return k, k


@wrong("swapped")
@changed(pairs, ("return i, j", "return j, i"))
def the_other_way():
    """Worker 1 first."""


@wrong("from_one")
@changed(pairs, ("return i, j", "return i + 1, j + 1"))
def counted_from_one():
    """The first entry is 1."""


@wrong("nothing_found")
def nothing(calls_0, calls_1):
    """It finds nothing."""
    return None


@crashed
def no_end(calls_0, calls_1):
    """It reads beyond the end of the shorter list."""
    one, other = (
        [call for call in calls if call[1] not in ("log", "file")]
        for calls in (calls_0, calls_1)
    )
    for k in range(max(len(one), len(other))):
        if one[k] != other[k]:
            return calls_0.index(one[k]), calls_1.index(other[k])
