"""Real HTTP servers on loopback that answer as model providers do, or fail as they do.

A server runs in a thread of the test process with an event loop of its own, so it serves a test that runs asyncio, a
child process, and a command line alike. It is told what to answer by a script: a function from what was asked to an
answer, or a list of answers to give one after the other.

    def script(asked: Asked) -> Answer:
        if asked.results:                                        # what tools gave back so far
            return ModelReply(text=f"It is {asked.results[-1]}.")
        return ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}),))

    with OpenAIServer(script) as server:                         # or AnthropicServer
        model = open_model("openai:any-name", base_url=server.base_url)
        ...
        assert len(server.requests) == 2

An answer is a `ModelReply`, written in the layout of the provider (ids of calls and usage are made up where they are
missing), or a fault:

    Reply(429, headers={"Retry-After": "2"})       any status, headers and body: HTML with 200, an empty body, cut JSON
    BreaksOff(sent=40)                             promises a longer body, sends so many bytes of it, and closes
    Resets(sent=40)                                the same, and the connection is reset
    Silent()                                       takes the request and never answers
    Dribbles(seconds=0.05)                         a slow-loris body: a byte now and then, for ever
    Later(seconds=0.1, answer=...)                 an answer that takes its time
    ModelReply / Reply inside a list               one after the other; when the list is over, 400 says so

What a conversation has to look like is checked as the providers check it (every call answered, no answer without a
call, roles in turn); what does not fit is answered by 400. With `key` the server wants that key and answers 401 to any
other. `server.requests` holds every request as it came, `server.asked` what was understood of it, `server.most_at_once`
the largest number of requests that were being answered at one time.
"""

from .anthropic_messages import AnthropicServer
from .chat_completions import OpenAIServer
from .script import Answer, Asked, BreaksOff, Dribbles, Later, Reply, Request, Resets, Script, Silent
from .serving import Server, unused_port

__all__ = [
    "Answer",
    "AnthropicServer",
    "Asked",
    "BreaksOff",
    "Dribbles",
    "Later",
    "OpenAIServer",
    "Reply",
    "Request",
    "Resets",
    "Script",
    "Server",
    "Silent",
    "unused_port",
]
