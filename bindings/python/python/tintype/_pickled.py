"""Objects of the module as `pickle`, `copy` and pools of processes hand them on."""

from __future__ import annotations

import copyreg
import io
import types
from collections.abc import Sequence
from typing import Any

from . import _tintype
from ._tintype import Camera, Frame, Model

_DATA = [
    "Cause", "Clip", "Diagnostic", "Diff", "FileDiff", "Joint", "JointDiff", "Mesh", "ModelDiff", "Morph", "PartDiff",
    "PictureDiff", "PosedMesh",
]  # fmt: skip


def frame(
    pixels: Any, provenance: dict[str, str], channels: dict[str, Any], legend: dict[str, Any], camera: Camera | None
) -> Frame:
    """A frame of these pixels and channels."""
    return Frame(pixels, provenance=provenance, channels=channels, legend=legend, camera=camera)


def model_of_bytes(name: str, content: bytes) -> Model:
    """A model from memory; what it names is beside the file of that name."""
    file = io.BytesIO(content)
    file.name = name
    return Model.open(file)


def model_of_file(path: str, clips: Sequence[str]) -> Model:
    """A model from its file, with clips of other files."""
    return Model.open(path, clips=clips)


def _of_fields(kind: Any, fields: dict[str, Any]) -> Any:
    return kind(**fields)


def _reduced(one: Any) -> tuple[Any, ...]:
    kind = type(one)
    fields = (types.GetSetDescriptorType, types.MemberDescriptorType)
    names = [name for name, part in vars(kind).items() if isinstance(part, fields)]
    return _of_fields, (kind, {name: getattr(one, name) for name in names})


for _name in _DATA:
    copyreg.pickle(getattr(_tintype, _name), _reduced)
