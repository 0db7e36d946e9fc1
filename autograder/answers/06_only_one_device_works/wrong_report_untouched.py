"""The shipped code with a docstring."""

EXPECT = {"06/my_report": "NOT ATTEMPTED"}


def my_report(concrete):
    """Count."""
    operations = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    asked = [op.device.split("device:")[-1] for op in operations]
    return {name: asked.count(name) for name in asked}  # by name
