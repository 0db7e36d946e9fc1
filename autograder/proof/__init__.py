"""Observe once, judge always: what known answers gave is kept and judged every time."""
