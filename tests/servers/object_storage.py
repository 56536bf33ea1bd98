"""Object storage on loopback, of files in a folder: what clients send to S3, Google and Azure to read, and no more.

For Azure there is an emulator of Microsoft's, which needs Node, and those for Google that Python can install know
neither HEAD nor the lists that clients ask for. So this answers the requests that were seen: an object or a range of
it, what is known of it, and lists in pages. It checks no credentials, only that there are some where `wants` says so.
Bytes go from the file to the socket without passing through Python: what is measured against it is the one who reads.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

__all__ = ["ACCOUNT", "ObjectStorage", "object_storage"]

ACCOUNT = "account"
"""What addresses of Azure begin with."""

Kind = Literal["s3", "gs", "az"]


class ObjectStorage:
    """A server, and what it was asked for."""

    def __init__(self, folder: Path, kind: Kind, *, page: int = 1000, wants: str = "", wait: float = 0.0) -> None:
        """Make ready.

        Args:
            folder: Below it, a folder for each bucket or container.
            kind: Whose requests are answered.
            page: How many objects a list names at once.
            wants: What the header `Authorization` has to begin with.
            wait: Seconds before each answer, as over a network.
        """
        self.folder = folder
        self.kind = kind
        self.page = page
        self.wants = wants
        self.wait = wait
        self.asked: list[str] = []
        """Method, path and range of each request."""
        self.port = 0

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}" + (f"/{ACCOUNT}" if self.kind == "az" else "")

    def environment(self) -> dict[str, str]:
        """The variables that lead clients to it."""
        if self.kind == "s3":
            keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
            return {"AWS_ENDPOINT_URL": self.address, **keys}
        if self.kind == "gs":
            return {"STORAGE_EMULATOR_HOST": self.address}
        keys = {"AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT, "AZURE_STORAGE_ACCOUNT_KEY": "c2VjcmV0"}
        return {"AZURE_STORAGE_ENDPOINT": self.address, **keys}


@contextmanager
def object_storage(
    folder: Path, kind: Kind, *, page: int = 1000, wants: str = "", wait: float = 0.0
) -> Iterator[ObjectStorage]:
    """A server that runs, and is gone afterwards."""
    storage = ObjectStorage(folder, kind, page=page, wants=wants, wait=wait)
    handler = type("Handler", (_Handler,), {"storage": storage})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        storage.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield storage
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    storage: ObjectStorage
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        time.sleep(self.storage.wait)
        parts = urlsplit(self.path)
        names = unquote(parts.path).strip("/").split("/", 2 if self.storage.kind == "az" else 1)
        if self.storage.kind == "az":
            del names[0]
        self.storage.asked.append(f"{self.command} {unquote(parts.path)} {self.headers.get('Range', '')}".rstrip())
        if not self.headers.get("Authorization", "").startswith(self.storage.wants):
            self._refuse(HTTPStatus.FORBIDDEN)
        elif len(names) == 1:
            self._list(self.storage.folder / names[0], parse_qs(parts.query))
        else:
            self._give(self.storage.folder / names[0] / names[1])

    def _refuse(self, status: HTTPStatus) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _give(self, path: Path) -> None:
        """An object, a range of it, or only what is known of it."""
        if not path.is_file():
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        with path.open("rb") as file:
            known = os.fstat(file.fileno())
            begin, end = 0, known.st_size
            # Azure has a header of its own for the same.
            asked = self.headers.get("x-ms-range") or self.headers.get("Range", "")
            if asked:
                first, _, last = asked.removeprefix("bytes=").partition("-")
                begin, end = int(first), min(int(last) + 1 if last else end, end)
            self.send_response(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK)
            if asked:
                self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{known.st_size}")
            self.send_header("Content-Length", str(end - begin))
            self.send_header("ETag", f'"{known.st_mtime_ns:x}-{known.st_size:x}"')
            self.send_header("Last-Modified", formatdate(known.st_mtime, usegmt=True))
            self.send_header("x-ms-blob-type", "BlockBlob")
            self.end_headers()
            while self.command == "GET" and begin < end:
                begin += os.sendfile(self.connection.fileno(), file.fileno(), begin, end - begin)

    def _list(self, bucket: Path, query: dict[str, list[str]]) -> None:
        prefix = query.get("prefix", [""])[0]
        names = sorted(path.relative_to(bucket).as_posix() for path in bucket.rglob("*") if path.is_file())
        names = [name for name in names if name.startswith(prefix)]
        after = query.get("marker" if self.storage.kind == "az" else "continuation-token", [""])[0]
        left = [name for name in names if name > after]
        page, more = left[: self.storage.page], len(left) > self.storage.page
        draw = _azure_list if self.storage.kind == "az" else _bucket_list
        data = draw([(name, (bucket / name).stat()) for name in page], page[-1] if more else "").encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _bucket_list(found: list[tuple[str, os.stat_result]], token: str) -> str:
    rows = "".join(
        f"<Contents><Key>{escape(name)}</Key><LastModified>2026-01-31T10:00:00.000Z</LastModified>"
        f"<Size>{known.st_size}</Size><ETag>x</ETag></Contents>"
        for name, known in found
    )
    rest = f"<NextContinuationToken>{escape(token)}</NextContinuationToken>" if token else ""
    return f"<ListBucketResult><IsTruncated>{str(bool(token)).lower()}</IsTruncated>{rest}{rows}</ListBucketResult>"


def _azure_list(found: list[tuple[str, os.stat_result]], token: str) -> str:
    rows = "".join(
        f"<Blob><Name>{escape(name)}</Name><Properties><Last-Modified>Sat, 31 Jan 2026 10:00:00 GMT</Last-Modified>"
        f"<Content-Length>{known.st_size}</Content-Length><Content-Type>text/plain</Content-Type><Etag>x</Etag>"
        f"</Properties></Blob>"
        for name, known in found
    )
    return f"<EnumerationResults><Blobs>{rows}</Blobs><NextMarker>{escape(token)}</NextMarker></EnumerationResults>"
