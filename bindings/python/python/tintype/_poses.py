"""Poses of other libraries as matrices of joints."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray


def axis_angle(rotations: ArrayLike, places: ArrayLike, parents: Iterable[int | None]) -> NDArray[np.float64]:
    """Matrices `[..., joints, 4, 4]` for `poses` of `Scene.frame`, from SMPL rotations.

    - `rotations` `[..., joints, 3]`, or flat `[..., 3 * joints]`: an axis, as long as its angle in radians; each turns its joint about its
      place at rest, within its parent
    - `places` `[joints, 3]`: the joints at rest, in the space of the vertices
    - `parents` `[joints]`: the joint that each hangs on, one before it; a root has None, itself, or a number that no joint has, as -1

    The matrices take vertices at rest to where they are: the model is one of `Model.from_arrays` without `bind`.
    """
    at = np.asarray(places, np.float64)
    if at.ndim != 2 or at.shape[1] != 3:
        raise ValueError(f"positions of shape {at.shape}: expected (n, 3)")
    count = len(at)
    above = [-1 if own is None else int(own) for own in parents]
    if len(above) != count:
        raise ValueError(f"parents has {len(above)} joints, but places has {count}")
    own = np.asarray(rotations, np.float64)
    if own.shape[-1:] == (3 * count,) and own.shape[-2:] != (count, 3):
        own = own.reshape(*own.shape[:-1], count, 3)
    if own.shape[-2:] != (count, 3):
        raise ValueError(f"rotations of shape {own.shape}: expected (..., {count}, 3) or (..., {3 * count})")
    # Rodrigues: 1 + sin(angle) / angle K + (1 - cos(angle)) / angle^2 K^2, with the limits at 0.
    angle = np.linalg.norm(own, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(own, -1, 0)
    none = np.zeros_like(x)
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], -1).reshape(*x.shape, 3, 3)
    turned = np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * (cross @ cross)
    matrices = np.zeros((*x.shape, 4, 4))
    matrices[..., :3, :3] = turned
    matrices[..., 3, 3] = 1
    # About the place at rest, then as the parent moves.
    matrices[..., :3, 3] = at - (turned @ at[:, :, None])[..., 0]
    for joint, parent in enumerate(above):
        if 0 <= parent < joint:
            matrices[..., joint, :, :] = matrices[..., parent, :, :] @ matrices[..., joint, :, :]
        elif joint < parent < count:
            raise ValueError(f"parents[{joint}] = {parent}: expected a joint before it")
    return matrices
