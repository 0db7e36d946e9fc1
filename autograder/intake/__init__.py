"""Take submissions in: from folders, zips, and the exports of Canvas and Moodle."""

from autograder.intake.collect import Found, Submission, find_submissions

__all__ = ["Found", "Submission", "find_submissions"]
