"""What is said of connections that fail, and where a model is asked."""

from __future__ import annotations

import errno
import socket
import ssl

import pytest

from toolgauge.models.connection import (
    address_of,
    describe_fault,
    describe_redirect,
    shown_address,
    without_credentials,
)


class ConnectError(Exception):
    """As HTTP clients call it."""


class ReadError(Exception):
    """As HTTP clients call it when a connection that was there breaks."""


def raised(outer: Exception, inner: BaseException) -> Exception:
    outer.__cause__ = inner
    return outer


def refused() -> OSError:
    return ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 9)")


def not_accepted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "self-signed certificate"
    return error


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (refused(), "connection refused"),
        (ExceptionGroup("all attempts failed", [refused(), refused()]), "connection refused"),
        (socket.gaierror(-2, "Name or service not known"), "there is no such host (Name or service not known)"),
        (OSError(errno.EHOSTUNREACH, "No route"), "no route to the host"),
        (not_accepted(), "TLS: the certificate is not accepted (self-signed certificate)"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), "TLS: "),
        (OSError("All connection attempts failed"), "All connection attempts failed"),
    ],
)
def test_the_reason_is_named(inner: BaseException, reason: str) -> None:
    fault = describe_fault(raised(ConnectError("All connection attempts failed"), inner))
    assert fault.never_made
    assert fault.reason.startswith(reason)


def test_what_the_program_did_before_is_no_reason() -> None:
    """An event loop that is started while an error is handled has that error behind all that happens in it."""
    error = raised(ConnectError("failed"), refused())
    inner = error.__cause__
    assert inner is not None
    inner.__context__ = RuntimeError("no running event loop")
    assert describe_fault(error).reason == "connection refused"


def test_a_connection_that_broke_was_there() -> None:
    fault = describe_fault(raised(ReadError(""), ConnectionResetError(errno.ECONNRESET, "reset")))
    assert (fault.never_made, fault.reason) == (False, "connection reset")


@pytest.mark.parametrize(
    ("url", "server", "whole"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("https://me:secret@host/v1?key=k", "https://host", "https://host/v1"),
        ("http://[::1]:9/v1", "http://[::1]:9", "http://[::1]:9/v1"),
        ("http://host:port/", "", ""),
    ],
)
def test_an_address_is_shown_without_credentials(url: str, server: str, whole: str) -> None:
    assert (shown_address(url), without_credentials(url)) == (server, whole)


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:m", "OPENAI_BASE_URL"),
        ("openai-responses:m", "OPENAI_BASE_URL"),
        ("anthropic:m", "ANTHROPIC_BASE_URL"),
        ("ollama:m", "OLLAMA_BASE_URL"),
        ("azure:m", "AZURE_OPENAI_ENDPOINT"),
    ],
)
def test_the_environment_says_where_a_model_is_asked(name: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(variable, raising=False)
    assert address_of(name) is None
    monkeypatch.setenv(variable, "http://127.0.0.1:1/v1")
    assert address_of(name) == "http://127.0.0.1:1/v1"
    assert address_of(name, "http://127.0.0.1:2/v1") == "http://127.0.0.1:2/v1"


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://u:pw@other.example:8443/v1/x?key=1#k", "to https://other.example:8443"),
        ("//other.example/v1", "to http://other.example"),
        ("https://here.example/v1/chat", "to https://here.example"),
        ("/v2/chat?key=1", "to http://here.example/v2/chat"),
        ("chat/", "to http://here.example/v1/chat/"),
        ("", "without an address"),
        (None, "without an address"),
        ("http://[::1", "to an address that cannot be read"),
        ("http://other.example:99999/", "to an address that cannot be read"),
        ("javascript:alert(1)", "to an address that cannot be read"),
        ("file:///etc/passwd", "to an address that cannot be read"),
        ("/\x1b[31m\u202e", "to http://here.example/?[31m?"),
        ("/" + "a" * 500, "to http://here.example/" + "a" * 180 + "…"),
    ],
)
def test_where_a_redirect_points_to_is_said_without_what_nobody_should_see(location: str | None, said: str) -> None:
    asked = "http://me:pw@here.example/v1/chat?key=1"
    assert describe_redirect(302, location, asked) == f"HTTP 302 {said}"


@pytest.mark.parametrize("status", [200, 204, 304, 400, 404, 500])
def test_other_statuses_are_no_redirects(status: int) -> None:
    assert describe_redirect(status, "http://other.example", "http://here.example") == ""
