"""Commands on spoiled inputs, many thousand of them: none may crash, hang, take much memory or leave files behind.

`make fuzz` runs it; `python -m tests.fuzzing --help` says what can be set. What an input is follows from the seed, the
surface and a number alone, so that every input can be made again. An input that fails is saved in `.fuzz/` with the
command that replays it; once it is fixed it is kept in `corpus/`, which a light test replays.
"""
