"""A static site of the course: a page for each failure, from executed notebooks.

`course site` runs the solution notebooks once and keeps them by content, writes pages
of them for Sphinx with MyST-NB, and builds; what comes out works from a file.
"""
