"""The order of files is taken for nothing."""

EXPECT = {"14/my_preflight": "WRONG files_unordered"}


def my_preflight(reports):
    found = set()
    chief = reports[0]
    for worker, own in enumerate(reports):
        for item in {*own, *chief}:
            if own.get(item) != chief.get(item) and (
                item != "files" or sorted(own[item]) != sorted(chief[item])
            ):
                found.add((worker, item))
    return found
