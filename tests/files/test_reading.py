"""Opening files: encodings, line endings, and what cannot be opened."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.errors import InputError
from toolgauge.files import InputFile, reading


def lines(path: Path, data: bytes) -> list[tuple[int, bytes]]:
    path.write_bytes(data)
    with InputFile(path) as source:
        return list(source.lines())


def refusal(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(InputError) as caught, InputFile(path) as source:
        list(source.text_lines())
    return str(caught.value)


def test_lf_crlf_and_cr_may_be_mixed(tmp_path: Path) -> None:
    assert lines(tmp_path / "a", b"one\r\ntwo\n\nfour\rfive") == [
        (1, b"one"),
        (2, b"two"),
        (3, b""),
        (4, b"four"),
        (5, b"five"),
    ]


def test_f2_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    assert lines(tmp_path / "a", b"\xef\xbb\xbfone\n") == [(1, b"one")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_f2_wide_encodings_are_refused_with_what_to_do(tmp_path: Path, encoding: str) -> None:
    message = refusal(tmp_path / "a.csv", "query,tools\n".encode(encoding))
    assert "a.csv:1:1: this is UTF-" in message
    assert "byte offset 0" in message
    assert "save it as UTF-8" in message


def test_f2_invalid_utf8_is_named_by_line_and_byte_offset(tmp_path: Path) -> None:
    message = refusal(tmp_path / "a.csv", "\ufefftốt\r\nkhông\n".encode() + b"caf\xe9\n")
    offset = len("\ufefftốt\r\nkhông\ncaf".encode())
    assert message.endswith(f"a.csv:3: byte 0xe9 at byte offset {offset} is not UTF-8; save it as UTF-8")


def test_invalid_utf8_in_a_whole_text_is_named_by_the_same_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: b\r\nc: \xff\n")
    with InputFile(path) as source, pytest.raises(InputError, match=r"a\.yaml:2: byte 0xff at byte offset 12 "):
        source.text(1000)


def test_a_missing_file_a_directory_and_a_bad_path_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.yaml: there is no such file"):
        InputFile(tmp_path / "missing.yaml")
    with pytest.raises(InputError, match="this is a directory; name a file"):
        InputFile(tmp_path)
    with pytest.raises(InputError, match="this is not a valid path"):
        InputFile("a\0b")


def test_a_device_can_be_read_like_a_file() -> None:
    with InputFile("/dev/null") as source:
        assert source.blank
        assert list(source.lines()) == []


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\r", b"b" * 20, b"c" * 50, b"d" * 300])).map(b"".join))
def test_blocks_are_whole_lines_and_lines_are_numbered_across_them(data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(reading, "PIECE", 16)
        patch.setattr(reading, "LONG", 5)
        path = Path(folder) / "a"
        path.write_bytes(data)
        with InputFile(path) as source:
            blocks = list(source.blocks())
        assert b"".join(blocks) == data
        assert all(block.endswith(b"\n") for block in blocks[:-1])
        expected = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")
        assert lines(path, data) == (list(enumerate(expected, 1)) if data else [])


def test_a_line_that_is_too_long_is_named_by_its_number_in_blocks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", 16)
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n" + b"x" * 100 + b"\n" + b"y" * 101 + b"\nlast\n")
    with InputFile(path) as source:
        assert b"".join(source.blocks(101)).endswith(b"last\n")
        for read in (source.blocks, source.lines):
            with pytest.raises(InputError, match=r"a:5: this line is longer than 100 bytes"):
                list(read(100))
