"""The tintype program, and git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


class Program:
    """Runs the tintype program without the settings of a person."""

    def __init__(self, path: str) -> None:
        self.words = [path, "--no-config"]

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end, whatever its exit code is."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TINTYPE_")}
        return subprocess.run(
            [*self.words, *words], capture_output=True, text=True, encoding="utf-8", errors="replace", env=environment
        )


def git(*words: str, folder: Path | None = None, **options: object) -> str:
    """Output of a git command, with bytes of names that are no UTF-8 as surrogates; `subprocess.CalledProcessError` if it fails."""
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8", errors="surrogateescape", check=True, **options  # type: ignore[call-overload]
    )
    return str(done.stdout)
