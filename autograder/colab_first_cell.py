"""The first cell of each notebook in Colab; it stands in a cell without this text."""

# @title Installs the course where it is missing; changes nothing that is there
import importlib.util, pathlib, subprocess, sys, tempfile, time

began = time.monotonic()
if importlib.util.find_spec("course") is None:
    pip = [sys.executable, "-m", "pip"]
    kept = pathlib.Path(tempfile.mkdtemp(), "kept.txt")  # what is there, by its version
    freeze = [*pip, "freeze", "--all", "--exclude-editable"]
    kept.write_bytes(subprocess.check_output(freeze))
    install = [*pip, "install", "--quiet", "--constraint", str(kept), "SOURCE"]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"The course could not be installed:\n{done.stderr[-2000:]}")
    importlib.invalidate_caches()
from course.learner.machine import found_here

print(f"{found_here()}. Ready after {time.monotonic() - began:.0f} s.")
