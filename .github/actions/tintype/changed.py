"""Models that a commit adds, changes, removes or renames: pictures before and after through one camera, and the cause.

The old files are those of a temporary worktree of the base. A model counts as changed where its own file does, and where a clip, a
material or a texture that it may use does: then both sides are drawn, and it is listed if a byte of the pictures differs.
"""

from __future__ import annotations

import fnmatch
import html
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from names import annotate, code
from program import Program, git

MODELS = {".md5mesh", ".x", ".gltf", ".glb", ".obj", ".iqm", ".vrm", ".fbx", ".mdl", ".md2", ".md3",
          ".3ds", ".b3d", ".stl", ".ply"}
PARTS = {".md5anim", ".mtr", ".mtl", ".bin", ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".dds", ".webp",
         ".ktx2", ".pcx", ".skin", ".lmp", ".cfg"}
SIZE = 256
# Models that may use a changed file and are drawn to find out.
MOST_USERS = 200
# Letters of a model's name, from its end, that are in the name of its folder of pictures.
MOST_OF_NAME = 60
# Rows of a model with many clips, and bytes of the text, which GitHub limits to 1 MiB.
MOST_ROWS = 4
MOST_BYTES = 900 << 10


class Failure(Exception):
    """The models cannot be compared."""


@dataclass
class Row:
    """Pictures of a model, below the report's folder, and what they show."""

    part: str
    cause: str
    before: str | None = None
    after: str | None = None
    difference: str | None = None


@dataclass
class Model:
    """A model of the pull request."""

    name: str
    state: str
    renamed_from: str | None = None
    error: str | None = None
    rows: list[Row] = field(default_factory=list)


def collect(program: Program, base: str, patterns: list[str], report: Path) -> list[Model]:
    """The models that differ between the base and the working folder, with pictures in `report`."""
    base = _merge_base(_commit(base))
    root = Path(git("rev-parse", "--show-toplevel").strip())
    shutil.rmtree(report, ignore_errors=True)
    report.mkdir(parents=True)
    entries = _entries(base, root)
    with tempfile.TemporaryDirectory() as scratch:
        old = Path(scratch) / "old"
        git("worktree", "add", "--detach", "--force", str(old), base, folder=root)
        try:
            work = _Work(program, old, root, report)
            return work.all(entries, patterns)
        finally:
            git("worktree", "remove", "--force", str(old), folder=root)


def _commit(base: str) -> str:
    """The commit to compare with, fetched if the checkout does not have it."""
    if not base or set(base) == {"0"}:
        base = "HEAD~1"
    try:
        return git("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}").strip()
    except Exception:
        pass
    try:
        git("fetch", "--quiet", "--no-tags", "--depth=1", "origin", base)
        return git("rev-parse", "FETCH_HEAD").strip()
    except Exception as error:
        reason = str(getattr(error, "stderr", "")).strip()
        raise Failure(f"the commit {base} is not in this checkout and cannot be fetched: {reason}") from error


def _merge_base(commit: str) -> str:
    """The commit where the working folder left another: what that branch did since is no change of this one.

    A shallow checkout has no such commit; the one that GitHub makes of a pull request holds its base.
    """
    try:
        return git("merge-base", commit, "HEAD").strip()
    except subprocess.CalledProcessError:
        return commit


def _entries(base: str, root: Path) -> list[tuple[str, str | None, str | None]]:
    """Kind, old and new path of each file that differs; renamed files have both."""
    words = git("diff", "--name-status", "-z", "--find-renames=60%", base, "--", folder=root).split("\0")
    # Files that git does not know yet are part of the working folder, not of the pull request.
    found: list[tuple[str, str | None, str | None]] = []
    at = 0
    while at + 1 < len(words):
        kind = words[at][:1]
        if kind in "RC":
            found.append(("R" if kind == "R" else "A", words[at + 1] if kind == "R" else None, words[at + 2]))
            at += 3
            continue
        path = words[at + 1]
        found.append((kind, None if kind == "A" else path, None if kind == "D" else path))
        at += 2
    return found


def _is_wanted(path: str, patterns: list[str]) -> bool:
    """Whether a path is in one of the folders, or matches one of the patterns; `**` stands for any folders."""
    for pattern in patterns:
        plain = pattern.strip("/").removeprefix("./") or "."
        folder = plain.rstrip("/")
        if folder == "." or path == folder or path.startswith(folder + "/"):
            return True
        if fnmatch.fnmatchcase(path, plain) or fnmatch.fnmatchcase(path, plain.replace("**/", "")):
            return True
    return False


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


class _Work:
    def __init__(self, program: Program, old: Path, new: Path, report: Path) -> None:
        self.program, self.old, self.new, self.report = program, old, new, report
        self.count = 0

    def all(self, entries: list[tuple[str, str | None, str | None]], patterns: list[str]) -> list[Model]:
        models: list[Model] = []
        seen: set[str] = set()
        touched: list[str] = []
        for kind, before, after in entries:
            path = after or before or ""
            if not any(_is_wanted(side, patterns) for side in (before, after) if side):
                if _suffix(path) in PARTS:
                    touched.append(path)
                continue
            if _suffix(path) not in MODELS:
                touched += [path] if _suffix(path) in PARTS else []
                continue
            seen.update(side for side in (before, after) if side)
            model = self.model(kind, before, after)
            # A file may be written anew with the same content.
            if not model.rows:
                model.rows.append(Row("", "different bytes, same content"))
            models.append(model)
        for path in self.users(touched, seen, patterns):
            model = self.model("U", path, path)
            if model.rows or model.error:
                models.append(model)
            else:
                shutil.rmtree(self.folder(model.name), ignore_errors=True)
        order = ["unreadable", "changed", "added", "removed", "renamed"]
        return sorted(models, key=lambda model: (order.index(model.state), model.name))

    def users(self, touched: list[str], seen: set[str], patterns: list[str]) -> list[str]:
        """Unchanged models that may use a changed file: those below its folder, and below the folder above it."""
        folders = {str(PurePosixPath(path).parent.parent) for path in touched}
        folders |= {str(PurePosixPath(path).parent) for path in touched}
        if not folders:
            return []
        listed = git("ls-files", "-z", folder=self.new).split("\0")
        below = [
            path
            for path in listed
            if _suffix(path) in MODELS
            and path not in seen
            and _is_wanted(path, patterns)
            and any(folder == "." or path.startswith(folder + "/") for folder in folders)
            and (self.old / path).is_file()
        ]
        if len(below) > MOST_USERS:
            annotate("warning", f"{len(below)} models may use changed textures or clips; the first {MOST_USERS} are drawn")
        return below[:MOST_USERS]

    def model(self, kind: str, before: str | None, after: str | None) -> Model:
        """Draws one model."""
        self.count += 1
        name = after or before or ""
        folder = self.folder(name)
        folder.mkdir(parents=True)
        if kind == "A" or before is None:
            return self.alone(Model(name, "added"), self.new / name, "after", folder)
        if kind == "D" or after is None:
            return self.alone(Model(name, "removed"), self.old / name, "before", folder)
        state = "renamed" if kind == "R" else "changed"
        model = Model(name, state, renamed_from=before if kind == "R" else None)
        return self.both(model, self.old / before, self.new / after, folder)

    def folder(self, name: str) -> Path:
        """The folder of the pictures of the model that is drawn now."""
        return self.report / (f"{self.count:03}-" + re.sub(r"[^A-Za-z0-9_.-]", "_", PurePosixPath(name).name)[-MOST_OF_NAME:])

    def alone(self, model: Model, file: Path, side: str, folder: Path) -> Model:
        """A model of one side."""
        picture, error = self.thumbnail(file, folder / f"{side}.png")
        if error and side == "after":
            model.state, model.error = "unreadable", error
        row = Row("", error or ("new" if side == "after" else "removed"))
        setattr(row, side, picture)
        model.rows.append(row)
        return model

    def both(self, model: Model, old: Path, new: Path, folder: Path) -> Model:
        """A model of both sides, through the camera that holds the old one."""
        diff = folder / "diff"
        done = self.program.run(["diff", str(old), str(new), "--json", "--report", str(diff)])
        try:
            pair = json.loads(done.stdout)["models"][0]
        except (ValueError, LookupError):
            return self.broken(model, done.stderr, old, new, folder)
        if pair["state"] == "unreadable":
            return self.broken(model, pair["error"], old, new, folder)
        for number, part in enumerate(pair["parts"]):
            if part["state"] in ("same", "within"):
                continue
            pictures = {end: next(diff.glob(f"pictures/**/{number:04}.{end}.png"), None) for end in ("golden", "new", "heat")}
            shown = {end: self.keep(file, folder / f"{number:04}.{end}.png") for end, file in pictures.items()}
            causes = [f"{finding['stage']}: {finding['text']}" for finding in part["findings"]]
            name = f"clip {part['clip']}" if part["clip"] else "bind pose"
            row = Row(name, "\n".join(causes[:3]) or part["state"], shown["golden"], shown["new"], shown["heat"])
            if len(causes) > 3:
                row.cause += f"\nand {len(causes) - 3} more"
            model.rows.append(row)
        shutil.rmtree(diff, ignore_errors=True)
        if not model.rows:
            self.by_pictures(model, old, new, folder)
        return model

    def by_pictures(self, model: Model, old: Path, new: Path, folder: Path) -> None:
        """Vertices, joints and keys are equal: a texture or a material may differ, which the pictures show."""
        before, _ = self.thumbnail(old, folder / "before.png")
        after, error = self.thumbnail(new, folder / "after.png")
        heat = folder / "heat.png"
        if before and after:
            pair = [str(folder / "before.png"), str(folder / "after.png")]
            if self.program.run(["diff", *pair, "-o", str(heat)]).returncode == 0:
                if model.state == "renamed":
                    model.rows.append(Row("", "renamed, the same content", before, after))
                return
        cause = error or "textures or materials: geometry and poses are equal"
        model.rows.append(Row("", cause, before, after, self.shown(heat) if heat.is_file() else None))

    def broken(self, model: Model, message: str, old: Path, new: Path, folder: Path) -> Model:
        """One side cannot be read."""
        shutil.rmtree(folder / "diff", ignore_errors=True)
        before, _ = self.thumbnail(old, folder / "before.png")
        after, error = self.thumbnail(new, folder / "after.png")
        if error:
            model.state, model.error = "unreadable", error
            model.rows.append(Row("", error, before, None))
        else:
            message = _plain(message, old, new)
            model.rows.append(Row("", f"the model before could not be read: {message}", before, after))
        return model

    def thumbnail(self, model: Path, picture: Path) -> tuple[str | None, str | None]:
        """Draws a model; the picture below the report's folder, or the reason why there is none."""
        done = self.program.run(["-q", "thumbnail", str(model), "-o", str(picture), "-s", str(SIZE)])
        if done.returncode == 0 and picture.is_file():
            return self.shown(picture), None
        message = _plain(done.stderr, self.old, self.new) or f"exit code {done.returncode}"
        # The table names the model beside it.
        name = next((model.relative_to(side).as_posix() for side in (self.old, self.new) if model.is_relative_to(side)), "")
        return None, message.removeprefix(f"{name}: ")

    def keep(self, file: Path | None, target: Path) -> str | None:
        if file is None:
            return None
        shutil.copyfile(file, target)
        return self.shown(target)

    def shown(self, file: Path) -> str:
        return file.relative_to(self.report).as_posix()


def _plain(message: str, *folders: Path) -> str:
    """A message of the program without its first word and without the folders of the two checkouts."""
    for folder in folders:
        message = message.replace(f"{folder}/", "").replace(f"{folder}\\", "")
    return re.sub(r"^error: ", "", message.strip())


def column(head: str) -> str:
    """The head of a column. Those of pictures have a width: else long causes squeeze them to sizes that cannot be compared."""
    width = ' width="128"' if head in ("before", "after", "difference") else ""
    return f"<th{width}>{head}</th>"


def markdown(models: list[Model], address: str | None) -> str:
    """The summary. `address` is where the folder of the pictures can be read; without it there are none."""
    states = [(state, sum(model.state == state for model in models)) for state in ("unreadable", "changed", "added", "removed", "renamed")]
    counts = ", ".join(f"{count} {state}" for state, count in states if count)
    text = f"## tintype: {counts or 'no model changed'}\n"
    if not models:
        return text
    heads = ["model", "before", "after", "difference", "cause"] if address else ["model", "cause"]
    text += "\n<table>\n<tr>" + "".join(column(head) for head in heads) + "</tr>\n"
    for number, model in enumerate(models):
        part = "".join(_rows(model, address))
        if len(text) + len(part) > MOST_BYTES:
            return text + f"</table>\n\nand {len(models) - number} more models, which are in the report\n"
        text += part
    text += "</table>\n"
    if address is None:
        text += "\nThe pictures are in the report.\n"
    return text


def _rows(model: Model, address: str | None) -> list[str]:
    rows = []
    shown, left = model.rows[:MOST_ROWS], len(model.rows) - MOST_ROWS
    for number, row in enumerate(shown):
        name = f"<b>{model.state}</b><br>{code(model.name)}" if number == 0 else ""
        if number == 0 and model.renamed_from:
            name += f"<br>from {code(model.renamed_from)}"
        name += f"<br>{code(row.part)}" if row.part else ""
        if number + 1 == len(shown) and left > 0:
            name += f"<br>and {left} more clips"
        cause = "<br>".join(code(line) for line in row.cause.split("\n")[:12])
        cells = [name]
        if address:
            cells += [_picture(picture, address) for picture in (row.before, row.after, row.difference)]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in [*cells, cause]) + "</tr>\n")
    return rows


def _picture(picture: str | None, address: str) -> str:
    if picture is None:
        return ""
    return f'<img width="128" src="{html.escape(address)}/{quote(picture)}">'
