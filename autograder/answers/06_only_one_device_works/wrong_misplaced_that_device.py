"""All rows of the device that has too many."""

EXPECT = {"06/my_misplaced": "WRONG all_on_that_device"}


def my_misplaced(operations, devices):
    for index, (replica, _, ran, _) in enumerate(operations):
        if ran != devices[replica]:
            return index, sum(line[3] for line in operations if line[2] == ran)
