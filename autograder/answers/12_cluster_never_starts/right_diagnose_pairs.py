"""Lists of pairs, made into a set."""

EXPECT = {"12/my_diagnose": "RIGHT"}


def my_diagnose(configs):
    full = [(w, c) for w, c in enumerate(configs) if c]
    index = {w: c["task"]["index"] for w, c in full if "index" in c.get("task", ())}
    same = {w: sum(c["cluster"] == d["cluster"] for _, d in full) for w, c in full}
    pairs = [(w, "alone") for w, c in enumerate(configs) if not c]
    pairs += [(w, "other cluster") for w, n in same.items() if n <= len(configs) // 2]
    pairs += [(w, "no task") for w, _ in full if w not in index]
    for w, i in index.items():
        pairs += [(w, "index twice")] * (list(index.values()).count(i) > 1)
        try:
            configs[w]["cluster"]["worker"][i]
        except IndexError:
            pairs.append((w, "index out of range"))
    return set(pairs)
