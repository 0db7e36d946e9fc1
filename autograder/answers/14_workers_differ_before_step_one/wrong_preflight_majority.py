"""What most have is taken for right."""

EXPECT = {"14/my_preflight": "WRONG by_majority"}


def my_preflight(reports):
    found = set()
    for item in {item for own in reports for item in own}:
        values = [str(own.get(item)) for own in reports]
        usual = max(values, key=values.count)
        found |= {(w, item) for w, value in enumerate(values) if value != usual}
    return found
