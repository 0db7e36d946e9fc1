"""Compares ports only."""

EXPECT = {"12/my_wrong_entry": "WRONG ports_only"}


def port(address):
    return address.rsplit(":")[-1]


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(listens):
            if entry >= len(own) or port(own[entry]) != port(address):
                return worker, entry
    return None
