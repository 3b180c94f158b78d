"""The frames of a turntable, which a notebook shows as an animation."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Literal

from ._tintype import Camera, Frame, _animation


class Frames(list[Frame]):
    """Frames of a turntable: a list of `Frame`, with their rate and their cameras.

    `fps` is the number of frames a second, and `cameras` holds the camera of each as a `Camera`.
    """

    fps: float
    cameras: list[Camera]

    def __init__(
        self, frames: Iterable[Frame] = (), fps: float = 24.0, cameras: Iterable[Camera] = ()
    ) -> None:
        super().__init__(frames)
        self.fps = fps
        self.cameras = list(cameras)

    def to_bytes(self, format: Literal["webp", "gif", "apng"] = "webp") -> bytes:
        """All frames as the bytes of one file: lossless "webp", "gif" or "apng"."""
        return _animation(list(self), self.fps, format)

    def _repr_html_(self) -> str | None:
        if not self:
            return None
        data = base64.b64encode(self.to_bytes("webp")).decode("ascii")
        size = f'width="{self[0].width}" height="{self[0].height}"'
        return f'<img {size} alt="{len(self)} frames" src="data:image/webp;base64,{data}">'

    def __repr__(self) -> str:
        size = f" of {self[0].width}x{self[0].height}" if self else ""
        return f"<tintype.Frames: {len(self)}{size}, {self.fps:g} a second>"
