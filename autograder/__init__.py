"""The `course` command: start, build, check and grade the notebooks."""
