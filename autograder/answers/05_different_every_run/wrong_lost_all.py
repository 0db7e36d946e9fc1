"""The sum of all losses."""

EXPECT = {"05/my_lost_update": "WRONG all_losses"}


def my_lost_update(events):
    held, seen, found = None, {}, []
    for index, (thread, kind, value) in enumerate(events):
        if kind == "read":
            seen[thread] = value
        else:
            if held is not None and seen[thread] != held:
                found.append((index, held - seen[thread]))
        held = value
    return (found[0][0], sum(f[1] for f in found)) if found else None
