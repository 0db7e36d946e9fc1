"""Draw the README's picture: notebook 02's figure, from a real run of its code."""

from __future__ import annotations

from pathlib import Path

from autograder.places import HERE

NOTEBOOK = "02_replicas_drift_apart"
PICTURE = HERE.parent / "images" / "replicas_drift_apart.png"
CELLS = ("start", "tools", "my_step-broken", "run-broken")


def draw(cells: dict[str, str]) -> bytes:
    """Run the notebook's cells up to its first figure; return that as a PNG file.

    Takes cell id -> code, as the source has them.
    """
    from course.pictures.picture import png

    shown = []
    namespace = {"show": None}
    for name in CELLS:
        code = compile(cells[name], f"{NOTEBOOK} {name}", "exec")
        if name == "run-broken":
            namespace["show"] = lambda picture, **options: shown.append(picture)
        exec(code, namespace)
    return png(shown[0])


def notebook_cells() -> dict[str, str]:
    """Return notebook 02's code cells by id."""
    from autograder.places import course_places
    from autograder.source import read_source

    source = read_source(course_places(HERE.parent).source(NOTEBOOK))
    return {cell.id: cell.text for cell in source.cells if cell.kind == "code"}


def main(path: Path = PICTURE) -> None:
    """Write the picture."""
    path.write_bytes(draw(notebook_cells()))
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
