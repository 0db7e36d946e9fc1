"""The course's own stamp."""

from course.jobs.spans import stamped

EXPECT = {"08/my_log": "RIGHT"}


def my_log(place, value, write):
    return stamped(value, lambda device, number: write(place, number))
