"""What people of Python expect: signatures, names as keys, pickle, progress, and files of the format that their name says."""

import ast
import copy
import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest

import tintype
from tintype import _tintype


def keywords_of(function):
    parameters = inspect.signature(function).parameters.values()
    return {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}


def test_signatures_have_the_keywords_that_are_read_and_typed():
    assert keywords_of(tintype.turntable) == set(_tintype._KEYWORDS)
    still = keywords_of(tintype.Model.render)
    not_of_stills = {"clips", "clip", "frames", "fps", "turn_deg", "threads", "overwrite", "progress"}
    assert still == set(_tintype._KEYWORDS) - not_of_stills
    stub = Path(tintype.__file__).with_name("_tintype.pyi").read_text(encoding="utf-8")
    classes = {one.name: one for one in ast.parse(stub).body if isinstance(one, ast.ClassDef)}
    typed = {
        name: {part.target.id for part in classes[name].body if isinstance(part, ast.AnnAssign)}
        for name in ("_Look", "_Turn")
    }
    assert typed["_Look"] == still
    assert typed["_Look"] | typed["_Turn"] == set(_tintype._KEYWORDS)
    for keyword in _tintype._KEYWORDS:
        assert f"`{keyword}`" in tintype.turntable.__doc__, keyword


def test_defaults_of_the_signature_draw_what_no_keyword_draws(assets):
    parameters = inspect.signature(tintype.turntable).parameters.values()
    defaults = {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}
    defaults |= {"frames": 2, "size": 32}
    told = tintype.turntable(assets / "ranger.x", **defaults)
    assert told == tintype.turntable(assets / "ranger.x", frames=2, size=32)


def test_model_stands_for_its_file(assets):
    walk = assets / "ranger_walk.md5anim"
    model = tintype.Model.open(assets / "ranger.md5mesh", clips=[walk])
    own = tintype.turntable(assets / "ranger.md5mesh", clips=[walk], frames=2, size=32)
    assert tintype.turntable(model, frames=2, size=32) == own
    assert tintype.turntable(assets / "ranger.md5mesh", frames=2, size=32) != own
    assert tintype.thumbnail(model, size=32).width == 32
    assert tintype.diff(model, model).same
    page = tintype.inspect(model)
    assert page["models"][0]["name"] and page["version"] == 1
    with pytest.raises(tintype.Error, match="nowhere.x"):
        tintype.inspect("nowhere.x")


def test_parts_have_names_and_positions(assets):
    clips = tintype.Model.open(assets / "ranger.glb").clips
    assert clips["walk"].name == "walk" and clips[-1].name == clips.names()[-1]
    assert "walk" in clips and "wlak" not in clips
    assert [clip.name for clip in clips[1:]] == clips.names()[1:]
    with pytest.raises(KeyError, match="did you mean .*walk"):
        clips["wlak"]
    with pytest.raises(IndexError):
        clips[len(clips)]


def test_frame_is_copied_pickled_and_made_of_pixels(assets):
    frame = tintype.thumbnail(assets / "ranger.glb", size=24)
    for other in (copy.deepcopy(frame), copy.copy(frame), pickle.loads(pickle.dumps(frame))):
        assert other == frame
    changed = frame.pixels.copy()
    changed[0, 0] = 0
    assert tintype.Frame(changed) != frame
    assert frame.__array_interface__["shape"] == (24, 24, 4)
    with pytest.raises(tintype.Error, match="expected"):
        tintype.Frame(np.zeros((2, 2, 3), np.uint8))
    image = pytest.importorskip("PIL.Image")
    assert np.array_equal(np.asarray(image.fromarray(frame)), frame.pixels)


BEGINNINGS = {
    "png": b"\x89PNG",
    "jpg": b"\xff\xd8\xff",
    "webp": b"RIFF",
    "gif": b"GIF89a",
    "apng": b"\x89PNG",
}


@pytest.mark.parametrize("extension", ["png", "jpg", "webp"])
def test_frame_is_saved_as_its_name_says(assets, tmp_path, extension):
    frame = tintype.thumbnail(assets / "ranger.glb", size=24)
    path = tmp_path / f"a.{extension}"
    frame.save(path)
    assert path.read_bytes() == frame.to_bytes(extension)
    assert path.read_bytes().startswith(BEGINNINGS[extension])


def test_transparent_jpeg_is_white_and_says_so(assets, tmp_path):
    frame = tintype.thumbnail(assets / "ranger.glb", size=24, background="transparent")
    with pytest.warns(tintype.Warning, match="no alpha"):
        frame.save(tmp_path / "a.jpg")
    with pytest.warns(tintype.Warning, match="no alpha"):
        tintype.turntable(
            assets / "ranger.glb",
            tmp_path / "##.jpg",
            frames=2,
            size=24,
            background="transparent",
        )


@pytest.mark.parametrize("extension", ["gif", "webp", "apng"])
def test_turntable_is_a_file_as_its_name_says(assets, tmp_path, extension):
    path = tmp_path / f"a.{extension}"
    report = tintype.turntable(assets / "ranger.glb", path, frames=3, size=24)
    assert (report.written, report.files) == (3, [path])
    assert path.read_bytes().startswith(BEGINNINGS[extension])
    if extension == "webp":
        assert path.read_bytes().count(b"ANMF") == 3


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.avi", "a.####.gif", "a", "a.exr"])
def test_name_that_cannot_hold_the_frames_is_an_error(assets, tmp_path, name):
    with pytest.raises(tintype.Error):
        tintype.turntable(assets / "ranger.glb", tmp_path / name, frames=3, size=24)
    with pytest.raises(tintype.Error):
        tintype.thumbnail(assets / "ranger.glb", size=24).save(tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_video_without_ffmpeg_is_an_error(assets, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tintype.Error, match="ffmpeg"):
        tintype.turntable(assets / "ranger.glb", tmp_path / "a.mp4", frames=3, size=24)
    assert list(tmp_path.iterdir()) == []


def test_progress_is_told_and_may_end_the_work(assets, tmp_path, scenes):
    told = []
    tintype.turntable(assets / "ranger.glb", frames=5, size=16, progress=lambda *now: told.append(now))
    assert told[-1] == (5, 5) and told == sorted(told)
    told.clear()
    output = tmp_path / "####.png"
    tintype.turntable(assets / "ranger.glb", output, frames=5, size=16, progress=lambda *now: told.append(now))
    assert told[-1] == (5, 5)
    told.clear()
    scene = tintype.Scene.open(scenes / "walk.toml")
    scene.render(tmp_path / "w.####.jpg", frames="0-2", progress=lambda *now: told.append(now))
    assert told[-1] == (3, 3)

    def stop(done, count):
        raise ValueError(f"{done} of {count}")

    with pytest.raises(ValueError, match="of 5"):
        tintype.turntable(assets / "ranger.glb", tmp_path / "a.gif", frames=5, size=16, progress=stop)
    with pytest.raises(TypeError, match="progress"):
        tintype.turntable(assets / "ranger.glb", frames=1, progress=3)
