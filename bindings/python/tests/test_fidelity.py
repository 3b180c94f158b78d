"""The external renderer of the glTF render fidelity suite, as the suite calls it."""

import json
import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import tintype

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "render_fidelity.py"
PROGRAM = pathlib.Path(sys.executable).parent / "tintype"


def panorama(path):
    """Light from above and from +X."""
    rows, columns = 32, 64
    light = np.full((rows, columns, 3), 0.2)
    light[:12] = 1.0
    light[:, 30:34] = 2.0
    mantissa, exponent = np.frexp(light.max(axis=2))
    scale = mantissa * 256 / light.max(axis=2)
    rgbe = np.dstack([light * scale[..., None], exponent + 128]).astype(np.uint8)
    path.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n" + rgbe.tobytes())


@pytest.fixture
def suite(tmp_path):
    models = tmp_path / "shared-assets" / "models"
    models.mkdir(parents=True)
    (models / "ranger.glb").write_bytes((ROOT / "scenes" / "assets" / "ranger.glb").read_bytes())
    panorama(tmp_path / "shared-assets" / "light.hdr")
    return tmp_path


def run(suite, *options, theta=30, phi=80, **changes):
    scenario = {
        "name": "ranger",
        "model": "../../../shared-assets/models/ranger.glb",
        "lighting": "../../../shared-assets/light.hdr",
        "dimensions": {"width": 48, "height": 64},
        "target": {"x": 0, "y": 0.9, "z": 0},
        "orbit": {"theta": theta, "phi": phi, "radius": 3},
        "verticalFoV": 45,
        "renderSkybox": False,
    }
    output = suite / "goldens" / f"{theta}-{phi}.png"
    words = json.dumps({"scenario": scenario | changes, "outputFile": str(output)})
    command = [sys.executable, str(TOOL), "--program", str(PROGRAM), "--root", str(suite), *options, words]
    return subprocess.run(command, capture_output=True, text=True, cwd=suite), output


def test_picture_of_a_scenario_is_that_of_its_camera(suite):
    done, output = run(suite)
    assert done.returncode == 0, done.stderr
    picture = np.asarray(Image.open(output))
    assert picture.shape == (128, 96, 4)
    assert (picture[..., 3] == 255).any() and (picture[0] == 0).all()
    # The same camera as matrices.
    theta, phi = math.radians(30), math.radians(80)
    back = np.array([math.sin(phi) * math.sin(theta), math.cos(phi), math.sin(phi) * math.cos(theta)])
    right = np.cross([0, 1, 0], back)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(back, right), back])
    eye = np.array([0, 0.9, 0]) + 3 * back
    focal = 128 / (2 * math.tan(math.radians(45) / 2))
    camera = tintype.Camera.from_k(
        [[focal, 0, 48], [0, focal, 64], [0, 0, 1]], np.column_stack([axes, -axes @ eye]), (96, 128), convention="opengl"
    )
    text = '[output]\nbackground = "transparent"\nsize = [96, 128]\nsamples = 16\n[[model]]\nfile = "ranger.glb"\n[[instance]]\nmodel = "ranger"\nclip = "bind"\n'
    scene = tintype.Scene.parse(text, folder=suite / "shared-assets" / "models")
    alpha = scene.frame(0, camera=camera).pixels[..., 3]
    assert ((alpha > 127) != (picture[..., 3] > 127)).mean() < 0.0005


def test_turned_pictures_differ_and_equal_ones_do_not(suite):
    (_, first), (_, second) = run(suite), run(suite, theta=60)

    def decibels(one, other):
        return float(subprocess.check_output([sys.executable, str(TOOL), "--compare", str(one), str(other)], text=True).split()[0])

    assert decibels(first, first) == -math.inf
    assert -20 < decibels(first, second) < 0


def test_radius_of_zero_looks_ahead_and_scale_is_asked_for(suite):
    orbit = {"theta": 0, "phi": 90, "radius": 0}
    done, output = run(suite, "--scale", "1", orbit=orbit, target={"x": 0, "y": 0.9, "z": 3})
    assert done.returncode == 0, done.stderr
    picture = np.asarray(Image.open(output))
    assert picture.shape == (64, 48, 4) and (picture[..., 3] == 255).any()


def test_missing_panorama_is_named_and_leaves_no_picture(suite):
    done, output = run(suite, lighting="spot1Lux")
    assert done.returncode != 0 and "lighting spot1Lux" in done.stderr
    assert not output.exists()
