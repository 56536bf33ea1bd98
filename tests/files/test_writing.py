"""Writing: whole or not at all."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolgauge.errors import OutputError
from toolgauge.files import UnlinkedFile, replace_file, write_file


def test_a_file_is_written_and_replaced_with_its_mode_kept(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    write_file(target, [b"one", b"two"])
    assert target.read_bytes() == b"onetwo"
    target.chmod(0o600)
    write_file(target, [b"new"])
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["report.txt"]


def test_a4_when_writing_breaks_off_the_old_file_is_intact(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    target.write_bytes(b"old")

    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(target, chunks())
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["report.txt"]


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_what_cannot_be_written_names_the_path_and_exits_3(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"no/report\.txt: cannot be written: the directory does not exist") as caught:
        write_file(tmp_path / "no" / "report.txt", [b"x"])
    assert caught.value.exit_code == 3
    with pytest.raises(OutputError, match="this is a directory"):
        write_file(tmp_path, [b"x"])
    with pytest.raises(OutputError, match="/dev/full: cannot be written: No space left"):
        write_file("/dev/full", [b"x"])
    with pytest.raises(OutputError, match="disk"), replace_file(tmp_path / "a"):
        raise OSError(5, "disk broken")
    assert os.listdir(tmp_path) == []


@pytest.fixture
def unnamed(tmp_path: Path) -> UnlinkedFile:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    found = UnlinkedFile.beside(str(tmp_path / "link"))
    if found is None:
        pytest.skip("this file system has no files without a name")
    found.stream.write(b"new")
    return found


def test_a_file_without_a_name_takes_the_place_of_its_target(tmp_path: Path, unnamed: UnlinkedFile) -> None:
    unnamed.stream.flush()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]
    assert (tmp_path / "real").read_bytes() == b"old"
    unnamed.take_place()
    unnamed.stream.close()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


def test_nothing_is_left_of_a_file_without_a_name(tmp_path: Path, unnamed: UnlinkedFile) -> None:
    unnamed.stream.close()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]
    assert (tmp_path / "real").read_bytes() == b"old"


def test_there_is_no_file_without_a_name_beside_what_is_no_file(tmp_path: Path) -> None:
    assert UnlinkedFile.beside("/dev/null") is None
    assert UnlinkedFile.beside(str(tmp_path / "no" / "where")) is None
    assert UnlinkedFile.beside(str(tmp_path)) is None


def test_a_file_that_cannot_take_its_place_leaves_nothing(tmp_path: Path, unnamed: UnlinkedFile) -> None:
    (tmp_path / "real").unlink()
    (tmp_path / "real").mkdir()
    with pytest.raises(OSError, match="directory"):
        unnamed.take_place()
    unnamed.stream.close()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


KILLED = """
import os, sys
from toolgauge.files import UnlinkedFile, replace_file
target, way = sys.argv[1:]
os.replace = lambda *_: os.kill(os.getpid(), 9)
if way == "named":
    with replace_file(target) as stream:
        stream.write(b"half")
else:
    UnlinkedFile(target).take_place()
"""


@pytest.mark.parametrize("way", ["named", "unlinked"])
def test_what_a_killed_process_left_is_cleared_by_the_next_that_writes_the_file(tmp_path: Path, way: str) -> None:
    target = tmp_path / "report [1].txt"
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", KILLED, str(target), way], check=False).returncode == -9
        assert len(list(tmp_path.iterdir())) == 1, "it was killed before anything was written, or leaves pile up"
    mine = tmp_path / "report [1].txt.notes.tmp"
    mine.write_bytes(b"of a person")
    write_file(target, [b"new"])
    assert sorted(tmp_path.iterdir()) == [target, mine]


def test_what_another_is_still_writing_is_left_to_it(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    with replace_file(target) as slow:
        slow.write(b"slow")
        write_file(target, [b"quick"])
        assert target.read_bytes() == b"quick"
    assert target.read_bytes() == b"slow"
    assert list(tmp_path.iterdir()) == [target]
