"""Models, clips and poses."""

import numpy as np
import pytest

import tintype


def test_model_lists_joints_meshes_and_clips(assets):
    model = tintype.Model.open(assets / "ranger.x")
    names = [joint.name for joint in model.joints]
    assert len(names) == len(set(names)) > 10
    assert model.joints[0].parent is None
    assert all(joint.parent is None or joint.parent < i for i, joint in enumerate(model.joints))
    assert model.clips[0].period_s > 0
    mesh = model.meshes[0]
    assert mesh.triangles.dtype == np.uint32 and mesh.triangles.shape[1] == 3
    assert mesh.texcoords.shape == (mesh.triangles.max() + 1, 2)
    assert str(assets / "ranger.x") in repr(model)


def test_bind_pose_is_the_pose_without_a_clip(assets):
    model = tintype.Model.open(assets / "ranger.md5mesh")
    posed = model.pose()
    for joint, matrix in zip(model.joints, posed.matrices, strict=True):
        np.testing.assert_allclose(matrix, joint.matrix, atol=1e-6)


def test_pose_moves_and_normals_are_unit(assets):
    model = tintype.Model.open(assets / "ranger.md5mesh", clips=[assets / "ranger_walk.md5anim"])
    clip = model.clips[0]
    first, later = model.pose(clip.name, 0.0), model.pose(clip.name, clip.period_s / 4)
    a, b = first.meshes[0], later.meshes[0]
    assert a.positions.dtype == np.float32 and a.positions.shape[1] == 3
    assert np.abs(a.positions - b.positions).max() > 0.01
    np.testing.assert_allclose(np.linalg.norm(b.normals, axis=1), 1, atol=1e-5)
    # One round later the pose is the same.
    again = model.pose(clip.name, clip.period_s * 1.25)
    np.testing.assert_allclose(again.meshes[0].positions, b.positions, atol=1e-3)


def test_twins_of_two_formats_have_one_shape(assets):
    md5 = tintype.Model.open(assets / "ranger.md5mesh", clips=[assets / "ranger_walk.md5anim"])
    x = tintype.Model.open(assets / "ranger.x")
    clouds = [
        np.concatenate([mesh.positions for mesh in posed.meshes])
        for posed in (md5.pose(md5.clips[0].name, 0.3), x.pose(x.clips[0].name, 0.3))
    ]
    spans = [cloud.max(axis=0) - cloud.min(axis=0) for cloud in clouds]
    # The axes of the files differ in the plane of the ground.
    np.testing.assert_allclose(np.sort(spans[0]), np.sort(spans[1]), rtol=1e-3)


def test_obj_holds_the_vertices(assets, tmp_path):
    posed = tintype.Model.open(assets / "ranger.x").pose()
    posed.save_obj(tmp_path / "ranger.obj")
    lines = (tmp_path / "ranger.obj").read_text().splitlines()
    vertices = [line for line in lines if line.startswith("v ")]
    assert len(vertices) == sum(len(mesh.positions) for mesh in posed.meshes)


def test_morphs_are_set_by_name_number_and_pattern(assets):
    model = tintype.Model.open(assets / "ranger.glb")
    first, second = model.morphs[:2]
    assert (first.number, second.number) == (0, 1) and first.name != second.name
    assert first.joint in [joint.name for joint in model.joints]

    def vertices(**options):
        posed = model.pose("walk", 0.3, **options)
        return np.concatenate([mesh.positions for mesh in posed.meshes if mesh.is_shown])

    plain, moved = vertices(), vertices(morphs={first.name: 1.0})
    assert plain.shape == moved.shape and np.abs(plain - moved).max() > 1e-3
    for morphs in ({0: 1.0}, {f"{first.joint}/{first.name}": 1}, {"*": 1.0, second.name: second.rest}):
        np.testing.assert_array_equal(vertices(morphs=morphs), moved)
    # Half of a weight is half of the way; the bind pose takes weights too.
    half = vertices(morphs={first.name: 0.5})
    np.testing.assert_allclose(half, (plain + moved) / 2, atol=1e-4)
    bind = model.pose(morphs={first.name: 1.0})
    assert np.abs(bind.meshes[0].positions - model.pose().meshes[0].positions).max() > 1e-3


def test_times_are_seconds_ticks_or_keys(assets):
    model = tintype.Model.open(assets / "ranger.x")

    def vertices(*time, **options):
        return np.concatenate([mesh.positions for mesh in model.pose(*time, **options).meshes])

    start = vertices("walk", 0.0)
    np.testing.assert_array_equal(vertices("walk", key=0), start)
    np.testing.assert_array_equal(vertices("walk", tick=0), start)
    later = vertices("walk", key=6)
    assert np.abs(later - start).max() > 1e-3
    np.testing.assert_array_equal(vertices(key=0), vertices(model.clips[0].name, 0.0))
    np.testing.assert_array_equal(vertices("walk:6-18", key=0), later)
    with pytest.raises(tintype.Error, match="key: 9999; the clip has keys 0 to"):
        model.pose("walk", key=9999)
    with pytest.raises(tintype.Error, match="tick: the clip does not use ticks"):
        tintype.Model.open(assets / "ranger.glb").pose("walk", tick=3)
    with pytest.raises(tintype.Error, match="time_s, tick, key: expected one of them"):
        model.pose("walk", 0.5, key=3)


def test_root_motion_and_springs_are_words(assets):
    model = tintype.Model.open(assets / "ranger.x")
    for options in ({"root": "hold"}, {"root": "hold-xz", "springs": "rest"}):
        held = model.pose("walk", 0.3, **options)
        assert held.matrices.shape == model.pose("walk", 0.3).matrices.shape
    with pytest.raises(tintype.Error, match='root="jump": expected one of keep, hold, hold-xz'):
        model.pose("walk", root="jump")
    with pytest.raises(tintype.Error, match='springs="stiff": expected one of swing, rest'):
        model.pose("walk", springs="stiff")


def test_unknown_morphs_name_the_nearest(assets):
    model = tintype.Model.open(assets / "ranger.glb")
    name = model.morphs[0].name
    with pytest.raises(tintype.Error, match=f"did you mean .{name}") as caught:
        model.pose(morphs={name + "s": 1.0})
    assert "ranger.glb" in str(caught.value)
    with pytest.raises(tintype.Error, match="unknown morph target 99; the model has"):
        model.pose(morphs={99: 1.0})
    with pytest.raises(tintype.Error, match="expected -1000 to 1000"):
        model.pose(morphs={name: float("nan")})
    with pytest.raises(TypeError, match="None is not a target"):
        model.pose(morphs={None: 1.0})
    with pytest.raises(TypeError, match="'much' is not a weight"):
        model.pose(morphs={name: "much"})
    with pytest.raises(tintype.Error, match="no morph targets"):
        tintype.Model.open(assets / "ranger.x").pose(morphs={"smile": 1.0})


def test_unknown_clip_names_those_that_are_there(assets):
    model = tintype.Model.open(assets / "ranger.x")
    with pytest.raises(tintype.Error, match=model.clips[0].name) as caught:
        model.pose("fly", 0.0)
    assert caught.value.is_temporary is False
    with pytest.raises(tintype.Error, match="did you mean"):
        model.pose(model.clips[0].name + "s", 0.0)


def test_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(tintype.Error, match="none.glb"):
        tintype.Model.open(tmp_path / "none.glb")


def test_moment_is_a_number(assets):
    model = tintype.Model.open(assets / "ranger.x")
    with pytest.raises(tintype.Error, match="time_s=NaN"):
        model.pose(model.clips[0].name, float("nan"))


@pytest.mark.parametrize(
    ("name", "triangles", "clips"),
    [("imp.3ds", 4, 1), ("imp.b3d", 2, 1), ("imp.stl", 2, 0), ("imp_binary.stl", 2, 0), ("imp.ply", 3, 0), ("imp_binary.ply", 2, 0)],
)
def test_meshes_of_older_formats_are_opened(assets, name, triangles, clips):
    model = tintype.Model.open(assets.parents[1] / "tests" / "fuzz" / "seeds" / name)
    assert sum(len(mesh.triangles) for mesh in model.meshes) == triangles
    assert len(model.clips) == clips
