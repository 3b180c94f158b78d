"""Workers that are forked after their parent has drawn."""

import multiprocessing
import subprocess
import sys

import pytest

# In a process of its own, which is ended if it hangs.
SCRIPT = """
import concurrent.futures as futures, multiprocessing, sys
import tintype

def job(path):
    drawn = tintype.thumbnail(path, size=48).to_png()
    turn = tintype.turntable(path, frames=2, size=32)
    again = futures.ThreadPoolExecutor(2).map(lambda _: tintype.thumbnail(path, size=48).to_png(), range(2))
    return drawn, [frame.to_png() for frame in turn], list(again) == [drawn, drawn]

if __name__ == "__main__":
    path = sys.argv[1]
    wanted = job(path)
    with futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as workers:
        assert list(workers.map(job, [path] * 4, timeout=60)) == [wanted] * 4
    assert job(path) == wanted
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_forked_workers_draw_what_their_parent_draws(assets, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    subprocess.run([sys.executable, script, assets / "scarab.md5mesh"], check=True, timeout=120)
