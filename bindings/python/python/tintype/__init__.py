"""Renders skinned glTF, MD5 and .x characters without a GPU or a display, with the same bytes on every machine.

    import tintype

    model = tintype.Model.open("ranger.glb")
    model.render("walk", 0.5).save("ranger.png")
    tintype.turntable("ranger.glb", "ranger.gif", clip="walk")

Lengths are in the units of the file, times in seconds, angles in degrees. Axes are right-handed with +Y up, whatever the file has.
Warnings, such as a missing texture, are told by Python's `warnings` as `tintype.Warning`; `warnings.simplefilter("error",
tintype.Warning)` makes errors of them.
"""

from ._frames import Frames
from ._tintype import (
    PIXEL_REVISION,
    Camera,
    Cause,
    Clip,
    Diagnostic,
    Diff,
    Error,
    FileDiff,
    Frame,
    Joint,
    JointDiff,
    Mesh,
    Model,
    ModelDiff,
    Morph,
    Named,
    PartDiff,
    PictureDiff,
    PosedMesh,
    PosedModel,
    Report,
    Scene,
    Warning,
    __version__,
    diff,
    inspect,
    thumbnail,
    turntable,
)

__all__ = [
    "PIXEL_REVISION",
    "Camera",
    "Cause",
    "Clip",
    "Diagnostic",
    "Diff",
    "Error",
    "FileDiff",
    "Frame",
    "Frames",
    "Joint",
    "JointDiff",
    "Mesh",
    "Model",
    "ModelDiff",
    "Morph",
    "Named",
    "PartDiff",
    "PictureDiff",
    "PosedMesh",
    "PosedModel",
    "Report",
    "Scene",
    "Warning",
    "__version__",
    "diff",
    "inspect",
    "thumbnail",
    "turntable",
]
