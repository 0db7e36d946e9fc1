"""What is known of this learner and this machine: progress, predictions, seed."""
