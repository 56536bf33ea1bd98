"""The sample project is tested from outside, by a pytest of its own."""

collect_ignore = ["sample"]
