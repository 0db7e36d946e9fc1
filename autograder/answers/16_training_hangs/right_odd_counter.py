"""Counter finds what most entered; zip_longest fills up."""

from collections import Counter
from itertools import zip_longest

EXPECT = {"16/my_first_odd": "RIGHT"}


def my_first_odd(calls):
    for call, entered in enumerate(zip_longest(*calls)):
        [(most, _)] = Counter(entered).most_common(1)
        for worker, each in enumerate(entered):
            if each != most:
                return worker, call
    return None
