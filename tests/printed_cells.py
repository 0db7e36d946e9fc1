"""A notebook's cells, run by the tests of its room as they are printed."""

from pathlib import Path

from autograder.source import read_source


class PrintedCells(dict):
    """The cells of the notebook in whose room a test is: identifier -> text.

    file: the test's `__file__`.
    given: names that all cells know.
    """

    def __init__(self, file, **given):
        room = Path(file).parent
        source = read_source(room / f"{room.name}.py")
        super().__init__((cell.id, cell.text) for cell in source.cells)
        self._given = given

    def run(self, *ids, **names):
        """Execute cells in turn, which know `names` too; return all their names."""
        names = {**self._given, **names}
        for each in ids:
            exec(compile(self[each], each, "exec"), names)
        return names
