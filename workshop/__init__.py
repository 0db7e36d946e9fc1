"""A workshop: a JupyterHub for a room of learners on one Linux machine."""
