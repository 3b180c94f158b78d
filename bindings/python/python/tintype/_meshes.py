"""Meshes of other libraries as keywords of `Model.from_arrays`."""

from __future__ import annotations

from typing import Any

import numpy as np


def fields(mesh: Any) -> dict[str, Any]:
    """Keywords of a mesh with `vertices` and `faces`, and with the colours or the texture of a mesh of `trimesh`."""
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise TypeError("from_arrays(): expected positions and triangles, or an object with vertices and faces")
    found: dict[str, Any] = {"positions": mesh.vertices, "triangles": mesh.faces}
    visual: Any = getattr(mesh, "visual", None)
    kind = getattr(visual, "kind", None)
    if kind == "vertex":
        found["colors"] = np.asarray(visual.vertex_colors, np.uint8)
    if kind == "texture" and getattr(visual, "uv", None) is not None:
        # Of trimesh v points up.
        found["uv"] = np.asarray(visual.uv) * [1, -1] + [0, 1]
        material = visual.material
        picture = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
        if picture is not None:
            found["texture"] = np.asarray(picture.convert("RGBA"))
        color = getattr(material, "baseColorFactor", None)
        if color is not None:
            found["color"] = np.asarray(color, np.uint8)
    return found
