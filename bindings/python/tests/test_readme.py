"""The program of the README, and turntables of three formats beside those of the command."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tintype

PACKAGE = Path(__file__).resolve().parents[1]


def test_program_of_the_readme_runs(tmp_path, scenes):
    program = re.search(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.S)[1]
    shutil.copytree(scenes, tmp_path / "scenes")
    for part in ("walk", "content"):
        shutil.copytree(scenes.parent / "golden" / part, tmp_path / "golden" / part)
    (tmp_path / "out").mkdir()
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "4 written" in done.stdout and "pose" in done.stdout
    for made in ("out/ranger.png", "out/ranger.gif", "out/walk_12.png", "out/walk/0003.png"):
        assert (tmp_path / made).stat().st_size > 1000, made


def test_programs_of_the_page_for_users_of_pyrender_run(tmp_path):
    page = (PACKAGE.parents[1] / "docs" / "pyrender.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(programs) == 3
    done = subprocess.run([sys.executable, "-c", "\n".join(programs)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "clips"), [("ranger.glb", []), ("ranger.md5mesh", ["ranger_walk.md5anim"]), ("ranger.x", [])]
)
def test_turntables_have_the_bytes_of_the_command(assets, tmp_path, name, clips):
    paths = [assets / clip for clip in clips]
    tintype.turntable(assets / name, str(tmp_path / "a" / "####.png"), clips=paths, frames=4, size=64)
    words = [sys.executable, "-m", "tintype", "--no-config", "-q", "turntable", str(assets / name), "-n", "4", "--size", "64x64"]
    for path in paths:
        words += ["-a", str(path)]
    subprocess.run([*words, "-o", str(tmp_path / "b" / "####.png")], check=True)
    pictures = [[chunks(file.read_bytes()) for file in sorted((tmp_path / side).glob("*.png"))] for side in "ab"]
    assert len(pictures[0]) == 4 and pictures[0] == pictures[1]


def chunks(png):
    """The chunks of a picture, without the one that the command adds while its sources are not committed."""
    found, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        found.append(png[at : at + length + 12])
        at += length + 12
    assert found[-1][4:8] == b"IEND"
    return [chunk for chunk in found if not chunk[8:].startswith(b"tintype:build\0")]
