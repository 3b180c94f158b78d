"""Keeps one comment of a pull request up to date: the summary of the job, and a link to the report.

    TINTYPE_COMMENT=42 TINTYPE_LINK=ADDRESS GITHUB_TOKEN=... GITHUB_REPOSITORY=owner/name python3 comment.py summary.md

Needs Python 3.9, nothing else, and a token with the permission `pull-requests: write`. A comment that cannot be written is a warning.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path

# By this line the comment is known; a job of another name has its own.
MARK = "<!-- tintype {} -->"
# GitHub takes 65,536 characters.
MOST_LETTERS = 60_000
MOST_PAGES = 20
SECONDS = 30


def ask(method: str, path: str, body: dict[str, str] | None = None) -> object:
    """An answer of the API of GitHub."""
    server = os.environ.get("GITHUB_API_URL", "https://api.github.com")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}", data=data, method=method)
    request.add_header("Authorization", f"Bearer {os.environ['GITHUB_TOKEN']}")
    request.add_header("Accept", "application/vnd.github+json")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        return json.load(answer)


def find(number: str, mark: str) -> int | None:
    """The comment of an earlier run."""
    for page in range(1, MOST_PAGES + 1):
        comments = ask("GET", f"issues/{number}/comments?per_page=100&page={page}")
        assert isinstance(comments, list)
        for comment in comments:
            if str(comment.get("body", "")).startswith(mark):
                return int(comment["id"])
        if len(comments) < 100:
            break
    return None


def open_ends(summary: str) -> list[str]:
    """The ends of blocks that a Markdown text leaves open, the innermost first."""
    fence, ends = "", []
    for line in summary.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if fence:
            # As long a fence closes it as opened it, or a longer one, with nothing behind.
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            for slash, name in re.findall(r"<(/?)(details|summary|table|pre)\b", line):
                if not slash:
                    ends.append(f"</{name}>")
                elif f"</{name}>" in ends:
                    del ends[len(ends) - 1 - ends[::-1].index(f"</{name}>")]
    return ([fence] if fence else []) + ends[::-1]


def text(summary: str, mark: str, link: str) -> str:
    """The comment: as many whole lines of the summary as GitHub takes, with all that is open there closed, and the link."""
    if len(summary) > MOST_LETTERS:
        summary = summary[:MOST_LETTERS].rpartition("\n")[0]
        summary += "".join(f"\n{end}" for end in open_ends(summary)) + "\n\nThe rest is in the report.\n"
    end = f"\n[The whole report]({link}): unpack it and open `index.html`.\n" if link else ""
    return f"{mark}\n{summary}{end}"


def main() -> int:
    number = os.environ.get("TINTYPE_COMMENT", "").strip()
    if not number.isdigit():
        print("not a pull request, so no comment")
        return 0
    mark = MARK.format(os.environ.get("GITHUB_JOB", "").replace("--", ""))
    body = {"body": text(Path(sys.argv[1]).read_text(encoding="utf-8"), mark, os.environ.get("TINTYPE_LINK", ""))}
    try:
        known = find(number, mark)
        if known is None:
            ask("POST", f"issues/{number}/comments", body)
        else:
            ask("PATCH", f"issues/comments/{known}", body)
    except (OSError, ValueError, KeyError) as error:
        from names import annotate

        why = "; the job needs permissions: pull-requests: write, which forks do not have" if isinstance(error, urllib.error.HTTPError) else ""
        annotate("warning", f"the comment cannot be written: {error}{why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
