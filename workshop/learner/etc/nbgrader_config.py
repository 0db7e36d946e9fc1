"""nbgrader in a learner's session: the course, and the exchange behind the wall."""

c = get_config()  # noqa: F821 - nbgrader defines it
c.CourseDirectory.course_id = "tf-parallel-course"
c.Exchange.root = "/srv/exchange"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "feedback", "*.pyc", "__pycache__"]
