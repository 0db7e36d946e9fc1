"""What a learner clicks on: predictions, films, questions."""
