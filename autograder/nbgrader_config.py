"""nbgrader reads this file: the settings stand in nbgrader_settings."""

from autograder.nbgrader_settings import configure

configure(get_config())  # noqa: F821 - nbgrader defines it
