"""Look for the two visits in the list, no state."""

EXPECT = {"09/my_first_stall": "RIGHT"}


def my_first_stall(visits, slack):
    for i, (stage, micro, begin, _) in enumerate(visits):
        same = [e for s, _, _, e in visits[:i] if s == stage]
        before = [e for s, m, _, e in visits if s == stage - 1 and m == micro]
        late = begin - max([0, *same, *before])
        if late > slack:
            return [stage, micro, late]
