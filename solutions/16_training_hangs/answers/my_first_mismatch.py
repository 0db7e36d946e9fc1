"""Answers to 16/my_first_mismatch, right and wrong, and what the check says of each."""

from zlib import crc32

import tensorflow as tf

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


@wrong("dtypes_and_axes")
def axes(gradients, gather):
    """Dtypes and numbers of axes."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [1000 * g.dtype.as_datatype_enum + len(g.shape) for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number


@wrong("common_part_only")
def common(gradients, gather):
    """Only what all have."""
    shortest = min(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    for number, column in enumerate(zip(*gather(own[:shortest]), strict=False)):
        if len(set(column)) > 1:
            return number


@wrong
def cut(gradients, gather):
    """The text is cut."""
    longest = max(gather([len(gradients)]))[0]
    for number in range(longest):
        have = number < len(gradients)
        g = gradients[number] if have else None
        kind = f"{g.dtype.name} {g.shape}" if have else "none"
        column = gather(list(kind[:12].ljust(12).encode()))
        if any(each != column[0] for each in column):
            return number


@wrong("dtypes_and_sizes")
def dtypes_sizes(gradients, gather):
    """Dtypes and numbers of elements."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [1000 * g.dtype.as_datatype_enum + int(tf.size(g)) for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number


@crashed
def error(gradients, gather):
    """An error instead of a number."""
    lengths = gather([len(gradients)])
    if any(length != lengths[0] for length in lengths):
        raise ValueError("not the same number of gradients")


@wrong("from_1")
def from_1(gradients, gather):
    """Counted from 1."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number + 1


@wrong("sizes_only")
def kinds_only(gradients, gather):
    """Kinds, but as many as there are."""
    kinds = gather(
        [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    )
    for number, column in enumerate(zip(*kinds, strict=False)):
        if len(set(column)) > 1:
            return number


@wrong("last_one")
def last(gradients, gather):
    """The last one that differs."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    found = None
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            found = number
    return found


@wrong("never")
def never(gradients, gather):
    """Nothing is looked at."""
    return None


@wrong("number_only")
def mismatch_number(gradients, gather):
    """Only how many there are."""
    lengths = [length for (length,) in gather([len(gradients)])]
    return min(lengths) if len(set(lengths)) > 1 else None


@wrong("number_before_kinds")
def number_first(gradients, gather):
    """How many there are decides first."""
    lengths = [length for (length,) in gather([len(gradients)])]
    if len(set(lengths)) > 1:
        return min(lengths)
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    for number, column in enumerate(zip(*gather(own), strict=False)):
        if len(set(column)) > 1:
            return number


@wrong("shapes_filled_with_1")
def ones(gradients, gather):
    """Shapes filled up with 1."""
    longest = max(length for (length,) in gather([len(gradients)]))
    for number in range(longest):
        kind = [0] * 5
        if number < len(gradients):
            g = gradients[number]
            kind = [g.dtype.as_datatype_enum, *(list(g.shape) + [1] * 4)[:4]]
        column = gather(kind)
        if any(each != column[0] for each in column):
            return number


@wrong("each_its_own_number")
def own_number(gradients, gather):
    """As many questions as this worker has gradients."""
    for number, g in enumerate(gradients):
        column = gather([crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31])
        if any(each != column[0] for each in column):
            return number


@wrong("shapes_only")
def shapes(gradients, gather):
    """Shapes only."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(str(g.shape).encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number, column in enumerate(zip(*table, strict=False)):
        if len(set(column)) > 1:
            return number


@wrong("dtypes_by_bytes")
@changed(shapes, ("str(g.shape).encode()", 'f"{g.dtype.size}{g.shape}".encode()'))
def mismatch_bytes():
    """Dtypes by their bytes."""


@wrong("dtypes_only")
@changed(shapes, ("crc32(str(g.shape).encode()) % 2**31", "g.dtype.as_datatype_enum"))
def dtypes():
    """Dtypes only."""


@wrong
@changed(shapes, ("crc32(str(g.shape).encode())", 'hash(f"{g.dtype.name}{g.shape}")'))
def hash_first_mismatch():
    """Python's hash of a text."""


@wrong("sizes_compared")
@changed(shapes, ("crc32(str(g.shape).encode()) % 2**31", "int(tf.size(g))"))
def mismatch_sizes():
    """Numbers of elements."""


@wrong
def stops_early(gradients, gather):
    """Who finds a difference to its own list stops asking."""
    for number, each in enumerate(gradients):
        column = gather([each.dtype.as_datatype_enum])
        if any(kind != column[0] for kind in column):
            return number


@crashed
def mismatch_text(gradients, gather):
    """A sentence instead of a number."""
    return "all fit"


@wrong("two_workers_only")
def two(gradients, gather):
    """Workers 0 and 1 only."""
    longest = max(length for (length,) in gather([len(gradients)]))
    own = [crc32(f"{g.dtype.name}{g.shape}".encode()) % 2**31 for g in gradients]
    table = gather(own + [-1] * (longest - len(own)))
    for number in range(longest):
        if table[0][number] != table[1][number]:
            return number


@wrong
@changed(shapes, ("crc32(str(g.shape).encode())", "crc32(str(g).encode())"))
def values():
    """The whole tensor as a text, values too."""
