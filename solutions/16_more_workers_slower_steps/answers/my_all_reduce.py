"""Answers to 16/my_all_reduce, right and wrong, and what the check says of each."""

import os
from itertools import groupby

import numpy as np

from autograder.answers import changed, crashed, right, wrong


@right
def reduce_dict(context, gradients):
    """A dictionary by dtype, popped from the front."""
    groups = {}
    for gradient in gradients:
        groups.setdefault(gradient.dtype, []).append(gradient)
    for dtype in groups:
        groups[dtype] = context.all_reduce(tf.distribute.ReduceOp.SUM, groups[dtype])
    return [groups[gradient.dtype].pop(0) for gradient in gradients]


@right
def lists(context, gradients):
    """A list for each dtype: TensorFlow packs it."""
    sums = list(gradients)
    for dtype in sorted({g.dtype.name for g in gradients}):
        places = [i for i, g in enumerate(gradients) if g.dtype.name == dtype]
        own = context.all_reduce("SUM", [gradients[i] for i in places])
        for i, total in zip(places, own, strict=True):
            sums[i] = total
    return sums


@right
def slices(context, gradients):
    """Offsets by hand, sizes as tensors; it returns a tuple."""
    packs, at = {}, {}
    for g in gradients:
        packs.setdefault(g.dtype.name, []).append(tf.reshape(g, (-1,)))
    for name, parts in packs.items():
        packs[name], at[name] = context.all_reduce("sum", tf.concat(parts, 0)), 0
    sums = []
    for g in gradients:
        name, size = g.dtype.name, tf.size(g)
        sums.append(tf.reshape(packs[name][at[name] : at[name] + size], tf.shape(g)))
        at[name] = at[name] + size
    return tuple(sums)


@right
def sparse(context, gradients):
    """Sorted by dtype with itertools, and put back."""

    def dtype(i):
        return gradients[i].dtype.as_datatype_enum

    sums = {}
    for _, group in groupby(sorted(range(len(gradients)), key=dtype), key=dtype):
        places = list(group)
        own = context.all_reduce("SUM", {i: gradients[i] for i in places})
        sums.update(own)
    return [sums[i] for i in range(len(gradients))]


@right
def two_wide(context, gradients):
    """All floats go as float64, all whole numbers as int64: nothing is lost."""
    sums = [None] * len(gradients)
    for wide, whole in ((tf.float64, False), (tf.int64, True)):
        places = [i for i, g in enumerate(gradients) if g.dtype.is_integer == whole]
        if not places:
            continue
        own = [tf.cast(gradients[i], wide) for i in places]
        for i, total in zip(places, context.all_reduce("SUM", own), strict=True):
            sums[i] = tf.cast(total, gradients[i].dtype)
    return sums


@wrong("cast_to_float32")
def cast_32(context, gradients):
    """All as float32, and back."""
    wide = context.all_reduce("SUM", [tf.cast(g, tf.float32) for g in gradients])
    return [tf.cast(total, g.dtype) for total, g in zip(wide, gradients, strict=True)]


@wrong("one_by_one")
def comprehension(context, gradients):
    """The shipped code in one line."""
    return [context.all_reduce("SUM", gradient) for gradient in gradients]


@wrong("floats_packed_only")
def floats_only(context, gradients):
    """Only float32 is packed."""
    own = [g for g in gradients if g.dtype == tf.float32]
    packed = list(context.all_reduce("SUM", own))
    sums = []
    for g in gradients:
        if g.dtype == tf.float32:
            sums.append(packed.pop(0))
        else:
            sums.append(context.all_reduce("SUM", g))
    return sums


@wrong("not_reduced")
def local(context, gradients):
    """Nothing is sent."""
    return gradients


@wrong("neighbours_packed")
def neighbours(context, gradients):
    """Packs neighbours of one dtype only."""
    sums = []
    for _, alike in groupby(gradients, key=lambda gradient: gradient.dtype):
        sums += context.all_reduce("SUM", list(alike))
    return sums


@wrong
def nothing(context, gradients):
    """It returns nothing."""
    for gradient in gradients:
        context.all_reduce("SUM", gradient)


@crashed
def numpy(context, gradients):
    """NumPy in a graph."""
    packed = np.concatenate([g.numpy().ravel() for g in gradients])
    packed = context.all_reduce("SUM", tf.constant(packed))
    return tf.split(packed, len(gradients))


@wrong
def one_tensor(context, gradients):
    """It returns one packed tensor."""
    own = [tf.reshape(tf.cast(g, tf.float64), [-1]) for g in gradients]
    return context.all_reduce("SUM", tf.concat(own, 0))


@crashed
def whole_concat(context, gradients):
    """One vector of all, dtypes mixed."""
    packed = tf.concat([tf.reshape(g, [-1]) for g in gradients], 0)
    packed = context.all_reduce("SUM", packed)
    parts = tf.split(packed, [g.shape.num_elements() for g in gradients])
    return [tf.reshape(p, g.shape) for p, g in zip(parts, gradients, strict=True)]


@crashed
def whole_list(context, gradients):
    """The whole list, dtypes mixed."""
    return context.all_reduce("SUM", gradients)


@wrong("cast_to_float64")
@changed(cast_32, ("tf.float32", "tf.float64"))
def cast_64():
    """All as float64, and back."""


@wrong("left_as_float32")
def left_32(context, gradients):
    """All as float32, and not back."""
    return context.all_reduce("SUM", [tf.cast(g, tf.float32) for g in gradients])


@wrong("left_as_float64")
@changed(left_32, ("tf.float32", "tf.float64"))
def wide():
    """All go as float64, and stay so."""


@wrong("flat")
@changed(reduce_dict, ("append(gradient)", "append(tf.reshape(gradient, [-1]))"))
def flat():
    """The parts are not reshaped."""


@wrong("mean")
@changed(reduce_dict, ("SUM", "MEAN"))
def mean():
    """MEAN by dtype."""


@wrong("mean_one_by_one")
@changed(comprehension, ("SUM", "MEAN"))
def mean_one_by_one():
    """MEAN of each."""


@wrong("divided_on_top")
@changed(
    reduce_dict,
    ("SUM", "MEAN"),
    ("[groups[gradient.dtype].pop(0)", "[tf.cast(groups[g.dtype].pop(0), g.dtype)"),
    ("for gradient in gradients]", "for g in gradients]"),
)
def mean_cast():
    """MEAN by dtype, and cast back."""


@wrong("scalars_lost")
@changed(
    reduce_dict,
    ("groups = {}", "groups, gradients = {}, [g for g in gradients if g.shape.rank]"),
)
def scalars():
    """Scalars are left out."""


@wrong("twice")
@changed(reduce_dict, ("for dtype in groups:", "for dtype in [*groups, *groups]:"))
def twice():
    """Summed, and then summed again."""


def by_dtype(gradients):
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(g)
    return groups


@wrong("packed_twice")
def halves(context, gradients):
    """Two packs for each dtype, added up."""
    sums = {}
    for d, group in by_dtype(gradients).items():
        sums[d] = list(context.all_reduce("SUM", group[:1]))
        sums[d] += context.all_reduce("SUM", group[1:])
    return [sums[g.dtype].pop(0) for g in gradients]


@wrong("sorted_by_dtype")
def reduce_sorted(context, gradients):
    """The results come dtype by dtype."""
    sums = []
    for group in by_dtype(gradients).values():
        sums += context.all_reduce("SUM", group)
    return sums


@wrong("not_cut")
def not_cut(context, gradients):
    """The packed vectors come back."""
    sums = []
    for group in by_dtype(gradients).values():
        packed = tf.concat([tf.reshape(g, [-1]) for g in group], 0)
        sums.append(context.all_reduce("SUM", packed))
    return sums


@wrong
def packs_of_bytes(context, gradients):
    """Packs of 64 bytes."""
    options = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=64)
    groups = by_dtype(gradients)
    for dtype in groups:
        groups[dtype] = context.all_reduce("SUM", groups[dtype], options)
    return [groups[g.dtype].pop(0) for g in gradients]


@crashed
def one_worker(context, gradients):
    """Only worker 0 sends: it waits for ever."""
    groups = by_dtype(gradients)
    if '"index": 0' in os.environ["TF_CONFIG"]:
        groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [groups[g.dtype].pop(0) for g in gradients]
