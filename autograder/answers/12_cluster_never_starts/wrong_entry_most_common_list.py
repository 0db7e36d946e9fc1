"""What most workers believe must be right."""

EXPECT = {"12/my_wrong_entry": "WRONG most_common_list_believed"}


def my_wrong_entry(lists, listens):
    usual = max(lists, key=lists.count)
    for worker, own in enumerate(lists):
        for entry, address in enumerate(usual):
            if own[entry : entry + 1] != [address]:
                return worker, entry
    return None
