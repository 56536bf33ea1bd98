"""The words of an agent as far as calls may be written in them, and the messages that answer such calls."""

from __future__ import annotations

from .context import ReadContext
from .made_calls import MadeCall
from .textcalls.commands import holds_command, read_commands
from .textcalls.reading import Doubt, WrittenText
from .textcalls.results import WrittenResults, is_observed, read_results
from .textcalls.values import WrittenCall

__all__ = ["SpokenCalls"]

COMMANDS = "bash"


class SpokenCalls:
    """Keeps what an agent said last until it is known whether it called something otherwise than in words."""

    def __init__(self, context: ReadContext, *, reads_words: bool) -> None:
        self._context = context
        self._texts = context.text_calls
        self._reads_words = reads_words or context.text_calls.everywhere
        self._said: str | None = None
        self._style = ""
        """How the calls are written that were found so far."""
        self.unread: str | None = None
        """What the agent said last, as long as calls may be written in it that were not looked for yet."""
        self.read: str | None = None
        """The words in which the last calls were written."""
        self.made: list[MadeCall] = []
        """The calls that were written in words."""

    def say(self, words: str) -> None:
        """The agent says something."""
        self._said = words
        if self._style or self._texts.may_hold(words):
            self.unread = words

    def expect_commands(self) -> None:
        """Take every block of code that the agent writes for a command, which a shell is to run."""
        if not self._texts.off:
            self._style = COMMANDS

    def settle(self) -> WrittenText | None:
        """What is written in the words that were not read yet; None where that is no call."""
        words, self.unread = self.unread, None
        if words is None:
            return None
        found = self._texts.read(words) if self._reads_words else None
        if found is None and self._style == COMMANDS:
            found = WrittenText(COMMANDS, [*read_commands(words)])
        if found is not None and (found.steps or found.style == self._style or (found.answer and found.acted)):
            return self._counted(found, words)
        self._context.note_doubt(self._texts.doubt(words), words)
        return None

    def command_before(self, observed: str) -> WrittenText | None:
        """The command in what the agent said last, if a message answers it as a shell does."""
        said, self._said = self._said, None
        if said is None or self._texts.off or not holds_command(said) or not is_observed(observed):
            return None
        commands = read_commands(said)
        return self._counted(WrittenText(COMMANDS, [*commands]), said) if commands else None

    def results_in(self, words: str) -> WrittenResults | None:
        """The results in a message that answers calls; None where it answers none."""
        return None if all(made.answered for made in self.made) else read_results(words)

    def waiting_for(self, tool: str) -> MadeCall | None:
        """A call of a tool that has no result yet."""
        return next((made for made in self.made if not made.answered and made.tool == tool), None)

    def _counted(self, found: WrittenText, words: str) -> WrittenText:
        calls = [step for step in found.steps if isinstance(step, WrittenCall)]
        if calls:
            self._context.report.count_written(found.style, len(calls))
        if found.broken:
            self._context.note_doubt(Doubt(found.style, readable=False), words)
        for call in calls:
            if call.unnamed:
                self._context.note_loss("an argument of a call without a name is left out", call.unnamed)
        self._style, self.read = found.style, words
        return found
