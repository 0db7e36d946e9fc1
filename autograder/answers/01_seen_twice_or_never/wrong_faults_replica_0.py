"""Replica 0 only, written differently."""

EXPECT = {"01/my_first_faults": "WRONG replica_0_only"}


def my_first_faults(steps, rows):
    own = [row for step in steps for row in step[0]]
    again = [row for i, row in enumerate(own) if row in own[:i]]
    never = [row for row in range(rows) if row not in own]
    return (again or [None])[0], (never or [None])[0]
