"""Grading a class: from what learners handed in to gradebook, feedback and report."""
