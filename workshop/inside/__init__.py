"""What runs in a learner's session: of this package, the only part it sees."""
