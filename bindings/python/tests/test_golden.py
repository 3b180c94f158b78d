"""Goldens of scenes without pytest's plugin: what a run knows, and the acceptance of one."""

import pytest

import tintype


@pytest.fixture
def project(assets, tmp_path):
    """A scene of two frames whose goldens were accepted, then drawn before another colour."""
    scenes = tmp_path / "scenes"
    scenes.mkdir()

    def write(color):
        text = f"""
[output]
size = [24, 24]
frames = "0-1"
background = "{color}"
[[model]]
file = {str(assets / "scarab.md5mesh")!r}
[golden]
frames = "0-1"
"""
        (scenes / "a.toml").write_text(text)

    write("#000000")
    tintype.GoldenSet.open(scenes).bless()
    write("#ff0000")
    return tmp_path


def test_one_golden_is_accepted_and_brought_back(project):
    test = lambda: tintype.GoldenSet.open(project / "scenes").test()
    run = test()
    assert run.counts == {"same": 0, "within": 0, "known": 0, "failed": 2, "left": 0}
    assert run.stray == [] and run.warnings == []
    one = run.goldens[1]
    before = one.path.read_bytes()
    accepted = run.accept_one(one)
    assert one.path in accepted.files and repr(accepted).startswith("<tintype.Acceptance: ")
    assert test().counts["same"] == 1
    accepted.undo()
    assert one.path.read_bytes() == before

    # A file that changed since is kept.
    accepted = run.accept_one(one)
    one.path.write_bytes(b"changed")
    with pytest.raises(tintype.Error, match="changed since it was accepted"):
        accepted.undo()
    assert one.path.read_bytes() == b"changed"
    one.path.write_bytes(before)

    again = test()
    for golden in again.goldens:
        again.accept_one(golden)
    passed = test()
    assert passed.passed
    with pytest.raises(tintype.Error, match="no failing golden"):
        passed.accept_one(passed.goldens[0])


def test_goldens_without_a_scene_are_told(project):
    (project / "scenes" / "b.toml").write_text((project / "scenes" / "a.toml").read_text())
    (project / "scenes" / "a.toml").unlink()
    run = tintype.GoldenSet.open(project / "scenes").test()
    assert {golden.state for golden in run.stray} == {"dangling"} and not run.passed
    with pytest.raises(tintype.Error, match="no scene or golden has .no such scene. in its path"):
        tintype.GoldenSet.open(project / "scenes").select("no such scene")


def test_goldens_are_selected_moved_and_pruned(project):
    scenes = project / "scenes"
    open_set = lambda: tintype.GoldenSet.open(scenes)
    open_set().bless()
    assert open_set().select("*/golden/a/*1.png").test().counts["same"] == 1
    (scenes / "a.toml").rename(scenes / "b.toml")
    moved = open_set().move_goldens()
    assert moved and all(new.exists() and not old.exists() for old, new in moved)
    assert open_set().test().passed
    (scenes / "c.toml").write_text((scenes / "b.toml").read_text())
    (scenes / "b.toml").unlink()
    pruned = open_set().prune()
    assert set(pruned) >= {new for _, new in moved}
    assert open_set().test().stray == []


def test_gallery_has_pictures_of_all_models(assets, tmp_path):
    broken = tmp_path / "models" / "broken.glb"
    broken.parent.mkdir()
    broken.write_bytes(b"no model")
    (broken.parent / "ranger.glb").write_bytes((assets / "ranger.glb").read_bytes())
    gallery = tintype.gallery(broken.parent, tmp_path / "out", size=32)
    bad, good = gallery.models
    assert (bad.name, bad.picture) == ("broken.glb", None) and "without a glTF header" in bad.problem
    assert good.problem is None and good.warnings == []
    tintype.thumbnail(assets / "ranger.glb", tmp_path / "alone.png", size=32)
    assert tintype.diff(good.picture, tmp_path / "alone.png").same
    assert gallery.sheet().height == 32
    gallery.write_page()
    assert (tmp_path / "out" / "index.html").is_file()
    assert repr(gallery) == "<tintype.Gallery 1 of 2 drawn>"
    with pytest.raises(TypeError, match="gallery.. has no keyword 'szie'; did you mean 'size'"):
        tintype.gallery(assets, tmp_path / "out", szie=3)
    with pytest.raises(tintype.Error, match="none of the .* has a clip"):
        tintype.gallery(assets, tmp_path / "out", size=32, clip="no such clip")
    with pytest.raises(tintype.Error):
        tintype.gallery(tmp_path / "nothing", tmp_path / "out")
