"""Renders skinned characters and other models without a GPU or a display, with the same bytes on every machine.

    import tintype

    model = tintype.Model.open("ranger.glb")
    model.render("walk", 0.5).save("ranger.png")
    tintype.turntable("ranger.glb", "ranger.gif", clip="walk")

Lengths are in the units of the file, times in seconds, angles in degrees. Axes are right-handed with +Y up, whatever the file has.
Errors are `tintype.Error`, and also Python's own class for the same thing: FileNotFoundError and other OSErrors, ValueError, TypeError.
Warnings, such as a missing texture, are Python warnings of the category `tintype.Warning`; `warnings.simplefilter("error",
tintype.Warning)` turns them into errors.
"""

from . import _errors as _errors
from . import _pickled as _pickled
from ._frames import Frames
from ._poses import axis_angle
from ._tintype import (
    PIXEL_REVISION,
    Acceptance,
    Camera,
    Cause,
    CauseGroup,
    Clip,
    DatasetReport,
    Diagnostic,
    Diff,
    Error,
    FileDiff,
    Frame,
    Gallery,
    GalleryModel,
    Golden,
    GoldenSet,
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
    TestRun,
    Warning,
    __version__,
    dataset,
    diff,
    gallery,
    inspect,
    thumbnail,
    turntable,
)

_OF_OTHERS = {
    "load": "Model.open reads a model, Scene.open a scene",
    "open": "Model.open reads a model, Scene.open a scene",
    "read": "Model.open reads a model, Scene.open a scene",
    "render": "Model.open(path).render() draws a model, Scene.open(path).render() a scene",
    "compare": "diff compares pictures, models and folders",
}


def __getattr__(name: str) -> object:
    hint = _OF_OTHERS.get(name) or f"it has {', '.join(part for part in __all__ if part[0].islower())}, Model and Scene"
    raise AttributeError(f"module 'tintype' has no attribute '{name}'; {hint}", name=name)


__all__ = [
    "PIXEL_REVISION",
    "Acceptance",
    "Camera",
    "Cause",
    "CauseGroup",
    "Clip",
    "DatasetReport",
    "Diagnostic",
    "Diff",
    "Error",
    "FileDiff",
    "Frame",
    "Frames",
    "Gallery",
    "GalleryModel",
    "Golden",
    "GoldenSet",
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
    "TestRun",
    "Warning",
    "__version__",
    "axis_angle",
    "dataset",
    "diff",
    "gallery",
    "inspect",
    "thumbnail",
    "turntable",
]
