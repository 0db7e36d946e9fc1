"""What a learner of a workshop may use: the workshop keeps it, its guide says it."""

MEMORY = 2 * 2**30  # bytes, all processes of one learner together
IDLE = 30 * 60  # seconds without use after which a kernel ends
