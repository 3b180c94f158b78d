"""The frames of a turntable, which a notebook shows as a moving picture."""

import base64

from ._tintype import _animation


class Frames(list):
    """Frames of a turntable: a list of `Frame`, with their rate and their cameras.

    `fps` is the number of frames a second, and `cameras` holds the camera of each as a `Camera`.
    """

    def __init__(self, frames=(), fps=24.0, cameras=()):
        super().__init__(frames)
        self.fps = fps
        self.cameras = list(cameras)

    def to_bytes(self, format="webp"):
        """All frames as the bytes of one file: "webp" without losses, "gif" or "apng"."""
        return _animation(list(self), self.fps, format)

    def _repr_html_(self):
        if not self:
            return None
        data = base64.b64encode(self.to_bytes("webp")).decode("ascii")
        first = self[0]
        size = f'width="{first.width}" height="{first.height}"'
        return f'<img {size} alt="{len(self)} frames" src="data:image/webp;base64,{data}">'

    def __repr__(self):
        size = f" of {self[0].width}x{self[0].height}" if self else ""
        return f"<tintype.Frames: {len(self)}{size}, {self.fps:g} a second>"
