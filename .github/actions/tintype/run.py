"""Tests golden images, shows changed models, and writes the summary of a job. Needs Python 3.9 and git, nothing else.

All options are environment variables, which `action.yml` sets; TINTYPE_PROGRAM is the program. Without GitHub:

    TINTYPE_CHANGED=models TINTYPE_BASE=main python3 run.py

The summary is `summary.md` in the report, and is added to GITHUB_STEP_SUMMARY. The report is a fresh folder, whose name is printed. Exit codes: 0 passed, 1 different, 2 failed.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import changed
import publish
from names import annotate, block, first_link, shown
from program import Program, git

PASSED, DIFFERENT, FAILED = 0, 1, 2


def option(name: str, default: str = "") -> str:
    return os.environ.get(f"TINTYPE_{name}", "").strip() or default


def test(program: Program, name: str, words: list[str], report: Path, address: str | None) -> tuple[int, str]:
    """Tests golden images; returns a code and Markdown."""
    folder = report / name
    summary = folder / "summary.md"
    folder.mkdir(parents=True, exist_ok=True)
    summary.unlink(missing_ok=True)
    words = ["test", *words, "--report", str(folder), "--junit", str(folder / "junit.xml")]
    patch = folder / "accept.patch"
    words += ["--json", str(folder / "report.json"), "--summary", str(summary), "--patch", str(patch)]
    # The page of a job has no files: without an address its summary has no pictures.
    words += ["--summary-pictures", f"{address}/{name}" if address else ""]
    done = program.run(words)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    if done.returncode in (0, 1, 3) and summary.is_file():
        text = summary.read_text(encoding="utf-8")
        if patch.is_file():
            text += f"\nTo accept without drawing: `git apply {name}/accept.patch`, from the report.\n"
        return (PASSED if done.returncode == 0 else DIFFERENT), text
    return FAILED, f"## tintype: {name} failed\n\n{block(done.stderr)}"


class Refused(Exception):
    """What a pull request brought along is not touched."""


def report_folder(named: str) -> Path:
    """A folder for the report that no pull request can have prepared: a fresh one, or the one that is named, without links."""
    if not named:
        return Path(tempfile.mkdtemp(prefix="tintype-report-", dir=os.environ.get("RUNNER_TEMP") or None))
    report = Path(named)
    link = first_link(report)
    if link is not None:
        raise Refused(f"{link} is a link, and the report would be written and read through it: leave the input report empty")
    report.mkdir(parents=True, exist_ok=True)
    return report


def refuse_links_out() -> None:
    """Refuses committed links to files of the machine, which pictures and messages would publish."""
    try:
        root = Path(git("rev-parse", "--show-toplevel").strip()).resolve()
        entries = git("ls-files", "-s", "-z", folder=root).split("\0")
    except (OSError, subprocess.CalledProcessError):
        return
    for entry in entries:
        kind, _, name = entry.partition("\t")
        path = root / name
        if kind.startswith("120000") and path.is_symlink() and path.exists() and root not in path.resolve().parents:
            raise Refused(f"{name} is a link that leads out of the repository: remove it, or commit the file itself")


def main() -> int:
    # Bytes of names that are no text do not end the run.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request_target":
        annotate(
            "warning",
            "pull_request_target gives this job the secrets and the token of the repository, and files of the pull request are read in it: use pull_request",
        )
    program = Program(option("PROGRAM", "tintype"))
    try:
        refuse_links_out()
        report = report_folder(option("REPORT"))
    except Refused as refused:
        annotate("error", str(refused))
        return FAILED
    branch = option("PICTURES_BRANCH")
    address = option("PICTURES_ADDRESS").rstrip("/") or None
    run = os.environ.get("GITHUB_RUN_ID", "0") + "-" + os.environ.get("GITHUB_RUN_ATTEMPT", "1")
    if branch and not address:
        address = publish.address(branch, run)

    code, parts = PASSED, []
    golden = ["--golden", option("GOLDEN")] if option("GOLDEN") else []
    asked = {
        "scenes": shlex.split(option("SCENES")),
        "models": [f"--models={word}" for word in shlex.split(option("MODELS_TESTED"))],
    }
    for name, words in asked.items():
        if words:
            found, text = test(program, name, [*words, *golden], report, address)
            code = max(code, found)
            parts.append(text)
    if option("CHANGED"):
        try:
            models = changed.collect(program, option("BASE"), shlex.split(option("CHANGED")), report / "changed")
        except (OSError, subprocess.CalledProcessError, changed.Failure) as error:
            reason = getattr(error, "stderr", None) or str(error)
            parts.append(f"## tintype: the changed models cannot be found\n\n{block(reason)}")
            annotate("error", reason)
            code = FAILED
        else:
            parts.append(changed.markdown(models, f"{address}/changed" if address else None))
            is_error = option("UNREADABLE", "error") == "error"
            for model in models:
                if model.error:
                    kind = "error" if is_error else "warning"
                    annotate(kind, model.error, file=model.name, title="unreadable model")
                    code = max(code, DIFFERENT if is_error else PASSED)
    if not parts:
        annotate("error", "nothing to do: give scenes, models or changed")
        return FAILED

    if branch:
        try:
            publish.push(report, branch, run)
        except subprocess.CalledProcessError as error:
            annotate("warning", f"the pictures cannot be pushed to {branch}: {error.stderr.strip()}".replace("\n", "; "))
    text = "\n".join(parts)
    (report / "summary.md").write_text(text, encoding="utf-8")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        # Other steps of the job write into it too.
        with open(summary, "a", encoding="utf-8") as file:
            file.write(text)
    output = os.environ.get("GITHUB_OUTPUT")
    if output:
        with open(output, "a", encoding="utf-8") as file:
            word = {PASSED: "passed", DIFFERENT: "different", FAILED: "failed"}[code]
            file.write(f"result={word}\nreport={report}\n")
    print(f"report: {shown(str(report / 'summary.md'))}")
    return code


if __name__ == "__main__":
    sys.exit(main())
