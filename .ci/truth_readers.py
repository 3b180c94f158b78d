"""Compares channels with what other programs compute: OpenCV projects, trimesh casts rays, OpenEXR and Pillow read files.

python3 .ci/truth_readers.py, where tintype, numpy, opencv-python-headless, trimesh, rtree, OpenEXR and Pillow are installed.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
import OpenEXR
import tintype
import trimesh
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings/python/examples"))
from body import Body, walk  # noqa: E402

body = Body()
vertices = body.vertices(walk(0.2))
scene = tintype.Scene.parse('[[model]]\nname = "body"\nfile = "body"', models={"body": body.model()})
size = width, height = 320, 240
K = np.array([[300.0, 0, 171.5], [0, 310.0, 112.25], [0, 0, 1]])
turn, _ = cv2.Rodrigues(np.array([np.pi - 0.2, 0.3, 0.1]))
Rt = np.hstack([turn, [[0.1], [0.9], [3.0]]])
camera = tintype.Camera.from_k(K, Rt, size)
names = ["depth", "distance", "position", "face_normal", "triangle"]
frame = scene.frame(0, camera=camera, vertices={"body": vertices}, channels=names)
seen = frame.triangle > 0
assert seen.sum() > 4000, seen.sum()
rows, columns = np.nonzero(seen)
middles = np.stack([columns, rows], 1) + 0.5

# 1. OpenCV projects the position of each pixel to its middle.
projected, _ = cv2.projectPoints(frame.position[seen].astype(float), cv2.Rodrigues(Rt[:, :3])[0], Rt[:, 3], K, None)
off = np.abs(projected[:, 0] - middles).max()
print(f"OpenCV: {seen.sum()} positions, at most {off:.5f} pixels off")
assert off < 0.01

# 2. trimesh casts the rays of 2,000 pixels.
mesh = trimesh.Trimesh(vertices.astype(np.float32).astype(float), body.triangles, process=False)
some = np.random.default_rng(1).choice(len(middles), 2000, replace=False)
own = np.hstack([middles[some], np.ones((2000, 1))]) @ np.linalg.inv(K).T
ways = own @ Rt[:, :3]
ways /= np.linalg.norm(ways, axis=1, keepdims=True)
eye = -Rt[:, :3].T @ Rt[:, 3]
caster = trimesh.ray.ray_triangle.RayMeshIntersector(mesh)
places, rays, faces = caster.intersects_location(np.tile(eye, (2000, 1)), ways)
nearest = np.full(2000, np.inf)
np.minimum.at(nearest, rays, np.linalg.norm(places - eye, axis=1))
ours = frame.distance[seen][some]
# A ray through an edge may pass by both of its triangles.
hits = np.isfinite(nearest)
share = np.abs(ours[hits] - nearest[hits]) / nearest[hits]
print(f"trimesh: {hits.sum()} of 2000 rays meet, 99.9 % at most {np.quantile(share, 0.999):.1e} of the distance off, worst {share.max():.1e}")
assert hits.mean() > 0.995 and np.quantile(share, 0.995) < 1e-5
normals = mesh.face_normals[frame.triangle[seen] - 1]
cosine = np.abs((normals * frame.face_normal[seen]).sum(1))
print(f"trimesh: normals at most {np.degrees(np.arccos(np.clip(cosine, 0, 1))).max():.4f} degrees off")
assert np.degrees(np.arccos(np.clip(cosine, 0, 1))).max() < 0.05

# 3. Files of one frame in three formats.
with tempfile.TemporaryDirectory() as folder:
    def draw(form, channels):
        words = [sys.executable, "-m", "tintype", "render", ROOT / "scenes/walk.toml", "-f", "8", "-q", "--channels", channels]
        subprocess.run([*words, "--channels-as", form, "-o", f"{folder}/{form}.####.png"], check=True)

    draw("npz", "depth,normal,uv,instance,albedo")
    draw("exr", "depth,normal,uv,instance,albedo")
    draw("png", "depth")
    arrays = np.load(f"{folder}/npz.0008.npz")
    found = OpenEXR.File(f"{folder}/exr.0008.exr", separate_channels=True).channels()
    for name, letters in {"depth": "Z", "normal": "XYZ", "uv": "UV", "instance": "X", "albedo": "RGB"}.items():
        values = np.dstack([found[f"{name}.{letter}"].pixels for letter in letters])
        assert values.dtype == arrays[name].dtype and (values.squeeze() == arrays[name]).all(), name
    grey = np.asarray(Image.open(f"{folder}/png.0008.depth_mm.png"))
    assert grey.dtype == np.uint16 and np.abs(grey / 1000 - arrays["depth"]).max() < 0.000501
    print(f"OpenEXR: {len(found)} channels equal those of the NPZ; Pillow: depth in millimetres")
