"""An address passes where anybody listens."""

EXPECT = {"12/my_wrong_entry": "WRONG anybody_listens"}


def my_wrong_entry(lists, listens):
    for worker, own in enumerate(lists):
        for entry, address in enumerate(own):
            if address not in listens:
                return worker, entry
    return None
