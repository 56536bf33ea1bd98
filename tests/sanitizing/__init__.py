"""The compiled part under the sanitizers of the C compiler, for addresses, leaks and undefined behaviour.

`make sanitize` runs it; `python -m tests.sanitizing --help` says what can be set.
"""
