"""Does the course hold on older and newer versions of TensorFlow and Keras?

    python -m autograder.versions
    python -m autograder.versions colab --notebook 13 --no-answers

makes environments of their own (environments.toml), runs in each the solution notebooks
as Colab opens them, and every right answer, and writes measured.toml, of which the
README's table is built.
"""
