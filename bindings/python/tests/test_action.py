"""The scripts of `.github/actions/tintype`, in a repository made for them."""

import hashlib
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from pathlib import Path

import pytest

ACTION = Path(__file__).resolve().parents[3] / ".github" / "actions" / "tintype"


def program():
    """The command of the wheel."""
    found = shutil.which("tintype", path=str(Path(sys.executable).parent))
    assert found, "the wheel installs the command"
    return found


def git(folder, *words):
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def run(folder, **options):
    """Runs the action; returns its exit code, its summary and its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TINTYPE_", "GITHUB_"))}
    environment |= {"TINTYPE_REPORT": "tintype-report"} | {f"TINTYPE_{name}": value for name, value in options.items()}
    environment |= {"TINTYPE_PROGRAM": program(), "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_OUTPUT": str(folder / "output")}
    for name in ("summary.md", "output"):
        (folder / name).unlink(missing_ok=True)
    done = subprocess.run([sys.executable, str(ACTION / "run.py")], cwd=folder, capture_output=True, text=True, env=environment)
    summary = folder / "summary.md"
    return done.returncode, summary.read_text() if summary.exists() else "", done.stdout + done.stderr


def rows(summary):
    """The cells of the table by the name of the model."""
    found = {}
    for row in re.findall(r"<tr>(.*?)</tr>", summary, re.S)[1:]:
        cells = re.findall(r"<td>(.*?)</td>", row, re.S)
        name = re.search(r"<b>(\w+)</b><br><code>(.*?)</code>", cells[0])
        found[name[2]] = (name[1], cells)
    return found


@pytest.fixture
def repository(tmp_path, assets):
    """Models in a repository, before a pull request."""
    models = tmp_path / "models"
    shutil.copytree(assets / "textures", models / "textures")
    names = ["scarab.md5mesh", "scarab_walk.md5anim", "lantern.md5mesh", "globe.md5mesh", "stand.x", "fern.md5mesh", "ranger.x"]
    for name in names:
        shutil.copy(assets / name, models)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "before")
    return tmp_path


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_summary_shows_every_kind_of_change(repository, assets):
    models = repository / "models"
    edit(models / "scarab_walk.md5anim", "frameRate 24", "frameRate 12")
    edit(models / "lantern.md5mesh", "MD5Version", "MD6Version")
    shutil.copy(assets / "ranger.glb", models / "new <1>.glb")
    git(repository, "mv", "models/globe.md5mesh", "models/world.md5mesh")
    git(repository, "rm", "-q", "models/stand.x")
    shutil.copy(models / "textures" / "stand.png", models / "textures" / "fern.png")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "after")
    code, summary, said = run(repository, CHANGED="models", BASE="HEAD~1", PICTURES_ADDRESS="https://example.org/p/")
    assert code == 1, said
    assert summary.startswith("## tintype: 1 unreadable, 2 changed, 1 added, 1 removed, 1 renamed\n")
    found = rows(summary)
    assert {name: state for name, (state, _) in found.items()} == {
        "models/lantern.md5mesh": "unreadable",
        "models/scarab.md5mesh": "changed",
        "models/fern.md5mesh": "changed",
        "models/new &lt;1&gt;.glb": "added",
        "models/stand.x": "removed",
        "models/world.md5mesh": "renamed",
    }
    pictures = {name: [("<img" in cell) for cell in cells[1:4]] for name, (_, cells) in found.items()}
    assert pictures == {
        "models/lantern.md5mesh": [True, False, False],
        "models/scarab.md5mesh": [True, True, True],
        "models/fern.md5mesh": [True, True, True],
        "models/new &lt;1&gt;.glb": [False, True, False],
        "models/stand.x": [True, False, False],
        "models/world.md5mesh": [True, True, False],
    }
    causes = {name: html.unescape(cells[4]) for name, (_, cells) in found.items()}
    assert 'line 1, column 1: found "MD6Version"' in causes["models/lantern.md5mesh"]
    assert "12 keys per second, was 24" in causes["models/scarab.md5mesh"]
    assert "has different pixels" in causes["models/fern.md5mesh"]
    assert "from <code>models/globe.md5mesh</code>" in found["models/world.md5mesh"][1][0]
    # The address of each picture is a file of the report.
    for address in re.findall(r'src="https://example.org/p/([^"]*)"', summary):
        assert (repository / "tintype-report" / address).read_bytes().startswith(b"\x89PNG"), address
    assert "::error file=models/lantern.md5mesh" in said
    assert "result=different" in (repository / "output").read_text()
    # The temporary worktree is gone.
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_unreadable_models_may_be_warnings_and_pictures_may_be_absent(repository):
    edit(repository / "models" / "lantern.md5mesh", "MD5Version", "MD6Version")
    git(repository, "commit", "-qam", "after")
    code, summary, said = run(repository, CHANGED="models", BASE="HEAD~1", UNREADABLE="warning")
    assert code == 0 and "::warning file=models/lantern.md5mesh" in said
    assert "<img" not in summary and "The pictures are in the report." in summary


def test_nothing_is_shown_of_what_did_not_change(repository):
    edit(repository / "models" / "ranger.x", "\n", "\n\n")
    (repository / "notes.txt").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "after")
    code, summary, _ = run(repository, CHANGED="models", BASE="HEAD~1")
    assert code == 0
    assert rows(summary)["models/ranger.x"][0] == "changed" and "same content" in summary
    code, summary, _ = run(repository, CHANGED="other", BASE="HEAD~1")
    assert (code, summary) == (0, "## tintype: no model changed\n")


def test_base_that_is_nowhere_is_an_error(repository):
    code, summary, said = run(repository, CHANGED="models", BASE="0123456789012345678901234567890123456789")
    assert code == 2
    assert "cannot be found" in summary and "0123456789" in said
    assert run(repository)[0] == 2


def test_base_is_fetched_into_a_shallow_checkout(repository, tmp_path_factory):
    base = git(repository, "rev-parse", "HEAD").strip()
    edit(repository / "models" / "scarab_walk.md5anim", "frameRate 24", "frameRate 12")
    git(repository, "commit", "-qam", "after")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    shallow = tmp_path_factory.mktemp("shallow") / "clone"
    git(repository, "clone", "-q", "--depth=1", f"file://{repository}", str(shallow))
    code, summary, said = run(shallow, CHANGED="models", BASE=base)
    assert code == 0, said
    assert rows(summary)["models/scarab.md5mesh"][0] == "changed"


def test_goldens_of_scenes_and_libraries_are_tested(repository):
    words = [program(), "--no-config", "-q", "bless", "--models", "models/scarab.md5mesh", "--golden", "golden"]
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    subprocess.run(words, cwd=repository, check=True, env=environment)
    code, summary, said = run(repository, MODELS_TESTED="models/scarab.md5mesh", GOLDEN="golden")
    assert code == 0, said
    assert "passed" in summary
    edit(repository / "models" / "scarab_walk.md5anim", "frameRate 24", "frameRate 12")
    code, summary, said = run(repository, MODELS_TESTED="models/scarab.md5mesh", GOLDEN="golden", PICTURES_ADDRESS="https://example.org/p")
    assert code == 1
    assert "12 keys per second" in summary and "https://example.org/p/models/pictures/" in summary
    report = repository / "tintype-report" / "models"
    assert (report / "index.html").is_file() and (report / "junit.xml").is_file()
    assert "`git apply models/accept.patch`" in summary
    git(repository, "apply", str(report / "accept.patch"))
    code, summary, said = run(repository, MODELS_TESTED="models/scarab.md5mesh", GOLDEN="golden")
    assert code == 0 and "git apply" not in summary, said
    code, summary, _ = run(repository, SCENES="none.toml")
    assert code == 2 and "none.toml" in summary


def test_pictures_are_pushed_to_a_branch(repository, tmp_path_factory):
    remote = tmp_path_factory.mktemp("remote") / "remote.git"
    git(repository, "init", "-q", "--bare", str(remote))
    git(repository, "remote", "add", "origin", str(remote))
    edit(repository / "models" / "scarab_walk.md5anim", "frameRate 24", "frameRate 12")
    git(repository, "commit", "-qam", "after")
    for _ in range(2):
        code, summary, said = run(repository, CHANGED="models", BASE="HEAD~1", PICTURES_BRANCH="pictures")
        assert code == 0 and "cannot be pushed" not in said, said
    files = git(remote, "ls-tree", "-r", "--name-only", "pictures").splitlines()
    shown = re.findall(r'src="https://github.com//raw/pictures/([^"]*)"', summary)
    assert len(shown) == 3 and set(shown) <= set(files)
    assert all(file.endswith(".png") for file in files)
    assert git(remote, "rev-list", "--count", "pictures").strip() == "1"


@pytest.mark.skipif(sys.platform == "win32", reason="a release for Unix")
def test_release_is_installed_by_its_sum(tmp_path):
    system, machine = os.uname().sysname, os.uname().machine
    ending = {"Linux": "unknown-linux-musl", "Darwin": "apple-darwin"}[system]
    target = f"{machine.replace('arm64', 'aarch64')}-{ending}"
    name = f"tintype-9.8.7-{target}"
    folder = tmp_path / "o" / "n" / "releases" / "download" / "v9.8.7"
    folder.mkdir(parents=True)
    (tmp_path / name).mkdir()
    stand_in = tmp_path / name / "tintype"
    stand_in.write_text("#!/bin/sh\necho tintype 9.8.7\n")
    stand_in.chmod(0o755)
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / name, name)
    total = hashlib.sha256((folder / f"{name}.tar.gz").read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{total}  {name}.tar.gz\n")
    environment = os.environ | {
        "TINTYPE_SERVER": tmp_path.as_uri(),
        "TINTYPE_REPOSITORY": "o/n",
        "TINTYPE_REF": "v9.8.7",
        "TINTYPE_INTO": str(tmp_path / "into"),
        "GITHUB_PATH": str(tmp_path / "path"),
    }
    done = subprocess.run(["bash", str(ACTION / "install.sh")], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and done.stdout == "tintype 9.8.7\n", done.stderr
    assert (tmp_path / "path").read_text().strip() == str(tmp_path / "into")
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  {name}.tar.gz\n")
    done = subprocess.run(["bash", str(ACTION / "install.sh")], capture_output=True, text=True, env=environment)
    assert done.returncode != 0 and "has the sum" in done.stdout


class Api(http.server.BaseHTTPRequestHandler):
    """Comments of a pull request, as the API of GitHub keeps them."""

    comments: dict[int, str] = {}
    status = 200

    def answer(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        assert self.headers["Authorization"] == "Bearer t"
        path = self.path.removeprefix("/repos/o/n/issues/")
        if self.command == "GET":
            assert path.startswith("7/comments?")
            first = 100 * (int(path.rpartition("=")[2]) - 1)
            found = [{"id": own, "body": text} for own, text in self.comments.items()][first : first + 100]
        else:
            own = len(self.comments) if self.command == "POST" else int(path.removeprefix("comments/"))
            assert self.command == "PATCH" or path == "7/comments"
            if self.status == 200:
                self.comments[own] = body["body"]
            found = {"id": own}
        text = json.dumps(found).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, *_):
        pass


def test_one_comment_is_kept_up_to_date(tmp_path):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Api.comments, Api.status = {number: "of a person" for number in range(150)}, 200
    summary = tmp_path / "summary.md"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TINTYPE_", "GITHUB_"))}
    environment |= {"GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}", "GITHUB_TOKEN": "t", "GITHUB_REPOSITORY": "o/n"}
    environment |= {"TINTYPE_COMMENT": "7", "TINTYPE_LINK": "https://example.org/1", "GITHUB_JOB": "models"}

    def comment(text, **more):
        summary.write_text(text)
        words = [sys.executable, str(ACTION / "comment.py"), str(summary)]
        done = subprocess.run(words, capture_output=True, text=True, env=environment | more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert comment("## first") == ""
    comment("## second")
    assert len(Api.comments) == 151
    assert Api.comments[150] == "<!-- tintype models -->\n## second\n[The whole report](https://example.org/1): unpack it and open `index.html`.\n"
    comment("## other", GITHUB_JOB="chars")
    assert len(Api.comments) == 152
    # More than GitHub takes ends with a whole line and a closed table.
    comment("<table>\n" + "<tr><td>x</td></tr>\n" * 5000 + "</table>\n")
    long = Api.comments[150]
    assert len(long) < 65_536 and "</tr>\n</table>\n\nThe rest is in the report.\n" in long
    assert comment("## none", TINTYPE_COMMENT="") == "not a pull request, so no comment\n"
    Api.status = 403
    assert "::warning::the comment cannot be written: HTTP Error 403" in comment("## refused")
    assert Api.comments[150] == long
    server.shutdown()
