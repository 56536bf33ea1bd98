"""Commands that are killed at any moment: nothing finished is lost, nothing counts twice, nothing stays behind.

`make kill` runs it; `python -m tests.killing --help` says what can be set.
"""
