"""How a kernel starts: forked from a warm server, caged where a class is graded."""
