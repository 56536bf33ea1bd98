"""Errors, notes, progress and help in Vietnamese: all of them, with the same values, and nothing else touched."""

from __future__ import annotations

import ast
import json
import lzma
import re
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolgauge.catalogue
from tests.cli.running import toolgauge as command
from toolgauge.catalogue import LANGUAGES
from toolgauge.catalogue.speaking import click_words, translated

from . import templates

FOLDER = Path(toolgauge.catalogue.__file__).parent / "messages"
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
SAVED = Path(__file__).parent.parent / "frozen" / "saved"

FOR_DEVELOPERS = {
    "Could not determine name for option with declarations {decls!r}",
    "No options defined but a name was passed ({name}). Did you mean to declare an argument instead? Did you mean to "
    "pass '--{name}'?",
    "Arguments take exactly one parameter declaration, got {length}: {decls}.",
    "Name '{name}' defined twice",
    "Boolean option {decl!r} cannot use the same flag for true/false.",
    "Invalid start character for option ({option})",
}
"""What click says to those who write commands."""


def messages(lang: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("lang", OTHERS)
def test_every_message_of_the_code_is_there(lang: str) -> None:
    known = messages(lang)
    missing = [f"{module}: {text}" for text, module in templates.of_code().items() if text not in known]
    assert not missing, f"say these in messages/{lang}.json:\n" + "\n".join(missing)


@pytest.mark.parametrize("lang", OTHERS)
def test_no_message_is_there_that_the_code_does_not_have(lang: str) -> None:
    assert not messages(lang).keys() - templates.of_code().keys()


@pytest.mark.parametrize("lang", OTHERS)
def test_messages_have_the_same_places(lang: str) -> None:
    for english, meant in messages(lang).items():
        assert places(meant) == places(english), english
        assert meant.strip() == meant, english
        assert meant.count("\n") == english.count("\n"), english


@pytest.mark.parametrize("lang", OTHERS)
def test_what_click_says_is_there_with_the_same_places(lang: str) -> None:
    known = click_words(lang)
    assert not set(templates.of_click()) - FOR_DEVELOPERS - known.keys()
    for english, meant in known.items():
        assert places(meant) == places(english), english


def test_vietnamese_is_written_with_its_marks_and_with_one_word_for_each_thing() -> None:
    for english, meant in {**messages("vi"), **click_words("vi")}.items():
        words = re.findall(r"(?<![\w.:/'$-])[a-z]{2,}(?![\w.:/'=])", re.sub(r"\{[^}]*\}|'[^']*'|\[.*?\]", " ", meant))
        assert len(words) < 4 or re.search(r"[à-ỹđ]", meant), english
        assert not re.search(r"đối số|hạt giống|công cụ lạ|chưa được khai báo|bài kiểm tra", meant), english


def test_the_extraction_sees_every_kind_of_message() -> None:
    source = '''
raise UsageError(f"there is no {kind} {name!r}" + (f"; {hint}" if hint else ""))
were = "1 case was" if count == 1 else f"{count} cases were"
tell(f"{agent}: {were} not run")
Problem("write {this: x}", hint="like " "this")
say("Error:")
database.execute("SELECT a FROM b")
assert one, "nobody reads this"
x = "key"

@click.command()
@click.option("--x", help="What it is for.")
def command():
    """Do this.

    And that, with
    words.

    \b
    toolgauge do
    """
'''
    assert sorted(templates.of_module(source)) == [
        "1 case was",
        "And that, with words.",
        "Do this.",
        "Error:",
        "What it is for.",
        "like this",
        "there is no {0} {1!r}",
        "there is no {0} {1!r}; {2}",
        "write {{this: x}}",
        "{0} cases were",
        "{0}: {1} not run",
    ]


@pytest.mark.parametrize("module", sorted((templates.PACKAGE / "cli").glob("*.py")), ids=lambda module: module.stem)
def test_whatever_commands_print_is_said_in_a_language(module: Path) -> None:
    """`tell` and `complain` do that themselves; what is written directly goes through `say` or the catalogue."""
    printing = re.compile(r"^(?:sys\.std(?:out|err)\.write(?:lines)?|click\.echo|click\.confirm|print)$")
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and printing.match(ast.unparse(node.func)):
            for said in node.args:
                texts = [text.strip() for text in templates.templates(said)] if templates.is_string(said) else []
                unsaid = [text for text in texts if templates.is_message(text)]
                assert not unsaid, f"{module.name}:{node.lineno}: say({unsaid[0]!r})"


@pytest.mark.parametrize(
    ("english", "vietnamese"),
    [
        ("there is no command 'hlep'; did you mean 'help'?", "không có lệnh 'hlep'; có phải ý bạn là 'help'?"),
        (
            "s.yaml:3:5: expected a string, found the number 3, at cases[0].id; put it in quotes if the text is meant",
            "s.yaml:3:5: cần một chuỗi, nhưng là số 3, tại cases[0].id; hãy đặt trong dấu nháy nếu ý là chuỗi",
        ),
        (
            "a.csv:3, column 'Công cụ': not a list: x; write ['one', 'two'] or: one, two",
            "a.csv:3, cột 'Công cụ': không phải danh sách: x; hãy viết ['one', 'two'] hoặc: one, two",
        ),
        (
            "a call has no recorded result (6 times, first in line 5)",
            "một lời gọi không có kết quả được ghi lại (6 lần, lần đầu ở dòng 5)",
        ),
        (
            "a: no record of this file is of a known format: the first one has the key 'x'; the first line is 'y'; "
            "--input-format NAME says which one it is; docs/connect.md lists those that are read",
            "a: không bản ghi nào của tệp này ở định dạng đã biết: bản ghi đầu có khóa 'x'; dòng đầu là 'y'; "
            "--input-format NAME cho biết đó là định dạng nào; docs/connect.md liệt kê những định dạng đọc được",
        ),
        ("careful: 2 cases were not run: a, b, ...", "careful: 2 câu hỏi chưa chạy: a, b, ..."),
        (
            "s.db: the store is damaged: it is empty\n"
            "Save what can be read with: toolgauge runs salvage s.db -o salvaged.db",
            "s.db: kho bị hỏng: kho rỗng\nCứu những gì còn đọc được bằng: toolgauge runs salvage s.db -o salvaged.db",
        ),
        (
            "run r1 cannot be resumed because its settings differ; --force starts a new run\n  trials: was 1, is now 2",
            "không thể chạy tiếp đợt chạy r1 vì thiết lập khác nhau; --force bắt đầu đợt chạy mới\n"
            "  trials: trước là 1, nay là 2",
        ),
        ("ValueError: something of somebody else", "ValueError: something of somebody else"),
        ("", ""),
    ],
)
def test_messages_are_translated_with_what_is_in_them(english: str, vietnamese: str) -> None:
    assert translated(english, "vi") == vietnamese
    assert translated(english, "en") == english


@given(st.text(min_size=1), st.text(min_size=1))
def test_quoted_values_stay_as_they_are(one: str, other: str) -> None:
    said = translated(f"there is no agent {one!r}; did you mean {other!r}?", "vi")
    assert said == f"không có agent {one!r}; có phải ý bạn là {other!r}?"


@given(st.text())
def test_any_text_can_be_looked_up(text: str) -> None:
    assert isinstance(translated(text, "vi"), str)
    assert translated("x" * 5000 + text, "vi").startswith("x" * 5000)


def noted() -> dict[str, str]:
    """What the frozen commands print on standard error, each message with where it is saved."""
    found: dict[str, str] = {}
    for path in sorted(SAVED.iterdir()):
        text = lzma.decompress(path.read_bytes()).decode() if path.suffix == ".xz" else path.read_text("utf-8")
        for block in re.findall(r"--- stderr[^\n]*\n(.*?)(?=\n--- |\n\$ |\Z)", text, re.S):
            if not re.match("Usage|Lưu ý|Lỗi|Cách dùng", block):
                for message in re.split(r"^(?:Error|Note): ", block, flags=re.M):
                    found.setdefault(message.strip(), path.name)
    return {message: name for message, name in found.items() if message}


def test_what_commands_really_say_is_all_understood() -> None:
    said = noted()
    assert len(said) > 100
    for message, name in said.items():
        english = message.rstrip("; ")
        for before, after in zip(english.split("\n"), translated(english, "vi").split("\n"), strict=True):
            assert after != before, f"{name}: {before}"


SUITE = "name: thử\ncases:\n  - {id: a, input: A?, expect: {calls: []}}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["score", "nowhere.yaml", "x.jsonl", "--lang", "vi"], 2, "Lỗi: nowhere.yaml: không có tệp này; hãy kiểm tra"),
        (["--lang", "vi", "score", "nowhere.yaml", "x.jsonl"], 2, "Lỗi: nowhere.yaml: không có tệp này"),
        (["--lang=vi", "runs", "list", "--store", "x.db"], 2, "Lỗi: x.db: không có kho đợt chạy"),
        (["runs", "list", "--lang", "vi", "--store", "x.db"], 2, "Lỗi: x.db: không có kho đợt chạy"),
        (["scroe", "--lang", "vi"], 2, "Lỗi: không có lệnh 'scroe'; có phải ý bạn là 'score'?"),
        (["score", "--lang", "vi"], 2, "Lỗi: Thiếu tham số 'SUITE'."),
        (["score", "a", "b", "--lang", "vi", "--jobs", "0"], 2, "Lỗi: Giá trị không hợp lệ cho '--jobs': 0 không nằm"),
        (["score", "a", "b", "--input-format", "x", "--lang=vi"], 2, "'x' không phải định dạng đã biết. Ở đây có:"),
        (["score", "suite.yaml", "traces.jsonl", "--lang", "vi"], 3, "Lưu ý: other: 1 câu hỏi chưa chạy: a"),
        (["--lang", "xx", "--help"], 2, "Error: there are no reports in the language 'xx'"),
        (["score", "a", "b", "--lang", "xx"], 2, "'xx' is not one of 'en', 'vi'"),
    ],
)
def test_errors_and_notes_are_in_the_language_that_is_asked_for(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "traces.jsonl").write_text('{"case":"b","agent":"other","calls":[]}\n', encoding="utf-8")
    done = command(*arguments, cwd=tmp_path)
    assert said in done.stderr, done.stderr
    assert done.returncode == code or "x.db" in said


def test_the_locale_chooses_the_language_and_the_option_goes_before_it(tmp_path: Path) -> None:
    arguments = ("score", "nowhere.yaml", "x.jsonl")
    assert command(*arguments, cwd=tmp_path, LC_ALL="vi_VN.UTF-8").stderr.startswith("Lỗi: ")
    assert command(*arguments, "--lang", "en", cwd=tmp_path, LC_ALL="vi_VN.UTF-8").stderr.startswith("Error: ")
    assert command(*arguments, cwd=tmp_path).stderr.startswith("Error: ")


@pytest.mark.parametrize("name", templates.command_names())
def test_the_help_of_every_command_is_vietnamese(name: str) -> None:
    asked = name.split()
    english, vietnamese = command(*asked, "--help").stdout, command(*asked, "--help", "--lang", "vi").stdout
    assert english.startswith("Usage: ")
    assert vietnamese.startswith("Cách dùng: ")
    assert "Tùy chọn:" in vietnamese
    assert "Show this message" not in vietnamese
    # The same commands are to be copied from both.
    for line in re.findall(r"^  toolgauge .*", english, re.M):
        assert line in vietnamese
    sentences = [line for line in vietnamese.splitlines() if re.search(r"\b(the|of|with|which|instead|may be)\b", line)]
    assert not [line for line in sentences if not re.search("[à-ỹđ]|toolgauge", line)]


def test_the_general_help_is_vietnamese() -> None:
    for arguments in (["--lang", "vi"], ["--help", "--lang", "vi"], ["help", "--lang", "vi"], ["-h", "--lang=vi"]):
        shown = command(*arguments).stdout
        assert shown.startswith("Cách dùng: toolgauge COMMAND")
        assert "Chấm dữ liệu ghi lại theo một bộ câu hỏi." in shown


def test_init_speaks_vietnamese_and_writes_a_vietnamese_suite(tmp_path: Path) -> None:
    done = command("init", "thử", "--lang", "vi", cwd=tmp_path)
    assert "đã ghi thử/suite.yaml" in done.stdout
    assert "Bây giờ hãy chấm điểm:" in done.stdout
    assert " --failures --lang vi\n" in done.stdout
    assert "--lang" not in command("init", "khác", cwd=tmp_path, LC_ALL="vi_VN.UTF-8").stdout
    suite = (tmp_path / "thử" / "suite.yaml").read_text(encoding="utf-8")
    comments = re.findall(r"# (.*)", suite)[1:]
    assert all(re.search("[à-ỹđ]", comment) for comment in comments)
    assert len(comments) > 5
    again = command("init", "thử", "--lang", "vi", cwd=tmp_path)
    assert again.stderr == "Lỗi: thử/suite.yaml đã có rồi; hãy chọn thư mục khác, hoặc ghi đè bằng --force\n"
    proposed = command("init", "--from-traces", "thử/traces.jsonl", "mới", "--lang", "vi", cwd=tmp_path)
    assert "Đã đề xuất 4 câu hỏi từ 8 lượt chạy. Hãy xem lại từng câu, sau đó:" in proposed.stdout


def test_english_reads_no_file_of_messages() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from toolgauge.cli import main; sys.argv = ['toolgauge', 'score', 'nowhere', 'x']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "from toolgauge.catalogue import speaking; print(speaking._read.cache_info().misses)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"LC_ALL": "C"})
    assert done.stdout.strip() == "0"
