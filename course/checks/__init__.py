"""Judge what a learner wrote: exercises, verdicts, deadlines, and words for them."""
