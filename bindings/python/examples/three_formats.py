"""Opens one figure from three formats, plots its pose and saves turntables: python three_formats.py ASSETS OUT (needs matplotlib)."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import tintype

assets, out = map(Path, sys.argv[1:])
files = {"ranger.glb": [], "ranger.md5mesh": ["ranger_walk.md5anim"], "ranger.x": []}
figure = plt.figure(figsize=(9, 3))
for place, (name, clips) in enumerate(files.items(), start=1):
    model = tintype.Model.open(assets / name, clips=[assets / clip for clip in clips])
    clip = next(clip for clip in model.clips if "walk" in clip.name)
    x, y, z = model.pose(clip.name, clip.period_s / 4).meshes[0].positions.T
    figure.add_subplot(1, 3, place, projection="3d", title=name).scatter(x, z, y, s=0.2)
    paths = [assets / clip for clip in clips]
    tintype.turntable(assets / name, str(out / f"{name}.####.png"), clips=paths, clip=clip.name, frames=8, size=128)
figure.savefig(out / "poses.png")
print(tintype.diff(out / "ranger.glb.0000.png", out / "ranger.x.0000.png"))
