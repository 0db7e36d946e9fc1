"""Packs neighbours of one dtype only."""

from itertools import groupby

EXPECT = {"15/my_all_reduce": "WRONG neighbours_packed"}


def my_all_reduce(context, gradients):
    sums = []
    for _, alike in groupby(gradients, key=lambda gradient: gradient.dtype):
        sums += context.all_reduce("SUM", list(alike))
    return sums
