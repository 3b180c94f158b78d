"""Differences and their causes as objects."""

import json
import pickle
import shutil
import xml.etree.ElementTree

import numpy as np
import pytest

import tintype


def edited(assets, folder, name, old, new):
    """Copies the scarab and its textures, with one text of one of its files replaced."""
    shutil.copytree(assets / "textures", folder / "textures")
    for file in assets.glob("scarab*.md5*"):
        shutil.copy(file, folder)
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    return folder


def test_same_files_have_no_cause(assets):
    diff = tintype.diff(assets / "ranger.x", assets / "ranger_bin.x")
    assert diff.same and diff.causes == [] and str(diff) == "the same"
    assert diff.models[0].state == "same" and len(diff.models[0].parts) > 1


def test_time_base_of_a_clip_is_a_cause(assets, tmp_path):
    folder = edited(assets, tmp_path / "export", "scarab_walk.md5anim", "frameRate 24", "frameRate 12")
    diff = tintype.diff(assets / "scarab.md5mesh", folder / "scarab.md5mesh")
    assert not diff.same
    first = diff.causes[0]
    assert (first.subject, first.clip, first.stage) == ("scarab.md5mesh", "scarab_walk", "time")
    assert first.finding["kind"] == "rate-changed"
    assert first.finding["is"] == {"value": 12.0, "unit": "keys-a-second"}
    assert first.text == "the clip runs at 12 keys per second, was 24"
    assert str(first) in repr(diff)


def test_joint_that_moved_is_named_with_pictures(assets, tmp_path):
    lines = (assets / "scarab.md5mesh").read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("joints {")) + 2
    old = lines[at]
    name = old.split('"')[1]
    numbers = old.split("(")[1].split()
    new = old.replace(f"( {numbers[0]} ", f"( {float(numbers[0]) + 0.05} ", 1)
    folder = edited(assets, tmp_path / "export", "scarab.md5mesh", old, new)
    diff = tintype.diff(assets / "scarab.md5mesh", folder / "scarab.md5mesh", pictures=True)
    part = diff.models[0].parts[0]
    assert part.clip is None and part.state == "different"
    assert name in [joint.name for joint in part.joints]
    assert {"element": "joint", "name": name} in [cause.finding["of"] for cause in part.causes]
    assert part.before.pixels.shape == part.after.pixels.shape and part.before != part.after
    assert 0 < part.farthest < 1
    row = diff.models[0].contact_sheet.legend["rows"][0]
    assert row["clip"] is None and row["findings"][0]["of"] == {"element": "joint", "name": name}
    assert [cell["side"] for cell in row["cells"]] == ["before", "after"] and row["cells"][0]["regions"]
    assert tintype.diff(assets / "scarab.md5mesh", folder / "scarab.md5mesh").models[0].contact_sheet is None
    assert tintype.diff(assets / "scarab.md5mesh", folder / "scarab.md5mesh", tolerance=0.5).same


def test_golden_pictures_name_the_stage_of_their_records(scenes):
    golden = scenes.parent / "golden" / "walk"
    diff = tintype.diff(golden / "0000.png", golden / "0009.png", pictures=True)
    picture = diff.pictures[0]
    assert picture.state == "different" and picture.pixels > 100 and picture.largest > 50
    left, top, right, bottom = picture.box
    assert left < right and top < bottom
    assert 0 < picture.flip < 1 and picture.heat.pixels.any()
    cause = diff.causes[0]
    assert cause.stage in {"scene", "pose", "skin"} and cause.evidence


def test_pictures_without_records_have_their_pixels(assets, tmp_path):
    model = tintype.Model.open(assets / "scarab.md5mesh")
    frames = [model.render(size=48, azimuth_deg=angle) for angle in (0, 40)]
    for name, frame in zip("ab", frames, strict=True):
        frame.save(tmp_path / f"{name}.png")
    of_files = tintype.diff(tmp_path / "a.png", tmp_path / "b.png")
    of_frames = tintype.diff(*frames, pictures=True)
    assert [cause.stage for cause in of_files.causes] == ["pixels"]
    assert of_frames.causes[0].text == of_files.causes[0].text
    assert of_frames.pictures[0].heat.pixels.shape == (48, 48, 4)
    assert tintype.diff(frames[0], frames[0]).same
    assert tintype.diff(*frames, metric="flip", bound=0.99).same


def test_folders_list_models_pictures_and_files(assets, tmp_path):
    a = edited(assets, tmp_path / "a", "scarab.md5mesh", "MD5Version", "MD5Version")
    b = edited(assets, tmp_path / "b", "scarab_walk.md5anim", "frameRate 24", "frameRate 30")
    shutil.copy(assets / "ranger.x", b / "new.x")
    (a / "notes.mtr").write_text("one")
    (b / "notes.mtr").write_text("two")
    diff = tintype.diff(a, b)
    states = {model.name: model.state for model in diff.models}
    assert states == {"new.x": "only-b", "scarab.md5mesh": "different"}
    assert [(file.name, file.state) for file in diff.files] == [("notes.mtr", "different")]
    stages = [(cause.subject, cause.stage) for cause in diff.causes]
    assert ("new.x", "missing") in stages and ("notes.mtr", "content") in stages


def test_report_is_written_as_page_json_and_junit(assets, tmp_path):
    a = edited(assets, tmp_path / "a", "scarab.md5mesh", "MD5Version", "MD5Version")
    b = edited(assets, tmp_path / "b", "scarab_walk.md5anim", "frameRate 24", "frameRate 30")
    diff = tintype.diff(a, b, pictures=True)
    diff.write_report(tmp_path / "page")
    assert "scarab.md5mesh" in (tmp_path / "page" / "index.html").read_text()
    found = json.loads(diff.to_json())
    assert (found["passes"], found["models"][0]["state"]) == (False, "different")
    junit = xml.etree.ElementTree.fromstring(diff.to_junit())
    failed = [case.get("name") for case in junit.iter("testcase") if case.find("failure") is not None]
    assert failed == ["clip scarab_walk"]
    picture = str(tmp_path / "page" / "pictures")
    assert picture in diff.to_junit(tmp_path / "page") and picture not in diff.to_junit()
    frame = tintype.Model.open(assets / "scarab.md5mesh").render(size=32)
    for other in (tintype.diff(frame, frame), pickle.loads(pickle.dumps(diff))):
        with pytest.raises(tintype.Error, match="two paths"):
            other.to_json()


def test_renamed_model_is_told(assets, tmp_path):
    for name, file in (("a", "old.x"), ("b", "new.x")):
        (tmp_path / name).mkdir()
        shutil.copy(assets / "ranger.x", tmp_path / name / file)
    diff = tintype.diff(tmp_path / "a", tmp_path / "b")
    assert diff.models[0].renamed_from == "old.x"
    assert diff.causes[0].text == "renamed from old.x"


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (("none.glb", "none.glb"), {}, "none.glb"),
        (("none.png", "none.png"), {}, "none.png"),
        (("a", "b"), {"tolerance": -1.0}, "tolerance=-1"),
        (("a", "b"), {"bound": 1.0}, "metric"),
        (("a", "b"), {"metric": "flop"}, "flop"),
    ],
)
def test_mistakes_are_errors(tmp_path, words, options, message):
    with pytest.raises(tintype.Error, match=message):
        tintype.diff(*(tmp_path / word for word in words), **options)


def test_broken_model_is_an_error_and_in_a_folder_an_entry(assets, tmp_path):
    a = edited(assets, tmp_path / "a", "scarab.md5mesh", "MD5Version", "MD5Version")
    b = edited(assets, tmp_path / "b", "scarab.md5mesh", "MD5Version", "MD6Version")
    with pytest.raises(tintype.Error, match="scarab.md5mesh"):
        tintype.diff(a / "scarab.md5mesh", b / "scarab.md5mesh")
    diff = tintype.diff(a, b)
    assert [model.state for model in diff.models] == ["unreadable"]
    assert diff.causes[0].stage == "unreadable" and "MD6Version" in diff.causes[0].text


def test_vertices_are_not_copied(assets):
    posed = tintype.Model.open(assets / "ranger.x").pose("walk", 0.5)
    for mesh in posed.meshes:
        for array in (mesh.positions, mesh.normals):
            address = array.__array_interface__["data"][0]
            assert array.flags.c_contiguous and array.dtype == np.float32
            assert np.asarray(array).__array_interface__["data"][0] == address
            assert array.ravel().__array_interface__["data"][0] == address
            assert np.frombuffer(array, np.float32).__array_interface__["data"][0] == address
    first, again = (posed.meshes[0].positions for _ in range(2))
    assert first.__array_interface__["data"][0] == again.__array_interface__["data"][0]
