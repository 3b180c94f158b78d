"""Errors as Python has them, objects that pools of processes hand on, and files that say who drew them."""

import concurrent.futures
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tintype

pytest_plugins = ["pytester"]


def raised(error, work):
    with pytest.raises(error) as found:
        work()
    assert isinstance(found.value, tintype.Error), type(found.value)
    assert type(found.value).__module__ == "tintype._errors"
    again = pickle.loads(pickle.dumps(found.value))
    assert (type(again), str(again)) == (type(found.value), str(found.value))
    return found.value


@pytest.mark.parametrize(
    "work",
    [
        lambda path: tintype.Model.open(path / "nowhere.glb"),
        lambda path: tintype.thumbnail(path / "nowhere.glb"),
        lambda path: tintype.turntable(path / "nowhere.glb"),
        lambda path: tintype.inspect(path / "nowhere.glb"),
        lambda path: tintype.diff(path / "nowhere.glb", path / "b.glb"),
        lambda path: tintype.diff(path / "nowhere.png", path / "b.png"),
        lambda path: tintype.Scene.open(path / "nowhere.toml"),
    ],
)
def test_file_that_is_not_there(tmp_path, work):
    error = raised(FileNotFoundError, lambda: work(tmp_path))
    assert "nowhere" in str(error) and "os error" not in str(error)
    assert error.errno == 2


def test_files_that_cannot_be_read_or_written(assets, tmp_path):
    raised(IsADirectoryError, lambda: tintype.Model.open(tmp_path))
    frame = tintype.thumbnail(assets / "ranger.glb", size=16)
    (tmp_path / "file").write_bytes(b"")
    error = raised(OSError, lambda: frame.save(tmp_path / "file" / "a.png"))
    assert isinstance(error, (NotADirectoryError, FileExistsError))
    (tmp_path / "closed").mkdir(mode=0o500)
    try:
        frame.save(tmp_path / "closed" / "a.png")
    except PermissionError as denied:
        assert isinstance(denied, tintype.Error)


def test_values_and_types(assets, tmp_path):
    model = tintype.Model.open(assets / "ranger.glb")
    assert "did you mean" in str(raised(ValueError, lambda: model.pose("wlak")))
    raised(ValueError, lambda: model.render("wlak"))
    raised(ValueError, lambda: model.render(size=-1))
    raised(ValueError, lambda: tintype.Model.open(b"no model"))
    raised(ValueError, lambda: tintype.thumbnail(model, size=0))
    raised(ValueError, lambda: tintype.Frame(np.zeros((2, 2, 3), np.uint8)))
    raised(ValueError, lambda: model.render(size=16).save(tmp_path / "a.bmp"))
    raised(TypeError, lambda: tintype.Model.open(3))
    raised(TypeError, lambda: model.render(sze=16))
    raised(TypeError, lambda: model.pose(morphs={"a": "b"}))
    raised(TypeError, lambda: model.clips[1.5])
    scene = tmp_path / "a.toml"
    scene.write_text("[output]\nsice = 3\n")
    error = raised(ValueError, lambda: tintype.Scene.open(scene))
    assert [str(one) for one in pickle.loads(pickle.dumps(error)).diagnostics] == [str(one) for one in error.diagnostics]
    assert 2 in [one.line for one in error.diagnostics]


def test_parts_and_differences_are_pickled(assets):
    model = tintype.Model.open(assets / "ranger.glb")

    def again(one):
        return pickle.loads(pickle.dumps(one))

    assert again(model.clips)["walk"].period_s == model.clips["walk"].period_s
    assert again(model.clips[0]).name == model.clips[0].name
    joint, mesh = model.joints[3], model.meshes[0]
    assert again(joint).parent == joint.parent and np.array_equal(again(joint).matrix, joint.matrix)
    assert np.array_equal(again(mesh).triangles, mesh.triangles)
    found = tintype.diff(assets / "ranger.glb", assets / "scarab.md5mesh", pictures=True)
    copied = again(found)
    assert not copied.same and str(copied) == str(found) and copied.causes[0].finding == found.causes[0].finding
    assert copied.models[0].parts[0].before == found.models[0].parts[0].before


def test_pool_of_processes_takes_models(assets, tmp_path, monkeypatch):
    monkeypatch.chdir(assets)
    by_path = tintype.Model.open("scarab.md5mesh", clips=["scarab_walk.md5anim"])
    with open(assets / "ranger.glb", "rb") as file:
        by_file = tintype.Model.open(file)
    by_bytes = tintype.Model.open((assets / "ranger.glb").read_bytes())
    for model in (by_path, by_file, by_bytes):
        assert [clip.name for clip in pickle.loads(pickle.dumps(model)).clips] == [clip.name for clip in model.clips]
    frame = pickle.loads(pickle.dumps(by_file)).render("walk", 0.25, size=24)
    assert frame == by_file.render("walk", 0.25, size=24)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert list(pool.map(len, [by_path.joints, by_bytes.joints])) == [len(by_path.joints), len(by_bytes.joints)]


def test_saved_frame_says_who_drew_it(assets, tmp_path):
    path = assets / "ranger.glb"
    frame = tintype.thumbnail(path, tmp_path / "ours.png", size=32)
    command = [sys.executable, "-m", "tintype", "thumbnail", str(path), "--size", "32", "-o", str(tmp_path / "own.png")]
    subprocess.run(command, check=True, capture_output=True)
    Image = pytest.importorskip("PIL.Image")
    ours, own = [Image.open(tmp_path / name).text for name in ("ours.png", "own.png")]
    for key in ("Software", "tintype:pixel-revision", "tintype:frame", "tintype:digest"):
        assert ours[key] == own[key] == frame.provenance[key]
    assert tintype.thumbnail(tintype.Model.open(path), size=32).provenance == frame.provenance
    assert pickle.loads(pickle.dumps(frame)).to_png() == frame.to_png()
    frame.pixels[0, 0] = 0, 0, 255, 255
    assert frame.provenance == {}
    frame.save(tmp_path / "changed.png")
    assert "tintype:digest" not in Image.open(tmp_path / "changed.png").text


def test_failure_of_the_fixture_stands_alone(pytester, assets):
    pytester.makepyfile("def test_a(tintype_golden):\n    tintype_golden('nowhere.glb')\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    told = result.stdout.str()
    assert "nowhere.glb" in told
    assert "During handling" not in told and "Traceback" not in told


def test_open_model_is_read_and_its_pictures_are_decoded_once(assets, tmp_path):
    copy = tmp_path / "ranger.glb"
    copy.write_bytes((assets / "ranger.glb").read_bytes())
    model = tintype.Model.open(copy)
    first = model.render(size=16)
    copy.unlink()
    assert model.render(size=16) == first
    assert model.render("walk", 0.5, size=16) != first
