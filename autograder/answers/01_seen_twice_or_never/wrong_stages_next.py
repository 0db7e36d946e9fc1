"""Call next inside run."""

EXPECT = {"01/my_stages": "WRONG next_in_run"}


def my_stages():
    return [batch_rows, pull_inside]
