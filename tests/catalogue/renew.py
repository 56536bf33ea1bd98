"""Brings the files of messages up to date with the code:

    python -m tests.catalogue.renew [MORE.json]

Messages that the code no longer has are taken out, those of MORE, English to Vietnamese, are put in, the order becomes
that of the code, and what is still missing is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from . import templates
from .test_messages import FOLDER, messages

LANG = "vi"


def renewed(known: dict[str, str]) -> str:
    """The text of the file: one message a line, with an empty line between the rooms of the house."""
    lines: list[str] = []
    room = None
    for english, module in templates.of_code().items():
        if english not in known:
            continue
        if room not in (None, module.partition("/")[0]):
            lines.append("")
        room = module.partition("/")[0]
        lines.append(f"  {json.dumps(english, ensure_ascii=False)}: {json.dumps(known[english], ensure_ascii=False)},")
    return "\n".join(["{", *lines, "}"]).replace(",\n}", "\n}") + "\n"


def main() -> int:
    """Renew the file and say what it lacks."""
    known = messages(LANG)
    for more in sys.argv[1:]:
        known = json.loads(Path(more).read_text(encoding="utf-8")) | known
    (FOLDER / f"{LANG}.json").write_text(renewed(known), encoding="utf-8")
    missing = [text for text in templates.of_code() if text not in known]
    sys.stdout.writelines(f"{json.dumps(text, ensure_ascii=False)}: \n" for text in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
