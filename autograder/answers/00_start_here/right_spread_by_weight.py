"""Largest less smallest, weight by weight."""

EXPECT = {"00/my_spread": "RIGHT"}


def my_spread(copies):
    return (copies.max(axis=0) - copies.min(axis=0)).max()
