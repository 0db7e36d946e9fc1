"""Answers to 17/my_first_mismatch, right and wrong, and what the check says of each."""

from zlib import crc32

from autograder.answers import changed, crashed, right, wrong


@right
def fixed(gradients, gather):
    """One table of a fixed size, large enough."""
    own = []
    for each in gradients:
        own += [each.dtype.as_datatype_enum, *(list(each.shape) + [-1] * 7)[:7]]
    own += [0] * (8 * 100 - len(own))
    everyone = gather(own)
    for number in range(100):
        if len({tuple(each[8 * number : 8 * number + 8]) for each in everyone}) > 1:
            return number
    return None


@right
def mismatch_hash(gradients, gather):
    """A number from the text of each kind, all in one call."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [
        crc32(f"{g.dtype.name}{g.shape.as_list()}".encode()) % 2**31 for g in gradients
    ]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number


@right
def text(gradients, gather):
    """Each kind as a text of fixed length, in numbers."""
    longest = max(gather([len(gradients)]))[0]
    kinds = [f"{each.dtype.name} {each.shape}" for each in gradients]
    kinds += ["none"] * (longest - len(kinds))
    for number, kind in enumerate(kinds):
        column = gather(list(kind.ljust(80).encode()))
        if any(each != column[0] for each in column):
            return number
    return None


@wrong
@changed(text, ("kind.ljust(80)", "kind[:12].ljust(12)"))
def cut():
    """The text is cut."""


@crashed
def error(gradients, gather):
    """An error instead of a number."""
    lengths = gather([len(gradients)])
    if any(length != lengths[0] for length in lengths):
        raise ValueError("not the same number of gradients")


@wrong("sizes_only")
@changed(
    mismatch_hash,
    ("longest = max(length for (length,) in gather([len(gradients)]))", ""),
    (" + [-1] * (longest - len(own))", ""),
)
def kinds_only():
    """Kinds, but as many as there are."""


@wrong
@changed(
    mismatch_hash,
    (
        'crc32(f"{g.dtype.name}{g.shape.as_list()}".encode())',
        'hash(f"{g.dtype.name}{g.shape}")',
    ),
)
def hash_first_mismatch():
    """Python's hash of a text."""


@wrong
def stops_early(gradients, gather):
    """Who finds a difference to its own list stops asking."""
    for number, each in enumerate(gradients):
        column = gather([each.dtype.as_datatype_enum])
        if any(kind != column[0] for kind in column):
            return number


@wrong
def mismatch_text(gradients, gather):
    """A sentence instead of a number."""
    return "all fit"


@wrong
@changed(mismatch_hash, ('f"{g.dtype.name}{g.shape.as_list()}"', "str(g)"))
def values():
    """The whole tensor as a text, values too."""
