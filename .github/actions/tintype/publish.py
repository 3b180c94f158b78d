"""Pushes the pictures of a report to a branch of their own, so that the summary of a job can show them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from program import git

# Folders of runs that the branch keeps.
MOST_RUNS = 100
ATTEMPTS = 4


def address(branch: str, run: str) -> str:
    """Where the folder of a run can be read."""
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    repository = os.environ.get("GITHUB_REPOSITORY", "")
    return f"{server}/{repository}/raw/{branch}/{run}"


def push(report: Path, branch: str, run: str, remote: str = "origin") -> None:
    """Adds the pictures as the folder `run`; older runs beyond the last hundred are removed. The branch has one commit."""
    url = git("remote", "get-url", remote).strip()
    headers = _headers()
    for attempt in range(ATTEMPTS):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "pictures"
            git("init", "--quiet", str(folder))
            for name, value in headers:
                git("config", name, value, folder=folder)
            lease = _fetch(folder, url, branch)
            _copy(report, folder / run)
            runs = sorted((path for path in folder.iterdir() if path.name != ".git"), key=_number)
            for old in runs[:-MOST_RUNS]:
                shutil.rmtree(old)
            git("add", "--all", "--force", folder=folder)
            author = ["-c", "user.name=tintype", "-c", "user.email=tintype@localhost", "-c", "commit.gpgsign=false"]
            tree = git("write-tree", folder=folder).strip()
            commit = git(*author, "commit-tree", tree, "-m", "Pictures of summaries", folder=folder).strip()
            try:
                # Another run may have pushed since: then it starts again from there.
                git("push", "--quiet", f"--force-with-lease=refs/heads/{branch}:{lease}", url, f"{commit}:refs/heads/{branch}", folder=folder)
                return
            except subprocess.CalledProcessError:
                if attempt + 1 == ATTEMPTS:
                    raise


def _headers() -> list[tuple[str, str]]:
    """The credentials that actions/checkout leaves in the configuration of the checkout."""
    try:
        lines = git("config", "--local", "--get-regexp", r"^http\..*\.extraheader$").splitlines()
    except subprocess.CalledProcessError:
        return []
    pairs = [line.split(" ", 1) for line in lines]
    return [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]


def _fetch(folder: Path, url: str, branch: str) -> str:
    """Checks out the branch and returns its commit; empty for a new branch."""
    found = git("ls-remote", url, f"refs/heads/{branch}", folder=folder).split()
    if not found:
        return ""
    git("fetch", "--quiet", "--depth=1", url, f"refs/heads/{branch}", folder=folder)
    git("checkout", "--quiet", "FETCH_HEAD", folder=folder)
    return git("rev-parse", "FETCH_HEAD", folder=folder).strip()


def _copy(report: Path, target: Path) -> None:
    for picture in report.rglob("*.png"):
        if picture.is_symlink():
            continue
        copy = target / picture.relative_to(report)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, copy)


def _number(path: Path) -> tuple[int, str]:
    first = path.name.split("-")[0]
    return (int(first) if first.isdigit() else 0, path.name)
