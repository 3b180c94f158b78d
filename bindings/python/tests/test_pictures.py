"""Frames, stills, turntables, thumbnails and scenes: the bytes of the command."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tintype


def command(*words, **options):
    """Runs the command of the package."""
    words = [sys.executable, "-m", "tintype", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, **options)



def test_frame_is_an_array_without_a_copy(assets):
    frame = tintype.Model.open(assets / "scarab.md5mesh").render(size=(64, 48))
    assert (frame.width, frame.height) == (64, 48)
    assert frame.pixels.shape == (48, 64, 4) and frame.pixels.dtype == np.uint8
    address = frame.pixels.__array_interface__["data"][0]
    assert np.asarray(frame).__array_interface__["data"][0] == address
    assert np.array(frame, copy=True).__array_interface__["data"][0] != address
    assert frame.pixels[..., :3].std() > 5


def test_frame_is_a_png_in_notebooks_and_files(assets, tmp_path):
    frame = tintype.Model.open(assets / "scarab.md5mesh").render(size=32)
    png = frame._repr_png_()
    assert png.startswith(b"\x89PNG")
    frame.save(tmp_path / "scarab.png")
    assert (tmp_path / "scarab.png").read_bytes() == png == frame.to_png()


def test_scene_frames_are_those_of_the_command(scenes, tmp_path):
    scene = tintype.Scene.open(scenes / "walk.toml")
    assert scene.frames[:2] == [0, 1] and scene.fps > 0
    report = scene.render(str(tmp_path / "a" / "####.png"), frames="7")
    assert (report.written, report.present, report.frames) == (1, 0, [7])
    done = command("render", scenes / "walk.toml", "-f", "7", "-o", tmp_path / "b" / "####.png")
    assert done.returncode == 0, done.stderr
    files = [tmp_path / name / "0007.png" for name in ("a", "b")]
    assert report.files == [files[0]]
    shown = [command("diff", files[0], files[1])]
    assert shown[0].returncode == 0, shown[0].stdout + shown[0].stderr
    # What is up to date is kept.
    again = scene.render(str(tmp_path / "a" / "####.png"), frames="7")
    assert (again.written, again.present) == (0, 1)
    # The frame as an array is the picture of the file.
    scene.frame(7).save(tmp_path / "c.png")
    assert command("diff", files[0], tmp_path / "c.png").returncode == 0


def test_mistakes_of_a_scene_have_places(scenes):
    text = 'size = 3\n[[model]]\nfile = "ranger.x"\n'
    with pytest.raises(tintype.Error, match="robot.toml:1") as caught:
        tintype.Scene.parse(text, scenes / "assets", "robot.toml")
    found = caught.value.diagnostics[0]
    assert (found.severity, found.line, found.column) == ("error", 1, 1)
    assert "size" in str(found)


def test_missing_texture_is_a_warning(assets, tmp_path):
    (tmp_path / "ranger.md5mesh").write_bytes((assets / "ranger.md5mesh").read_bytes())
    model = tintype.Model.open(tmp_path / "ranger.md5mesh")
    with pytest.warns(tintype.Warning):
        model.render(size=32)


def test_turntable_is_frames_or_files(assets, tmp_path):
    frames = tintype.turntable(assets / "scarab.md5mesh", frames=4, size=48)
    assert [frame.pixels.shape for frame in frames] == [(48, 48, 4)] * 4
    assert frames[0] != frames[1]
    report = tintype.turntable(
        assets / "scarab.md5mesh", str(tmp_path / "####.png"), frames=4, size=48
    )
    assert report.written == 4 and len(report.files) == 4
    frames[2].save(tmp_path / "two.png")
    assert command("diff", report.files[2], tmp_path / "two.png").returncode == 0
    tintype.turntable(assets / "scarab.md5mesh", str(tmp_path / "scarab.gif"), frames=4, size=48)
    assert (tmp_path / "scarab.gif").read_bytes().startswith(b"GIF89a")


def test_thumbnail_is_that_of_the_command(assets, tmp_path):
    frame = tintype.thumbnail(assets / "scarab.md5mesh", size=64)
    clear = tintype.thumbnail(assets / "scarab.md5mesh", size=64, background="transparent")
    assert (frame.pixels[0, 0, 3], clear.pixels[0, 0, 3]) == (255, 0)
    frame.save(tmp_path / "a.png")
    done = command("thumbnail", assets / "scarab.md5mesh", "-s", "64", "-o", tmp_path / "b.png")
    assert done.returncode == 0, done.stderr
    assert command("diff", tmp_path / "a.png", tmp_path / "b.png").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sise": 3}, "did you mean 'size'"),
        ({"wrap": "lop"}, "did you mean \"loop\""),
        ({"size": "big"}, "size='big'"),
        ({"background": "red"}, "background='red'"),
        ({"samples": 3}, "samples"),
    ],
)
def test_mistakes_in_keywords_name_them(assets, options, message):
    with pytest.raises((tintype.Error, TypeError), match=message):
        tintype.turntable(assets / "scarab.md5mesh", frames=1, **options)


def test_other_threads_of_python_run_while_frames_are_drawn(assets):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    tintype.turntable(assets / "ranger.x", frames=8, size=256)
    stop.set()
    thread.join()
    assert counted[0] > 3


def test_command_has_the_exit_codes_of_the_program(tmp_path):
    assert command("--version").stdout.startswith("tintype ")
    done = command("render", tmp_path / "none.toml")
    assert done.returncode == 2 and "none.toml" in done.stderr


def test_contact_sheet_has_numbered_cells(assets):
    model = tintype.Model.open(assets / "ranger.x")
    sheet = model.contact_sheet("idle", "walk", frames=1, directions=2, size=128)
    cells = sheet.legend["cells"]
    assert [(cell["number"], cell["clip"], cell["view"]) for cell in cells] == [
        (1, "idle", "front"),
        (2, "idle", "back"),
        (3, "walk", "front"),
        (4, "walk", "back"),
    ]
    assert sheet.legend["size"] == [sheet.width, sheet.height]
    assert [joint["name"] for joint in cells[0]["joints"]] == [joint.name for joint in model.joints]
    with pytest.raises(TypeError, match="no keyword 'fps'"):
        model.contact_sheet(fps=2)
    with pytest.raises(TypeError, match="no keyword 'channels'"):
        model.contact_sheet(channels="depth")
    with pytest.raises(tintype.Error, match="wlak"):
        model.contact_sheet("wlak")


def test_data_set_is_drawn_in_parts(tmp_path, assets):
    recipe = tmp_path / "recipe.toml"
    text = f'[dataset]\ncount = 3\nmodels = ["{assets}/ranger.glb"]\n[output]\nsize = [48, 48]\n'
    recipe.write_text(text)
    first = tintype.dataset(recipe, tmp_path / "set", shard=(0, 2))
    assert first.drawn in (1, 2) and (first.present, first.drawn + len(first.missing)) == (0, 3)
    assert not (tmp_path / "set" / "annotations.json").exists()
    whole = tintype.dataset(recipe, tmp_path / "set")
    assert (whole.drawn + whole.present, whole.present, whole.missing) == (3, first.drawn, [])
    assert (tmp_path / "set" / "annotations.json").exists()
    assert tintype.dataset(recipe, tmp_path / "set", overwrite=True).drawn == 3
    with pytest.raises(tintype.Error, match="no part 2 of 2"):
        tintype.dataset(recipe, tmp_path / "set", shard=(2, 2))
    recipe.write_text(text.replace("count", "cuont"))
    with pytest.raises(tintype.Error, match='did you mean "count"'):
        tintype.dataset(recipe, tmp_path / "set")
