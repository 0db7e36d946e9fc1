"""One module for each notebook: its prediction, its exercises, their mistakes."""
