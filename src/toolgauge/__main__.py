"""Lets `python -m toolgauge` do what the command `toolgauge` does."""

from .cli import main

main()
