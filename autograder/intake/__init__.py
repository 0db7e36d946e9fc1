"""Take submissions in: from folders, zips, and the exports of Canvas and Moodle."""

from autograder.intake.collect import Found, Submission, find_submissions
from autograder.intake.held_back import HeldBack

__all__ = ["Found", "HeldBack", "Submission", "find_submissions"]
