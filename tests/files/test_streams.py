"""A part of a file reads as a file of its own."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from toolgauge.files import Chunk, InputFile
from toolgauge.files.streams import open_window


def test_a_part_reads_as_a_file_of_its_own(tmp_path: Path) -> None:
    dice = Random(4)
    data = b"\n".join(b"x" * dice.randint(0, 900) for _ in range(2000)) + b"\n"
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.write_bytes(data)
    for _ in range(20):
        begin, end = sorted(dice.sample(range(len(data)), 2))
        part.write_bytes(data[begin:end])
        with open_window(whole.open("rb", buffering=0), begin, end) as window, part.open("rb") as alone:
            assert window.read() == alone.read()
            for _ in range(30):
                offset, size = dice.randint(0, end - begin + 10), dice.choice([1, 100, 300_000])
                assert window.seek(offset) == alone.seek(offset)
                assert window.read(size) == alone.read(size)
                assert window.readline() == alone.readline()
                assert window.tell() == alone.tell()
            assert window.seek(0, os.SEEK_END) == alone.seek(0, os.SEEK_END)
        with InputFile(whole, Chunk(begin, end)) as window_of_lines, InputFile(part) as lines:
            assert list(window_of_lines.lines()) == list(lines.lines())
