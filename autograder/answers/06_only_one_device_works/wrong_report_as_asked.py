"""The same with a Counter."""

EXPECT = {"06/my_report": "WRONG as_asked"}


def my_report(concrete):
    counts = {}
    for op in concrete.graph.get_operations():
        if op.type == "MatMul":
            name = op.device.split("device:")[-1]
            counts.setdefault(name, 0)
            counts[name] += 1
    return counts
