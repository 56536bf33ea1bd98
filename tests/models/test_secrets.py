"""Credentials are known by where they come from, and taken out wherever they turn up."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import JsonValue
from toolgauge.secrets import Secrets

VALUE = 'p@ss "w/ord"+ñ\\9'
SECRETS = Secrets({"DB_PASSWORD": VALUE})
MARK = "[redacted DB_PASSWORD]"


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "CLIENT_SECRET",
        "PGPASSWORD",
        "PASSWORD_FOR_DB",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "apikey",
        "MY_CREDENTIALS",
        "GITHUB_PAT",
        "DB_PWD",
        "SMTP_PASS",
        "MY_JWT",
        "JWT_FOR_TESTS",
        "SESSION_COOKIE",
        "PROXY_AUTH",
        "AUTH_HEADER",
        "NPM_CONFIG__AUTH",
    ],
)
def test_variables_named_like_credentials_are_known(name: str) -> None:
    secrets = Secrets.from_environment({name: "0123456789"})
    assert secrets.redact("a 0123456789 b") == f"a [redacted {name}] b"


@pytest.mark.parametrize(
    "name",
    [
        "HOME",
        "TOKENIZERS_PARALLELISM",
        "KEYBOARD_LAYOUT",
        "SSL_KEY_FILE",
        "SECRET_PATH",
        "MONKEYS",
        "MAX_TOKENS",
        "PWD",
        "OLDPWD",
        "PATH",
        "SSH_AUTH_SOCK",
        "GIT_AUTHOR_EMAIL",
        "XAUTHORITY",
        "COMPAT",
        "BYPASS",
    ],
)
def test_other_variables_are_not(name: str) -> None:
    assert Secrets.from_environment({name: "0123456789"}).redact("0123456789") == "0123456789"


def test_short_values_are_left_alone() -> None:
    assert len(Secrets.from_environment({"API_KEY": "1234567"})) == 0
    assert len(Secrets.from_environment({"API_KEY": "12345678"})) == 1


def test_what_urls_and_headers_carry_is_known() -> None:
    secrets = Secrets.from_environment({"DATABASE_URL": "postgres://me:hunter2hunter2@db/x"}).including(
        headers={"Authorization": "Bearer abcdefghij", "X-Api-Key": "klmnopqrst", "Accept": "application/json"},
        url="https://host.test/v1?api_key=uvwxyz0123&page=application",
    )
    text = "hunter2hunter2 abcdefghij klmnopqrst uvwxyz0123 application/json application me"
    assert secrets.redact(text) == (
        "[redacted DATABASE_URL.password] [redacted Authorization] [redacted X-Api-Key] [redacted URL.api_key] "
        "application/json application me"
    )


def test_a_url_that_is_none_holds_nothing() -> None:
    assert len(Secrets.from_environment({"NOTE": "see http://[half an address"})) == 0


@pytest.mark.parametrize(
    "form",
    [
        VALUE,
        json.dumps(VALUE)[1:-1],
        json.dumps(VALUE, ensure_ascii=False)[1:-1],
        quote(VALUE),
        quote(VALUE, safe=""),
        quote_plus(VALUE),
        base64.b64encode(VALUE.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(VALUE.encode()).decode().rstrip("="),
    ],
)
def test_every_form_of_a_value_is_found(form: str) -> None:
    assert SECRETS.redact(f"before {form} after") == f"before {MARK} after"
    assert SECRETS.redact(f"before {form} after".encode()) == f"before {MARK} after".encode()


@given(st.binary(max_size=7), st.binary(max_size=7))
def test_a_value_inside_longer_base64_is_found(before: bytes, after: bytes) -> None:
    value = "sk-0123456789-abcdefgh"
    encoded = base64.b64encode(before + value.encode() + after).decode()
    redacted = Secrets({"K": value}).redact(encoded)
    assert "[redacted K]" in redacted
    left = redacted.replace("[redacted K]", "")
    # At the edges a character is shared with what stands beside the value.
    assert len(left) <= len(encoded) - len(base64.b64encode(value.encode())) + 4


def test_objects_are_looked_through_with_their_keys() -> None:
    value: JsonValue = {"a": [1, None, {"b": f"x{VALUE}"}], VALUE: True, "c": 2.5}
    assert SECRETS.redact(value) == {"a": [1, None, {"b": f"x{MARK}"}], MARK: True, "c": 2.5}


def test_what_holds_no_credential_is_the_same_object() -> None:
    value: JsonValue = {"a": [1, None, {"b": "x"}], "c": 2.5}
    assert SECRETS.redact(value) is value
    text = "nothing here" * 10
    assert SECRETS.redact(text) is text


def test_a_value_inside_another_leaves_nothing_behind() -> None:
    secrets = Secrets({"SHORT_KEY": "abcdefgh", "LONG_KEY": "abcdefgh-ijklmnop"})
    assert secrets.redact("abcdefgh-ijklmnop abcdefgh") == "[redacted LONG_KEY] [redacted SHORT_KEY]"


def test_a_value_that_is_no_utf8_does_no_harm() -> None:
    secrets = Secrets.from_environment({"MY_KEY": "abc\udcff\udcfe0123456"})
    assert secrets.redact("x abc\udcff\udcfe0123456") == "x [redacted MY_KEY]"


@given(st.text(min_size=8, max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_no_plain_value_is_left(value: str, before: str, after: str) -> None:
    redacted = Secrets({"K": value}).redact(before + value + after)
    assert value not in redacted or value in "[redacted K]"


def test_json_stays_json_where_a_credential_is_a_number() -> None:
    secrets = Secrets({"PIN_PASSWORD": "12345678"})
    data = json.dumps({"n": 12345678, "x": [912345678.5, 'a "12345678"'], "12345678": "b"}).encode()
    mark = "[redacted PIN_PASSWORD]"
    assert json.loads(secrets.redact(data)) == {"n": 12345678, "x": [912345678.5, f'a "{mark}"'], mark: "b"}
