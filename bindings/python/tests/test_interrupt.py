"""Ctrl-C."""

import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys, tintype
print("ready", flush=True)
tintype.turntable(sys.argv[1], sys.argv[2], frames=2000, size=512)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_interrupt_ends_a_job_between_frames(assets, tmp_path):
    words = [sys.executable, "-c", SCRIPT, str(assets / "scarab.md5mesh"), str(tmp_path / "####.png")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    until = time.monotonic() + 60
    while not list(tmp_path.glob("*.png")) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in told
    files = list(tmp_path.iterdir())
    assert 0 < len(files) < 2000
    assert all(file.suffix == ".png" and file.read_bytes().endswith(b"IEND\xaeB`\x82") for file in files)
