"""Names from files and from git, as text that no log, Markdown or HTML takes for anything else."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

# What controls a terminal or the direction of letters, or ends a line for some reader.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U0010ff01-\U0010ffff]")
# The program writes bytes of names that are no text as letters from here on.
FIRST_BYTE = 0x10FF00


def shown(text: str) -> str:
    """A text as one line in which no service finds a command. Bytes that are no UTF-8 are `\\xe9`, as the program shows them."""
    text = CONTROLS.sub(_escape, text)
    text = re.sub(r"(##[A-Za-z]*)\[", r"\1\\u{5b}", text)
    return re.sub(r"^(\s*):(?=:)", r"\1\\u{3a}", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code >= FIRST_BYTE:
        code -= FIRST_BYTE
        if code >= 0x80 or code == 0x5C:
            return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}.get(code, f"\\u{{{code:x}}}")


def lines(text: str) -> list[str]:
    """A message of several lines, each as [`shown`]."""
    return [shown(line) for line in text.strip().split("\n")]


def code(text: str) -> str:
    """A name as code of HTML, in which GitHub finds neither people nor links."""
    return f"<code>{html.escape(shown(text))}</code>"


def block(text: str) -> str:
    """A message as a block of code that none of its lines closes."""
    inner = "\n".join(lines(text))
    longest = max((len(run) for run in re.findall("`+", inner)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}text\n{inner}\n{fence}\n"


def annotate(kind: str, message: str, **properties: str) -> None:
    """Prints a command that GitHub shows beside a file: `error` or `warning`."""
    words = ",".join(f"{name}={_data(shown(value)).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items())
    print(f"::{kind}{' ' if words else ''}{words}::{_data(lines(message)[0])}")


def _data(text: str) -> str:
    return text.replace("%", "%25")


def first_link(folder: Path) -> Path | None:
    """The first link on the way from the working folder to `folder`, or in it."""
    whole, here = Path(os.path.abspath(folder)), Path.cwd()
    way = [part for part in [*reversed(whole.parents), whole] if part == whole or here in part.parents]
    for part in way:
        if part.is_symlink():
            return part
    for parent, folders, files in os.walk(whole):
        for name in [*folders, *files]:
            if os.path.islink(os.path.join(parent, name)):
                return Path(parent, name)
    return None
