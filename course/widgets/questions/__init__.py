"""Eight questions about jobs that are not in the course, asked before it and after."""

from course.widgets.questions.asking import ask
from course.widgets.questions.comparing import compare, export

__all__ = ["ask", "compare", "export"]
