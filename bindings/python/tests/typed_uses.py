"""Uses of the module as a type checker sees them; nothing here runs."""

import numpy as np
from numpy.typing import NDArray

import tintype


def uses() -> None:
    model = tintype.Model.open("ranger.glb", clips=["walk.md5anim"])
    picture: tintype.Frame = model.render(model.clips[0].name, 0.5, size=(320, 240), look="studio")
    pixels: NDArray[np.uint8] = picture.pixels
    positions: NDArray[np.float32] = model.pose().meshes[0].positions
    weights: dict[str | int, float] = {"smile": 0.5, 1: 1}
    smile: tintype.PosedModel = model.pose("walk", 0.5, morphs=weights)
    print(model.pose(morphs={0: 0.25}).meshes)
    print(model.pose("walk", key=3, root="hold-xz", springs="rest"), model.pose(tick=12.5))
    targets: list[str] = [morph.name for morph in model.morphs]
    print(smile.meshes[0].is_shown, targets, model.pose(morphs={"smile": 1.0}).matrices.shape)
    frames: list[tintype.Frame] = tintype.turntable("ranger.glb", frames=8)
    report: tintype.Report = tintype.turntable("ranger.glb", "out/####.png", samples=4)
    still: tintype.Frame = tintype.thumbnail("ranger.glb", size=128)
    scene = tintype.Scene.open("scenes/walk.toml")
    scene.frame(scene.frames[0]).save("out/first.png")
    print(pixels.shape, positions.shape, len(frames), report.written, still.width)
    diff: tintype.Diff = tintype.diff("a", "b", tolerance=1e-4)
    stages: list[str] = [cause.stage for cause in diff.causes]
    heat: tintype.Frame | None = tintype.diff(picture, still, pictures=True).pictures[0].heat
    print(stages, heat)
    walk: tintype.Clip = model.clips["walk"]
    print(walk.period_s, [joint.name for joint in model.joints], "hip" in model.joints)
    again = tintype.Frame(still.pixels)
    webp: bytes = again.to_bytes("webp")
    tintype.turntable(model, "out/a.webp", progress=lambda done, all: print(done / all))
    with open("ranger.glb", "rb") as opened:
        turned: tintype.Frames = tintype.turntable(opened, frames=8)
    moving: bytes = turned.to_bytes("gif")
    camera: NDArray[np.float64] = turned.cameras[0].clip_from_world
    depth, legend = scene.view(0, "depth")
    print(moving, camera, depth.width, legend, scene.camera(0).view_from_world, turned.fps)
    print(tintype.Model.open(moving).clips, tintype.thumbnail(bytearray(moving)))
    print(webp, tintype.inspect(model)["models"])
    gallery: tintype.Gallery = tintype.gallery(["scenes/assets"], "out/gallery", size=32)
    print([one.problem for one in gallery.models], gallery.sheet().width)
    run: tintype.TestRun = tintype.GoldenSet.open("scenes").test()
    accepted: tintype.Acceptance = run.accept_one(run.goldens[0])
    print(run.counts["failed"], [one.path for one in run.stray], run.warnings, accepted.files)
