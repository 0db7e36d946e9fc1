"""Sorted by dtype with itertools, and put back."""

from itertools import groupby

EXPECT = {"15/my_all_reduce": "RIGHT"}


def my_all_reduce(context, gradients):
    def dtype(i):
        return gradients[i].dtype.as_datatype_enum

    sums = {}
    for _, group in groupby(sorted(range(len(gradients)), key=dtype), key=dtype):
        places = list(group)
        own = context.all_reduce("SUM", {i: gradients[i] for i in places})
        sums.update(own)
    return [sums[i] for i in range(len(gradients))]
