"""The live view of a room: how far its learners are, and their votes.

A service of a JupyterHub, started as `python -m workshop.room`.
"""
