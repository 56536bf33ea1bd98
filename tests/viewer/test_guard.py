"""Who may ask the viewer, and how: H6 to H10 of what an evaluation tool has to survive."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from toolgauge.errors import UsageError
from toolgauge.viewer.guard import MAX_BODY
from toolgauge.viewer.query import MAX_ROWS
from toolgauge.web import host_names, listen
from toolgauge.web.connections import SILENT_SECONDS

from .serving import Viewer, kept, viewing

EVERYWHERE = "0.0.0.0"  # noqa: S104 - that is what is tested
REVIEW = msgspec.json.encode({"case": "d0", "verdict": "right"})


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    folder = tmp_path_factory.mktemp("guard")
    kept(folder / "runs.db")
    (folder / "secret.txt").write_text("secret", encoding="utf-8")
    with viewing(folder / "runs.db") as opened:
        yield opened


@pytest.fixture
def run(viewer: Viewer) -> str:
    return str(viewer.get("/api/runs")["rows"][0]["id"])


# --- H6: nothing of an address becomes a path


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "%2e%2e%2fsecret.txt",
        "%252e%252e%252fsecret.txt",
        "..\\secret.txt",
        "..%5csecret.txt",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "C:%5cWindows%5cwin.ini",
        "secret.txt%00.js",
        "runs.db",
        "a" * 5000,
    ],
)
@pytest.mark.parametrize("place", ["/static/{}", "/api/runs/{}/run", "/api/runs/{}/case?case=d0", "/{}"])
def test_no_path_leads_out(viewer: Viewer, place: str, name: str) -> None:
    answer = viewer.ask(place.format(name))
    assert answer.status in (400, 403, 404, 414)
    assert b"secret" not in answer.body.replace(b"secret.txt", b"")


def test_the_name_of_a_case_is_looked_up_and_no_more(viewer: Viewer, run: str) -> None:
    assert viewer.ask(f"/api/runs/{run}/case?case=../../secret.txt").status == 404


# --- H7: the host has to be ours, exactly


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}@evil.example",
        "evil.example:{port}",
        "[::1]:{port}.evil.example",
        "127.0.0.1:{port} evil",
        "",
        None,
    ],
)
def test_a_foreign_host_is_refused(viewer: Viewer, host: str | None) -> None:
    sent = None if host is None else host.format(port=viewer.place.port)
    assert viewer.ask("/", headers={"Host": sent}).status == 400


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_a_host_of_ours_is_answered(viewer: Viewer, host: str) -> None:
    assert viewer.ask("/", headers={"Host": host.format(port=viewer.place.port)}).status == 200


def test_two_hosts_are_refused(viewer: Viewer) -> None:
    request = f"GET / HTTP/1.1\r\nHost: {viewer.host}\r\nHost: evil.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", viewer.place.port), timeout=10) as connection:
        connection.sendall(request.encode())
        assert b" 400 " in connection.recv(200)


def test_a_machine_may_have_more_names() -> None:
    assert "eval.internal:7400" in host_names(EVERYWHERE, 7400, ["eval.internal"])
    assert not any(name.startswith(EVERYWHERE) for name in host_names(EVERYWHERE, 7400))
    assert {"[fe80::1]:80", "[fe80::1]"} <= host_names("fe80::1", 80)


# --- H8: other sites may not ask, and nothing changes without POST and the token


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_origin_is_refused(viewer: Viewer, run: str, origin: str, method: str) -> None:
    headers = {"Origin": origin.format(port=viewer.place.port), "X-Toolgauge-Token": viewer.place.token}
    body = REVIEW if method == "POST" else b""
    answer = viewer.ask(f"/api/runs/{run}/reviews", method, headers=headers, body=body)
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_fetch_of_another_site_is_refused_and_a_link_is_followed(viewer: Viewer, site: str) -> None:
    fetched = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    assert viewer.ask("/api/runs", headers=fetched).status == 403
    framed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert viewer.ask("/", headers=framed).status == 403
    followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert viewer.ask("/", headers=followed).status == 200


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_writing_needs_the_token(viewer: Viewer, run: str, token: str | None) -> None:
    answer = viewer.ask(f"/api/runs/{run}/reviews", "POST", headers={"X-Toolgauge-Token": token}, body=REVIEW)
    assert answer.status == 403
    assert viewer.get(f"/api/runs/{run}/reviews") == []


@pytest.mark.parametrize("path", ["reviews?case=d0&verdict=right", "make-case"])
def test_asking_changes_nothing(viewer: Viewer, run: str, path: str) -> None:
    for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
        headers = {"X-Toolgauge-Token": viewer.place.token}
        assert viewer.ask(f"/api/runs/{run}/{path}", method, headers=headers).status in (200, 405)
    assert viewer.get(f"/api/runs/{run}/reviews") == []


def test_there_are_no_websockets(viewer: Viewer) -> None:
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x", "Sec-WebSocket-Version": "13"}
    assert viewer.ask("/api/runs", headers=headers).status == 403


# --- H1: what is answered forbids what it does not need


def test_every_answer_has_a_strict_policy(viewer: Viewer, run: str) -> None:
    nonces = set()
    for path in ("/", f"/runs/{run}", "/static/app.js", "/api/runs", "/nothing", f"/api/runs/{run}/export.csv"):
        headers = viewer.ask(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'nonce-")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
        assert headers["cross-origin-resource-policy"] == "same-origin"
        nonces.add(policy.split("'nonce-")[1].split("'")[0])
    assert len(nonces) == 6


def test_pages_have_no_scripts_of_their_own(viewer: Viewer, run: str) -> None:
    html = viewer.ask(f"/runs/{run}").body.decode()
    assert html.count("<script") == 1
    assert " on" not in html.replace(" one", "").split("<body>")[1].split("<footer>")[0]
    assert "style=" not in html


# --- H9: others need the token


def test_bound_to_other_addresses_reading_needs_the_token_too(tmp_path: Path) -> None:
    kept(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db", host=EVERYWHERE) as viewer:
        assert viewer.place.address("/runs/x?lang=vi").endswith(f"&token={viewer.place.token}")
        for path in ("/", "/api/runs", "/static/app.js", "/?token=wrong"):
            assert viewer.ask(path).status == 403
        brought = viewer.ask(f"/history?metric=f1&token={viewer.place.token}")
        assert (brought.status, brought.headers["location"]) == (303, "/history?metric=f1")
        cookie = brought.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert viewer.ask("/api/runs", headers={"Cookie": cookie.partition(";")[0]}).status == 200
        assert viewer.ask(f"//evil.example/?token={viewer.place.token}").headers.get("location") == "/evil.example/"
        written = viewer.ask("/api/runs/x/reviews", "POST", headers={"Cookie": cookie.partition(";")[0]}, body=REVIEW)
        assert written.status == 403


def test_a_place_that_is_taken_or_not_ours_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match="--port"):
            listen("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(UsageError, match="not an address of this machine"):
        listen("not.a.host.invalid", 0)


# --- H10: limits


def test_too_much_at_once_is_refused(viewer: Viewer, run: str) -> None:
    large = b" " * (MAX_BODY + 1)
    headers = {"X-Toolgauge-Token": viewer.place.token}
    assert viewer.ask(f"/api/runs/{run}/reviews", "POST", headers=headers, body=large).status == 413
    lied = headers | {"Content-Length": "nothing"}
    assert viewer.ask(f"/api/runs/{run}/reviews", "POST", headers=lied, body=b"").status in (400, 413)
    assert viewer.ask("/api/runs?q=" + "x" * 9000).status == 414


def test_no_page_is_larger_than_its_limit(viewer: Viewer, run: str) -> None:
    found = viewer.get(f"/api/runs/{run}/cases", limit=10**9, offset=-5)
    assert len(found["rows"]) <= MAX_ROWS
    assert viewer.get(f"/api/runs/{run}/cases", offset=10**8)["rows"] == []
    assert len(viewer.get("/api/runs", limit=10**9)["rows"]) == 1


def test_beyond_the_limit_of_connections_the_silent_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path / "runs.db")
    monkeypatch.setattr("toolgauge.viewer.server.MAX_CONNECTIONS", 20)
    with viewing(tmp_path / "runs.db") as viewer, ExitStack() as waiting:
        for _ in range(5):
            for _ in range(20):
                waiting.enter_context(socket.create_connection(("127.0.0.1", viewer.place.port), timeout=10))
            assert viewer.ask("/api/runs").status == 200


def test_slow_clients_keep_nobody_out_and_are_let_go(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SILENT_SECONDS <= 10
    monkeypatch.setattr("toolgauge.web.connections.SILENT_SECONDS", 0.5)
    waiting = [socket.create_connection(("127.0.0.1", viewer.place.port), timeout=10) for _ in range(300)]
    try:
        for one in waiting[::2]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        begun = time.monotonic()
        assert viewer.ask("/api/runs").status == 200
        assert time.monotonic() - begun < 5
        time.sleep(0.8)
        assert [one for one in waiting if one.recv(1)] == []
    finally:
        for one in waiting:
            one.close()
