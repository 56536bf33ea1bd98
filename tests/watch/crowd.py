"""Opens connections, sends a byte on each now and then if asked to, and holds them until its input ends.

    python -m tests.watch.crowd PORT COUNT KIND

A process of its own, since a process may have only so many files open.
"""

from __future__ import annotations

import select
import socket
import sys
from contextlib import suppress

KINDS = {
    "silent": b"",
    "part of a head": b"POST /v1/traces HTTP/1.1\r\nHost: 127",
    "slow body": b"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/x-protobuf\r\n"
    b"Content-Length: 1000000\r\n\r\n",
}
EVERY_SECONDS = 0.2


def main() -> None:
    port, count, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    opening = KINDS[kind].replace(b"%d", b"%d" % port)
    held = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        with suppress(ConnectionError):  # it may have had to make room already
            connection.sendall(opening)
        held.append(connection)
    sys.stdout.write(f"{len(held)}\n")
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], EVERY_SECONDS)[0]:
        for connection in held if opening else ():
            with suppress(ConnectionError):
                connection.sendall(b"x")


if __name__ == "__main__":
    main()
