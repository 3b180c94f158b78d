"""Arrays in and out: models of arrays, channels of frames, cameras of matrices."""

import copy
import pickle
import types

import numpy as np
import pytest

import tintype

SIZE = (160, 120)
K = np.array([[150.0, 2.0, 83.5], [0.0, 148.0, 57.25], [0.0, 0.0, 1.0]])
# At (0, 0, 4), looking along -z: y down, z ahead.
RT = np.array([[1.0, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 4]])
BODY = '[output]\nlook = "studio"\n[[model]]\nname = "body"\nfile = "body"\n'


def ball(rows=90, columns=180):
    """A ball of radius 1: vertices and triangles."""
    polar, turn = np.meshgrid(np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, columns, False), indexing="ij")
    points = np.stack([np.sin(polar) * np.sin(turn), np.cos(polar), np.sin(polar) * np.cos(turn)], -1)
    row, column = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    corner = lambda down, over: (row + down) * columns + (column + over) % columns
    a, b, c, d = corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], 2)
    return points.reshape(-1, 3), faces.reshape(-1, 3)


def camera(**more):
    return tintype.Camera.from_k(K, RT, SIZE, **more)


def project(points):
    at = points @ RT[:, :3].T + RT[:, 3]
    pixels = at @ K.T
    return pixels[..., :2] / pixels[..., 2:], at[..., 2]


def test_channels_are_those_of_a_ball_by_arithmetic():
    points, faces = ball(180, 360)
    scene = tintype.Scene.parse(BODY, models={"body": tintype.Model.from_arrays(points, faces)})
    names = ["depth", "distance", "position", "normal", "triangle", "barycentric", "instance", "coverage"]
    frame = scene.frame(0, camera=camera(), channels=names)
    assert frame.depth.shape == SIZE[::-1] and frame.depth.dtype == np.float32
    assert frame.position.shape == (*SIZE[::-1], 3)
    seen = frame.instance > 0
    assert frame.legend["instance"][1] == "body" and set(np.unique(frame.instance)) == {0, 1}
    # The ray of each pixel meets the ball where arithmetic says.
    y, x = np.nonzero(seen)
    way = np.linalg.solve(K, np.stack([x + 0.5, y + 0.5, np.ones(len(x))])).T
    along = way @ [0, 0, 4]
    square = (way**2).sum(-1)
    under = along**2 - square * 15
    full = under > 0.5
    depth = (along - np.sqrt(np.where(full, under, 0))) / square
    off = np.abs(frame.depth[seen] / depth - 1)[full]
    assert full.sum() > 2000 and off.max() < 1e-4
    assert np.allclose(frame.distance[seen][full], (depth * np.sqrt(square))[full], rtol=1e-4)
    # Positions fall on the middles of their pixels, and are those of the triangles.
    pixels, ahead = project(frame.position[seen].astype(float))
    assert np.abs(pixels - np.stack([x + 0.5, y + 0.5], -1))[full].max() < 0.02
    assert np.allclose(ahead, frame.depth[seen], rtol=1e-5)
    corners = points[faces[frame.triangle[seen] - 1]]
    mixed = (corners * frame.barycentric[seen][..., None]).sum(1)
    assert np.abs(mixed - frame.position[seen]).max() < 1e-5
    assert np.abs(frame.normal[seen] - frame.position[seen])[full].max() < 1e-3
    assert (frame.depth[~seen] == 0).all()
    assert ((frame.coverage == 1) | (frame.coverage == 0)).mean() > 0.9


def test_channels_change_no_pixel_and_are_kept(scenes):
    scene = tintype.Scene.open(scenes / "walk.toml")
    plain, rich = scene.frame(3), scene.frame(3, channels=["joint", "depth"])
    assert plain == rich and rich.provenance == plain.provenance != {}
    names = rich.legend["joint"]
    assert names[0] == "" and len(names) > rich.joint.max() > 0
    for same in (copy.copy(rich), pickle.loads(pickle.dumps(rich))):
        assert (same.depth == rich.depth).all() and same.legend == rich.legend
        assert (same.camera.K == rich.camera.K).all()
    with pytest.raises(AttributeError, match=r"channels=\['uv'\]"):
        plain.uv
    with pytest.raises(ValueError, match="did you mean \"depth\""):
        scene.frame(0, channels="dpeth")
    with pytest.raises(TypeError, match="no keyword 'channel'"):
        scene.frame(0, channel="depth")


@pytest.mark.parametrize("orthographic", [False, True])
def test_cameras_go_in_and_come_back(orthographic):
    made = camera(near=0.5, far=40, orthographic=orthographic)
    assert np.allclose(made.K, K, atol=1e-4) and made.size == SIZE
    assert np.allclose(made.extrinsics()[:3], RT, atol=1e-6)
    flip = np.diag([1.0, -1, -1, 1])
    assert np.allclose(made.extrinsics("opengl"), flip @ made.extrinsics(), atol=1e-6)
    assert np.allclose(made.pose() @ made.extrinsics(), np.eye(4), atol=1e-6)
    same = tintype.Camera.from_k(K, made.extrinsics("opengl"), SIZE, convention="opengl", near=0.5, far=40, orthographic=orthographic)
    assert np.allclose(np.asarray(same), np.asarray(made), atol=1e-5)
    assert np.allclose(np.asarray(pickle.loads(pickle.dumps(made))), np.asarray(made))
    scene = tintype.Scene.parse(BODY, models={"body": tintype.Model.from_arrays(*ball(8, 16))})
    back = scene.frame(0, camera=made).camera
    assert np.allclose(np.asarray(back), np.asarray(made), atol=1e-5)


def test_cameras_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match=r"K of shape \(3, 4\): expected \(3, 3\)"):
        tintype.Camera.from_k(np.ones((3, 4)), RT, SIZE)
    with pytest.raises(ValueError, match="not a matrix of intrinsics"):
        tintype.Camera.from_k(-K, RT, SIZE)
    with pytest.raises(ValueError, match="not a rotation"):
        tintype.Camera.from_k(K, 2 * RT, SIZE)
    with pytest.raises(ValueError, match="'opencv' or 'opengl'"):
        tintype.Camera.from_k(K, RT, SIZE, convention="directx")


def test_arrays_of_any_type_and_layout_are_one_model():
    points, faces = ball(8, 16)
    expected = tintype.Model.from_arrays(points, faces).pose().meshes[0].positions
    assert np.allclose(expected[: len(points)], points, atol=1e-6)
    wide = np.zeros((len(points), 6), np.float32)
    wide[:, ::2] = points
    wide.flags.writeable = False
    for own, index in [(wide[:, ::2], np.int32), (np.asfortranarray(points), np.uint16), (points.tolist(), np.int64)]:
        found = tintype.Model.from_arrays(own, faces.astype(index))
        assert np.array_equal(found.pose().meshes[0].positions, expected)
        assert np.array_equal(found.meshes[0].triangles, faces)


def test_wrong_arrays_are_told():
    points, faces = ball(8, 16)
    make = tintype.Model.from_arrays
    for error, match, call in [
        (ValueError, r"positions of shape \(144, 2\): expected \(n, 3\)", lambda: make(points[:, :2], faces)),
        (ValueError, r"triangles of shape \(n?\d+,\): expected \(n, 3\)", lambda: make(points, faces.ravel())),
        (TypeError, "triangles of float64: expected whole numbers", lambda: make(points, faces.astype(float))),
        (ValueError, "triangles: -1 is out of range", lambda: make(points, faces - 1)),
        (tintype.Error, "refers to a vertex beyond the 144 given", lambda: make(points, faces + 1)),
        (tintype.Error, "normals has 3 vertices, but positions has 144", lambda: make(points, faces, normals=points[:3])),
        (tintype.Error, r"positions\[7\] is not finite", lambda: make(np.where(np.arange(144)[:, None] == 7, np.nan, points), faces)),
        (TypeError, "positions of <U1: expected numbers", lambda: make([["a", "b", "c"]], faces)),
        (TypeError, "vertices and faces", lambda: make(points)),
        (ValueError, "need weights", lambda: make(points, faces, joints=np.zeros((144, 1), int))),
    ]:
        with pytest.raises(error, match=match):
            call()


def test_poses_vertices_and_transforms_are_those_of_the_moment():
    points, faces = ball(16, 32)
    weights = np.stack([points[:, 1] > 0, points[:, 1] <= 0], -1).astype(float)
    body = tintype.Model.from_arrays(points, faces, weights=weights)
    scene = tintype.Scene.parse(BODY, models={"body": body})
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[0, :3, 3] = [0.25, 0.5, -0.5]
    moved = points + weights[:, :1] * poses[0, :3, 3]
    seen = lambda **given: scene.frame(0, camera=camera(), channels=["position", "triangle", "barycentric"], **given)

    def check(frame, vertices):
        known = frame.triangle > 0
        assert known.sum() > 1000
        corners = vertices[faces[frame.triangle[known] - 1]]
        assert np.abs((corners * frame.barycentric[known][..., None]).sum(1) - frame.position[known]).max() < 1e-5

    check(seen(), points)
    check(seen(poses={"body": poses}), moved)
    check(seen(vertices={0: moved}), moved)
    check(seen(vertices=[moved.astype(np.float32)]), moved)
    matrix = np.eye(4)
    matrix[:3, :3] = [[0.8, 0.2, 0], [0, 0.9, 0], [0, 0.1, 0.7]]
    matrix[:3, 3] = [0.1, 0.2, 0.3]
    check(seen(transforms={"body": matrix}), points @ matrix[:3, :3].T + matrix[:3, 3])
    # Vertices and poses of one place are one picture, but for normals.
    assert np.array_equal(seen(poses=[poses]).triangle > 0, seen(vertices=[moved]).triangle > 0)
    assert seen() == seen() and seen(poses=[poses]).provenance == {}
    with pytest.raises(tintype.Error, match="instance 0: 3 vertices, but its model has"):
        seen(vertices={"body": points[:3]})
    with pytest.raises(ValueError, match="no instance 'head'; the scene has body"):
        seen(poses={"head": poses})
    with pytest.raises(ValueError, match=r"transforms\['body'\] of shape \(3, 4\): expected \(4, 4\)"):
        seen(transforms={"body": matrix[:3]})


def test_bind_matrices_place_joints(assets):
    points, faces = ball(8, 16)
    bind = np.eye(4)[None].copy()
    bind[0, :3, 3] = [0, 2, 0]
    body = tintype.Model.from_arrays(points, faces, weights=np.ones((len(points), 1)), bind=bind)
    assert np.allclose(body.pose().meshes[0].positions[: len(points)], points, atol=1e-6)
    scene = tintype.Scene.parse(BODY, models={"body": body})
    turned = bind.copy()
    turned[0, :3, 3] = [0, 2.5, 0]
    frame = scene.frame(0, camera=camera(), channels=["position", "triangle"], poses=[turned])
    known = frame.triangle > 0
    corners = (points + [0, 0.5, 0])[faces[frame.triangle[known] - 1]]
    assert ((frame.position[known] >= corners.min(1) - 1e-5) & (frame.position[known] <= corners.max(1) + 1e-5)).all()


def test_arrays_stand_beside_files_with_colours(assets):
    points, faces = ball(8, 16)
    red = tintype.Model.from_arrays(0.3 * points, faces, color=np.array([255, 0, 0], np.uint8))
    texture = np.zeros((4, 4, 3), np.uint8)
    texture[..., 2] = 255
    blue = tintype.Model.from_arrays(0.3 * points, faces, uv=points[:, :2], texture=texture)
    colors = np.tile([0.0, 1.0, 0.0], (len(points), 1))
    green = tintype.Model.from_arrays(0.3 * points, faces, colors=colors)
    text = (
        "[output]\nsize = [160, 120]\n"
        + "".join(f'[[model]]\nname = "{name}"\nfile = "{name}"\n' for name in ("red", "blue", "green"))
        + '[[model]]\nname = "ranger"\nfile = "ranger.glb"\n'
        + "".join(
            f'[[instance]]\nmodel = "{name}"\nposition = [{x}, 2.5, 0]\n'
            for name, x in (("red", -1), ("blue", 0), ("green", 1), ("red", 2))
        )
        + '[[instance]]\nmodel = "ranger"\n'
    )
    scene = tintype.Scene.parse(text, assets, models={"red": red, "blue": blue, "green": green})
    frame = scene.frame(0, channels=["albedo", "instance"])
    for number, color in [(1, [1, 0, 0]), (2, [0, 0, 1]), (3, [0, 1, 0]), (4, [1, 0, 0])]:
        assert np.allclose(frame.albedo[frame.instance == number], color, atol=1e-3), number
    assert (frame.instance == 5).sum() > 500


def test_meshes_of_trimesh_are_taken_as_they_are():
    points, faces = ball(8, 16)
    visual = types.SimpleNamespace(kind="vertex", vertex_colors=np.tile(np.array([0, 255, 0, 255], np.uint8), (len(points), 1)))
    mesh = types.SimpleNamespace(vertices=points, faces=faces, visual=visual)
    scene = tintype.Scene.parse(BODY, models={"body": tintype.Model.from_arrays(mesh)})
    frame = scene.frame(0, camera=camera(), channels=["albedo", "mesh"])
    assert np.allclose(frame.albedo[frame.mesh > 0], [0, 1, 0], atol=1e-3)


def test_a_model_of_arrays_is_pickled(tmp_path):
    model = tintype.Model.from_arrays(*ball(8, 16))
    assert model.render(size=48) == pickle.loads(pickle.dumps(model)).render(size=48)


def test_motion_is_the_way_of_each_pixel_to_the_next_moment():
    points, faces = ball()
    scene = tintype.Scene.parse(BODY, models={"body": tintype.Model.from_arrays(points, faces)})
    shift = np.eye(4)
    shift[:3, 3] = [0.1, -0.05, 0.2]
    wanted = {"camera": camera(), "channels": ["motion", "position", "instance"]}
    for given, then in [
        ({"vertices": {"body": points}, "next": {"vertices": {"body": points + shift[:3, 3]}}}, shift[:3, 3]),
        ({"transforms": {"body": shift}, "next": {"transforms": [np.eye(4)]}}, -shift[:3, 3]),
    ]:
        frame = scene.frame(0, **given, **wanted)
        seen = frame.instance > 0
        way = project(frame.position[seen].astype(float) + then)[0] - project(frame.position[seen].astype(float))[0]
        assert seen.sum() > 2000 and np.abs(frame.motion[seen] - way).max() < 0.01
        assert (frame.motion[~seen] == 0).all()
    # The scene has one frame, and what follows is not said.
    frame = scene.frame(0, **wanted)
    assert np.isnan(frame.motion[frame.instance > 0]).all()
    with pytest.raises(tintype.Error, match="motion: the next state is missing"):
        scene.frame(0, vertices={"body": points}, **wanted)
    with pytest.raises(ValueError, match="next: no part 'vertex'; parts: transforms, poses, vertices"):
        scene.frame(0, next={"vertex": {}}, **wanted)


def test_axis_angles_turn_joints_about_their_places():
    places, parents = np.array([[0, 0, 0], [0, 1, 0], [1.0, 1, 0]]), [-1, 0, 1]
    quarter = np.zeros((2, 3, 3))
    quarter[1, 1:] = [0, 0, np.pi / 2]
    still, turned = tintype.axis_angle(quarter, places, parents)
    assert np.allclose(still, np.eye(4))
    # The second turns the third about itself; a point beyond that turns twice.
    assert np.allclose(turned[1] @ [1, 1, 0, 1], [0, 2, 0, 1])
    assert np.allclose(turned[2] @ [1, 1, 0, 1], [0, 2, 0, 1])
    assert np.allclose(turned[2] @ [2, 1, 0, 1], [-1, 2, 0, 1])
    assert np.allclose(tintype.axis_angle(quarter.reshape(2, 9), places, [None, 0, 1]), [still, turned])
    # Rodrigues against the exponential of a matrix, by its series.
    axis = np.array([[0.3, -1.1, 0.7]])
    x, y, z = axis[0]
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    power, total = np.eye(3), np.eye(3)
    for k in range(1, 30):
        power = power @ cross / k
        total = total + power
    assert np.allclose(tintype.axis_angle(axis, [[0, 0, 0]], [0])[0, :3, :3], total, atol=1e-12)
    for rotations, own, match in [
        (quarter[0, :2], parents, r"rotations of shape \(2, 3\): expected \(\.\.\., 3, 3\)"),
        (quarter[0], [-1, 0], "parents has 2 joints, but places has 3"),
        (quarter[0], [-1, 2, 1], r"parents\[1\] = 2: expected a joint before it"),
    ]:
        with pytest.raises(ValueError, match=match):
            tintype.axis_angle(rotations, places, own)
