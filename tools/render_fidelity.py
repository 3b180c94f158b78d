#!/usr/bin/env python3
"""Draws a scenario of the glTF render fidelity suite with tintype, as its external renderer; or compares two of its pictures.

    render_fidelity.py [--program TINTYPE] [--scale N] [--root FOLDER] SCENARIO     the suite calls it so
    render_fidelity.py --compare CANDIDATE.png REFERENCE.png                        decibels, as the suite counts them

SCENARIO is the JSON that the suite puts behind the arguments of its config. FOLDER holds the suite's shared-assets (default: the
current folder). A comparison needs Pillow and numpy. docs/fidelity.md has the whole way.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ASSETS = "shared-assets"


def scene_of(scenario, root, scale):
    """The scene of a scenario: its model at rest, in the light of its panorama alone."""

    def asset(key):
        path = root / ASSETS / scenario[key].split(f"{ASSETS}/", 1)[-1]
        if not path.is_file():
            sys.exit(f"{scenario['name']}: {key} {scenario[key]}: no file {path}")
        return json.dumps(str(path.resolve()))

    size = [scenario["dimensions"][side] * scale for side in ("width", "height")]
    theta, phi = (math.radians(scenario["orbit"][angle]) for angle in ("theta", "phi"))
    back = [math.sin(phi) * math.sin(theta), math.cos(phi), math.sin(phi) * math.cos(theta)]
    middle = [scenario["target"][axis] for axis in "xyz"]
    radius = scenario["orbit"]["radius"]
    eye = [m + radius * b for m, b in zip(middle, back)]
    # A radius of 0 has the eye at the target: what is looked at lies before it in any case.
    length = radius or 1.0
    target = [e - length * b for e, b in zip(eye, back)]
    up = [0.0, 1.0, 0.0] if abs(back[1]) < 0.9999 else [0.0, 0.0, -1.0]
    shows = scenario.get("renderSkybox", False)
    return f"""[output]
size = {size}
samples = 16
occlusion = 0
{'' if shows else 'background = "transparent"'}

[camera]
kind = "look-at"
eye = {eye}
target = {target}
up = {up}
fov_deg = {scenario["verticalFoV"]}

[environment]
file = {asset("lighting")}
show = {str(shows).lower()}

[[model]]
name = "model"
file = {asset("model")}

[[instance]]
model = "model"
clip = "bind"
"""


def draw(asked):
    config = json.loads(asked.scenario)
    scenario, output = config["scenario"], pathlib.Path(config["outputFile"])
    text = scene_of(scenario, pathlib.Path(asked.root), asked.scale)
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.toml"
        scene.write_text(text)
        words = [asked.program, "--no-config", "render", str(scene), "-f", "0", "-o", f"{folder}/####.png"]
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{scenario['name']}: {done.stderr}")
        output.parent.mkdir(parents=True, exist_ok=True)
        # Written beside the picture and renamed: no half picture is left.
        part = output.with_suffix(".part")
        part.write_bytes((pathlib.Path(folder) / "0000.png").read_bytes())
        os.replace(part, output)


def decibels(candidate, reference):
    """Ten times the logarithm of the root mean square distance in YIQ, as a share of the greatest, over pixels that the candidate covers."""
    import numpy
    from PIL import Image

    first, second = (numpy.asarray(Image.open(path).convert("RGBA"), float) for path in (candidate, reference))
    if first.shape != second.shape:
        sys.exit(f"sizes differ: {first.shape[1::-1]} and {second.shape[1::-1]}")
    covered = first[..., 3] > 0
    over_white = lambda picture: 255 + (picture[..., :3] - 255) * picture[..., 3:] / 255
    red, green, blue = numpy.moveaxis(over_white(first) - over_white(second), -1, 0)
    y = 0.29889531 * red + 0.58662247 * green + 0.11448223 * blue
    i = 0.59597799 * red - 0.27417610 * green - 0.32180189 * blue
    q = 0.21147017 * red - 0.52261711 * green + 0.31114694 * blue
    distance = (0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q)[covered]
    share = math.sqrt((distance**2).mean()) / 35215 if covered.any() else 0.0
    return 10 * math.log10(share) if share else -math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="tintype", help="the program (default: tintype)")
    parser.add_argument("--scale", type=int, default=2, help="pixels of the picture for one of the scenario (default: 2)")
    parser.add_argument("--root", default=".", help=f"folder that holds {ASSETS}")
    parser.add_argument("--compare", nargs=2, metavar=("CANDIDATE", "REFERENCE"), help="print decibels of two pictures")
    parser.add_argument("scenario", nargs="?", help="JSON of the scenario and its output file")
    asked = parser.parse_args()
    if asked.compare:
        print(f"{decibels(*asked.compare):.2f} dB")
    elif asked.scenario:
        draw(asked)
    else:
        parser.error("a scenario, or --compare")


main()
