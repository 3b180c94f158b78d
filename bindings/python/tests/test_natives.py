"""What people of Python expect: signatures, names as keys, pickle, progress, and files of the format that their name says."""

import ast
import base64
import copy
import inspect
import io
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import tintype
from tintype import _tintype


def test_keywords_are_typed_and_told():
    stub = Path(tintype.__file__).with_name("_tintype.pyi").read_text(encoding="utf-8")
    classes = {one.name: one for one in ast.parse(stub).body if isinstance(one, ast.ClassDef)}
    functions = {
        "turntable": ("_Turn", tintype.turntable),
        "Model.render": ("_Still", tintype.Model.render),
        "Model.contact_sheet": ("_ContactSheet", tintype.Model.contact_sheet),
        "thumbnail": ("_Thumbnail", tintype.thumbnail),
        "gallery": ("_Thumbnail", tintype.gallery),
    }
    assert functions.keys() == _tintype._KEYWORDS.keys()
    for name, (typed, function) in functions.items():
        keywords = _tintype._KEYWORDS[name]
        parts = classes[typed].body
        assert {part.target.id for part in parts if isinstance(part, ast.AnnAssign)} == set(keywords)
        for keyword in keywords:
            assert f"`{keyword}`" in function.__doc__, (name, keyword)
        assert str(inspect.signature(function)).endswith("**options)")


def test_none_and_what_is_the_default_draw_what_no_keyword_draws(assets):
    defaults = {"samples": 4, "anisotropy": 1, "shade": "textured", "look": "studio", "exposure": 1, "root": "keep", "turn_deg": 360.0}
    defaults |= dict.fromkeys(["background", "label", "view", "projection", "wrap", "up", "front", "tone"])
    told = tintype.turntable(assets / "ranger.x", frames=2, size=32, **defaults)
    assert told == tintype.turntable(assets / "ranger.x", frames=2, size=32)


def test_thumbnails_and_turntables_say_settings_by_the_same_word(assets):
    model = assets / "ranger.glb"
    plain = tintype.thumbnail(model, size=32)
    for own in [{"exposure": 2}, {"azimuth_deg": 90}, {"elevation_deg": 60.0}, {"view": "top"}, {"time_s": 0.25}, {"occlusion": 0}, {"tone": "none"}]:
        assert tintype.thumbnail(model, size=32, **own) != plain, own
    still = tintype.Model.open(model).render(size=32)
    assert tintype.Model.open(model).render(size=32, exposure=2) != still
    with pytest.raises(tintype.Error, match="exposure=0: 0 is out of range; expected above 0, at most 1000"):
        tintype.turntable(model, frames=1, exposure=0)
    with pytest.raises(tintype.Error, match="the clip \"idle\" has 2.500 s"):
        tintype.thumbnail(model, size=32, time_s=9)
    with pytest.raises(tintype.Error, match="set output"):
        tintype.turntable(model, frames=1, aov="depth")


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
    with pytest.raises(IsADirectoryError):
        tintype.inspect(assets)


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


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.avi", "a.####.gif", "a.exr"])
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


def test_model_is_bytes_or_a_file_that_is_open(assets, tmp_path):
    path = assets / "ranger.glb"
    content = path.read_bytes()
    own = tintype.thumbnail(path, size=32)
    with path.open("rb") as opened:
        assert tintype.thumbnail(opened, size=32) == own
    for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        assert tintype.thumbnail(source, size=32) == own
    turned = tintype.turntable(io.BytesIO(content), frames=2, size=24)
    assert turned == tintype.turntable(path, frames=2, size=24)
    report = tintype.turntable(content, tmp_path / "a.gif", frames=2, size=24)
    assert report.files == [tmp_path / "a.gif"]
    model = tintype.Model.open(io.BytesIO(content))
    assert model.clips.names() == tintype.Model.open(path).clips.names()
    assert model.render("walk", 0.5, size=24) == tintype.Model.open(path).render("walk", 0.5, size=24)
    assert tintype.thumbnail(model, size=32) == own
    told = tintype.inspect(content)
    meshes = tintype.inspect(path)["models"][0]["meshes"]
    assert told["models"][0]["meshes"] == meshes and told["models"][0]["name"] == "model"
    assert tintype.inspect(model)["models"] == told["models"]
    assert tintype.diff(content, path).same and tintype.diff(model, io.BytesIO(content)).same
    assert not tintype.diff(content, assets / "ranger.x").same
    assert not [line for line in json.dumps(told).split('"') if line.startswith("/tmp")]
    # Textures of a file that is open are beside it.
    with (assets / "ranger.md5mesh").open("rb") as opened:
        assert tintype.thumbnail(opened, size=24).width == 24


def test_source_that_is_no_model_is_an_error(assets):
    with pytest.raises(TypeError, match="mode 'rb'"):
        tintype.thumbnail(io.StringIO("text"))
    with pytest.raises(TypeError, match="expected a path, a Model, bytes"):
        tintype.thumbnail(3)
    with pytest.raises(tintype.Error):
        tintype.thumbnail(b"no model")
    with pytest.raises(tintype.Error, match="clips"):
        tintype.Model.open((assets / "ranger.glb").read_bytes(), clips=["a.md5anim"])


def test_turntable_is_a_list_that_a_notebook_shows(assets):
    turned = tintype.turntable(assets / "ranger.glb", frames=3, size=(24, 16))
    assert isinstance(turned, list) and len(turned) == 3 and turned.fps == 24.0
    html = turned._repr_html_()
    assert html.startswith('<img width="24" height="16"')
    data = base64.b64decode(html.split("base64,")[1].split('"')[0])
    assert data.startswith(b"RIFF") and data.count(b"ANMF") == 3
    assert turned.to_bytes("gif").startswith(b"GIF89a")
    again = pickle.loads(pickle.dumps(turned))
    assert again == turned and again.fps == turned.fps and len(again.cameras) == 3
    assert copy.deepcopy(turned) == turned and "3 of 24x16" in repr(turned)
    assert tintype.Frames()._repr_html_() is None
    with pytest.raises(tintype.Error, match="different sizes"):
        tintype.Frames([turned[0], tintype.thumbnail(assets / "ranger.glb", size=8)]).to_bytes()
    with pytest.raises(tintype.Error, match="format"):
        turned.to_bytes("png")


def test_cameras_are_matrices_that_place_the_model(assets):
    model = tintype.Model.open(assets / "ranger.glb")
    turned = tintype.turntable(
        model, frames=4, size=64, background="transparent", clip="bind", look="classic"
    )
    vertices = np.concatenate([mesh.positions for mesh in model.pose().meshes])
    points = np.hstack([vertices, np.ones((len(vertices), 1))])
    for frame, camera in zip(turned, turned.cameras):
        assert np.allclose(camera, camera.clip_from_view @ camera.view_from_world)
        clip = points @ np.asarray(camera).T
        x, y = ((1 + clip[:, 0] / clip[:, 3]) * 32, (1 - clip[:, 1] / clip[:, 3]) * 32)
        rows, columns = np.nonzero(frame.pixels[:, :, 3])
        found = np.array([x.min(), y.min(), x.max(), y.max()])
        seen = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1])
        assert np.abs(found - seen).max() < 1.5
    assert not np.allclose(turned.cameras[0], turned.cameras[1])


def test_scene_gives_views_and_cameras(scenes):
    scene = tintype.Scene.open(scenes / "walk.toml")
    frame, legend = scene.view(0, "depth")
    assert frame.pixels.shape == (scene.size[1], scene.size[0], 4) and legend
    assert scene.view(0, "normal")[0] != frame
    assert scene.camera(0).view_from_world.shape == (4, 4)
    for wrong in ("dept", "depth,normal", "joint:nobody"):
        with pytest.raises(tintype.Error):
            scene.view(0, wrong)
    with pytest.raises(tintype.Error):
        scene.camera(10**6)
    assert copy.deepcopy(scene) is scene


def test_models_are_copied(assets):
    model = tintype.Model.open(assets / "ranger.glb")
    assert copy.deepcopy({"a": model})["a"] is model and copy.copy(model) is model


@pytest.mark.parametrize("name", ["frames", "slash.png/", "v1.2"])
def test_name_without_an_extension_is_a_folder(assets, tmp_path, scenes, name):
    report = tintype.turntable(assets / "ranger.glb", f"{tmp_path}/{name}", frames=2, size=16)
    folder = tmp_path / name
    assert [path.name for path in report.files] == ["0000.png", "0001.png"]
    assert sorted(path.name for path in folder.iterdir()) == ["0000.png", "0001.png"]
    scene = tintype.Scene.open(scenes / "walk.toml")
    scene.render(folder, frames="4")
    assert (folder / "0004.png").is_file()


def test_notebook_shows_frames_and_turntables(assets):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    lines = ["import tintype", f"model = tintype.Model({str(assets / 'ranger.glb')!r})"]
    cells = ["\n".join(lines), "tintype.turntable(model, frames=3, size=24)", "model.render('walk', size=24)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [[output.data for output in cell.outputs] for cell in notebook.cells]
    assert shown[0] == []
    [turntable], [frame] = shown[1:]
    assert turntable["text/html"].startswith('<img width="24" height="24" alt="3 frames" src="data:image/webp;base64,')
    assert base64.b64decode(frame["image/png"]).startswith(BEGINNINGS["png"])


def test_notebook_of_a_body_runs():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    examples = Path(__file__).resolve().parents[1] / "examples"
    notebook = nbformat.read(examples / "body.ipynb", as_version=4)
    at = {"metadata": {"path": str(examples)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=at).execute()
    shown = [output.data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert "(6890, 3)" in shown[0]["text/plain"]
    assert [b64 is not None for b64 in (one.get("image/png") for one in shown[1:])] == [True] * 4


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("tintype.turntable(ranger, resolution=64)", "turntable() has no keyword 'resolution'; did you mean 'size'?"),
        ("tintype.turntable(ranger, n_frames=64)", "turntable() has no keyword 'n_frames'; did you mean 'frames'?"),
        ("tintype.turntable(ranger, azimuth=9)", "turntable() has no keyword 'azimuth'; did you mean 'azimuth_deg'?"),
        ("tintype.turntable(ranger, zoom=9)", "turntable() has no keyword 'zoom'; the keywords are turn_deg, directions, ground"),
        ("tintype.turntable(ranger, frames=0)", "frames: 0; expected a whole number above 0"),
        ("tintype.turntable(ranger, size='huge')", "size='huge': found the string \"huge\"; expected [width, height] in pixels"),
        ("tintype.turntable(ranger, textures=3)", "textures=3: expected a path, or a list of paths"),
        ("tintype.turntable(ranger, clip='wlak')", 'did you mean "walk"?; available: walk, idle, wave, bind'),
        ("tintype.thumbnail(ranger, width=64)", "thumbnail() has no keyword 'width'; did you mean 'size'?"),
        ("tintype.thumbnail(ranger, size=(64, 32))", "size=(64, 32): expected one whole number of pixels"),
        ("tintype.thumbnail(scene)", "walk.toml: expected a model, found a scene; open it with tintype.Scene.open"),
        ("tintype.Model.open(assets / 'rangr.glb')", 'rangr.glb: no such file; did you mean "ranger.glb"?'),
        ("tintype.Model.open(open(ranger, encoding='utf-8'))", "open the file with mode 'rb'"),
        ("tintype.Model.open(closed)", "the file is closed: open it again with mode 'rb', or give its path"),
        ("tintype.Model.open(b'')", "the model data is empty"),
        ("tintype.Scene.open(ranger)", "ranger.glb: expected a scene, found a model"),
        ("tintype.Scene.open(scene.with_name('walkk.toml'))", "walkk.toml: no such file; did you mean"),
        ("tintype.Scene.open(scene).render(size=3)", "Scene.render() has no keyword 'size'; the keywords are output, frames"),
        ("tintype.Scene.open(scene).render(frames=[0.5])", "frames: expected a string such as '0-47', a number, or numbers"),
        ("model.pose('walk', time=1)", "Model.pose() has no keyword 'time'; did you mean 'time_s'?"),
        ("model.pose().save_obj('a.glb')", "a.glb: only OBJ is written; use a.obj"),
        ("model.turntable()", "use the module function tintype.turntable(model)"),
        ("model.animations", "'Model' has no attribute 'animations'; its clips are in model.clips"),
        ("tintype.load(ranger)", "Model.open reads a model, Scene.open a scene"),
        ("tintype.Frame([[0]])", "pixels: expected a numpy array of uint8[height, width, 4]"),
        ("tintype.Frame(np.zeros((2, 2, 4)))", "pixels: expected a numpy array of uint8[height, width, 4]"),
    ],
)
def test_mistakes_are_answered_with_what_is_meant(assets, scenes, call, answer):
    ranger = assets / "ranger.glb"
    closed = ranger.open("rb")
    closed.close()
    names = {"ranger": ranger, "scene": scenes / "walk.toml", "assets": assets, "closed": closed}
    with pytest.raises((tintype.Error, TypeError, ValueError, AttributeError)) as told:
        eval(call, globals(), names | {"model": tintype.Model(ranger)})
    assert answer in str(told.value)


def test_one_path_and_numbers_stand_for_lists(assets, scenes, tmp_path):
    walk = assets / "ranger_walk.md5anim"
    one = tintype.turntable(assets / "ranger.md5mesh", frames=2, size=[16, 16], clips=walk)
    assert one == tintype.turntable(assets / "ranger.md5mesh", frames=2, size=(16, 16), clips=[walk])
    scene = tintype.Scene(scenes / "slant.toml")
    assert scene.render(tmp_path, frames=0).frames == [0]
    frame = tintype.thumbnail(assets / "ranger.glb", tmp_path / "a.png", size=24)
    assert (tmp_path / "a.png").read_bytes() == frame.to_png()
    plain, labelled = (tintype.turntable(assets / "ranger.glb", frames=1, size=96, label=text) for text in (None, "{file}"))
    assert plain != labelled
