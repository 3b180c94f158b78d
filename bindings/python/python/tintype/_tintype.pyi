"""Types of the compiled module."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypedDict, TypeVar, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._frames import Frames

__version__: str
PIXEL_REVISION: int

_Path: TypeAlias = str | PathLike[str]
_Source: TypeAlias = "_Path | Model | bytes | bytearray | memoryview | _Readable"
_Progress: TypeAlias = Callable[[int, int], object]
_Part = TypeVar("_Part")

_KEYWORDS: dict[str, list[str]]

class _Readable(Protocol):
    """A file opened with mode "rb"."""

    def read(self) -> bytes: ...

class _Mesh(Protocol):
    """A mesh of another library."""

    @property
    def vertices(self) -> Any: ...
    @property
    def faces(self) -> Any: ...

_ByInstance: TypeAlias = (
    Mapping[str, ArrayLike] | Mapping[int, ArrayLike] | Mapping[str | int, ArrayLike] | Sequence[ArrayLike]
)

# settings, written by tools/settings.rs
class _Still(TypedDict, total=False):
    """Keywords of `Model.render`."""

    ground: bool | None
    shadow: bool | None
    size: int | tuple[int, int] | None
    samples: Literal[1, 2, 4, 8, 16] | None
    anisotropy: Literal[1, 2, 4, 8, 16] | None
    shade: Literal["textured", "clay"] | None
    look: Literal["classic", "studio"] | None
    label: str | None
    tone: Literal["neutral", "none"] | None
    exposure: float | None
    occlusion: float | None
    springs: Literal["swing", "rest"] | None
    background: str | None
    azimuth_deg: float | None
    elevation_deg: float | None
    fov_deg: float | None
    view: Literal["dimetric", "isometric", "front", "back", "side", "top"] | None
    projection: Literal["perspective", "orthographic"] | None
    up: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    front: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    ticks_per_second: float | None
    palette: str | None
    wrap: Literal["loop", "clamp", "ping-pong"] | None
    root: Literal["keep", "hold", "hold-xz"] | None
    textures: _Path | Sequence[_Path]

class _ContactSheet(TypedDict, total=False):
    """Keywords of `Model.contact_sheet`."""

    turn_deg: float | None
    directions: int | None
    ground: bool | None
    shadow: bool | None
    size: int | tuple[int, int] | None
    samples: Literal[1, 2, 4, 8, 16] | None
    anisotropy: Literal[1, 2, 4, 8, 16] | None
    shade: Literal["textured", "clay"] | None
    look: Literal["classic", "studio"] | None
    label: str | None
    tone: Literal["neutral", "none"] | None
    exposure: float | None
    occlusion: float | None
    springs: Literal["swing", "rest"] | None
    background: str | None
    azimuth_deg: float | None
    elevation_deg: float | None
    fov_deg: float | None
    view: Literal["dimetric", "isometric", "front", "back", "side", "top"] | None
    projection: Literal["perspective", "orthographic"] | None
    up: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    front: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    ticks_per_second: float | None
    palette: str | None
    wrap: Literal["loop", "clamp", "ping-pong"] | None
    root: Literal["keep", "hold", "hold-xz"] | None
    time_s: float | None
    textures: _Path | Sequence[_Path]
    frames: int | None

class _Turn(TypedDict, total=False):
    """Keywords of `turntable`."""

    turn_deg: float | None
    directions: int | None
    ground: bool | None
    shadow: bool | None
    size: int | tuple[int, int] | None
    fps: float | None
    aov: str | Sequence[str] | None
    channels: str | Sequence[str] | None
    channels_as: Literal["npz", "exr", "png"] | None
    samples: Literal[1, 2, 4, 8, 16] | None
    anisotropy: Literal[1, 2, 4, 8, 16] | None
    shade: Literal["textured", "clay"] | None
    look: Literal["classic", "studio"] | None
    label: str | None
    tone: Literal["neutral", "none"] | None
    exposure: float | None
    occlusion: float | None
    springs: Literal["swing", "rest"] | None
    background: str | None
    azimuth_deg: float | None
    elevation_deg: float | None
    fov_deg: float | None
    view: Literal["dimetric", "isometric", "front", "back", "side", "top"] | None
    projection: Literal["perspective", "orthographic"] | None
    up: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    front: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    ticks_per_second: float | None
    palette: str | None
    clip: str | None
    wrap: Literal["loop", "clamp", "ping-pong"] | None
    root: Literal["keep", "hold", "hold-xz"] | None
    time_s: float | None
    textures: _Path | Sequence[_Path]
    clips: _Path | Sequence[_Path]
    frames: int | None
    threads: int
    overwrite: bool
    progress: _Progress | None

class _Thumbnail(TypedDict, total=False):
    """Keywords of `thumbnail`."""

    samples: Literal[1, 2, 4, 8, 16] | None
    anisotropy: Literal[1, 2, 4, 8, 16] | None
    shade: Literal["textured", "clay"] | None
    look: Literal["classic", "studio"] | None
    label: str | None
    tone: Literal["neutral", "none"] | None
    exposure: float | None
    occlusion: float | None
    springs: Literal["swing", "rest"] | None
    background: str | None
    azimuth_deg: float | None
    elevation_deg: float | None
    fov_deg: float | None
    view: Literal["dimetric", "isometric", "front", "back", "side", "top"] | None
    projection: Literal["perspective", "orthographic"] | None
    up: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    front: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    ticks_per_second: float | None
    palette: str | None
    clip: str | None
    wrap: Literal["loop", "clamp", "ping-pong"] | None
    root: Literal["keep", "hold", "hold-xz"] | None
    time_s: float | None
    size: int
    textures: _Path | Sequence[_Path]

# end of settings

class Error(Exception):
    """A file cannot be read, a scene has mistakes, or a picture cannot be drawn or written.

    Most are also instances of Python's own class for the same thing: FileNotFoundError and other OSErrors, ValueError, TypeError.
    """

    diagnostics: list[Diagnostic]
    is_temporary: bool

class Warning(UserWarning):
    """A fault that does not stop the drawing; the picture may not be the intended one."""

class Diagnostic:
    """One warning or error, with its position."""

    severity: Literal["warning", "error"]
    kind: str
    place: str
    line: int | None
    column: int | None
    message: str
    notes: list[str]
    help: str | None

class Frame:
    """A picture."""

    def __init__(
        self,
        pixels: NDArray[np.uint8],
        *,
        provenance: dict[str, str] | None = None,
        channels: dict[str, NDArray[Any]] | None = None,
        legend: dict[str, Any] | None = None,
        camera: Camera | None = None,
    ) -> None: ...
    depth: NDArray[np.float32]
    distance: NDArray[np.float32]
    position: NDArray[np.float32]
    normal: NDArray[np.float32]
    normal_view: NDArray[np.float32]
    face_normal: NDArray[np.float32]
    face_normal_view: NDArray[np.float32]
    uv: NDArray[np.float32]
    barycentric: NDArray[np.float32]
    triangle: NDArray[np.uint32]
    instance: NDArray[np.uint32]
    mesh: NDArray[np.uint32]
    material: NDArray[np.uint32]
    joint: NDArray[np.uint32]
    albedo: NDArray[np.float32]
    coverage: NDArray[np.float32]
    @property
    def channels(self) -> dict[str, NDArray[Any]]: ...
    @property
    def legend(self) -> dict[str, Any]: ...
    @property
    def camera(self) -> Camera | None: ...
    @property
    def provenance(self) -> dict[str, str]: ...
    @property
    def pixels(self) -> NDArray[np.uint8]: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    def save(self, path: _Path) -> None: ...
    def to_png(self) -> bytes: ...
    def to_bytes(self, format: Literal["png", "jpg", "webp"] = "png") -> bytes: ...
    def tobytes(self) -> bytes: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def _repr_png_(self) -> bytes: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

def _animation(frames: Sequence[Frame], fps: float, format: str) -> bytes: ...

class Camera:
    """The camera of one frame, as matrices for column vectors."""

    def __init__(
        self, view_from_world: NDArray[np.float64], clip_from_view: NDArray[np.float64], size: tuple[int, int]
    ) -> None: ...
    @staticmethod
    def from_k(
        K: ArrayLike,
        Rt: ArrayLike,
        size: tuple[int, int],
        *,
        convention: Literal["opencv", "opengl"] = "opencv",
        near: float | None = None,
        far: float | None = None,
        orthographic: bool = False,
    ) -> Camera: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def K(self) -> NDArray[np.float64]: ...
    def extrinsics(self, convention: Literal["opencv", "opengl"] = "opencv") -> NDArray[np.float64]: ...
    def pose(self, convention: Literal["opencv", "opengl"] = "opencv") -> NDArray[np.float64]: ...
    @property
    def view_from_world(self) -> NDArray[np.float64]: ...
    @property
    def clip_from_view(self) -> NDArray[np.float64]: ...
    @property
    def clip_from_world(self) -> NDArray[np.float64]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

class Joint:
    """A joint in the bind pose."""

    name: str
    parent: int | None
    matrix: NDArray[np.float32]

class Clip:
    """A clip of a model."""

    name: str
    period_s: float

class Mesh:
    """A mesh of a model."""

    name: str
    material: str
    triangles: NDArray[np.uint32]
    texcoords: NDArray[np.float32]

class PosedMesh:
    """A mesh at one time of a clip."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    is_shown: bool

class Morph:
    """A morph target of a model."""

    name: str
    joint: str
    number: int
    rest: float

class PosedModel:
    """A model at one time of a clip."""

    matrices: NDArray[np.float32]
    meshes: list[PosedMesh]
    def save_obj(self, path: _Path) -> None: ...

class Named(Generic[_Part]):
    """Parts of a model by position or name."""

    def names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int | str) -> _Part: ...
    @overload
    def __getitem__(self, key: slice) -> list[_Part]: ...
    def __contains__(self, key: object) -> bool: ...
    def __iter__(self) -> Iterator[_Part]: ...

class Model:
    """A model file with its joints, meshes and clips."""

    def __init__(self, path: _Source, *, clips: _Path | Sequence[_Path] = ...) -> None: ...
    @staticmethod
    def open(path: _Source, *, clips: _Path | Sequence[_Path] = ...) -> Model: ...
    @staticmethod
    def from_arrays(
        positions: ArrayLike | _Mesh,
        triangles: ArrayLike | None = None,
        *,
        normals: ArrayLike | None = None,
        uv: ArrayLike | None = None,
        colors: ArrayLike | None = None,
        color: ArrayLike | None = None,
        texture: NDArray[np.uint8] | Frame | None = None,
        joints: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        bind: ArrayLike | None = None,
    ) -> Model: ...
    @property
    def path(self) -> Any: ...
    @property
    def joints(self) -> Named[Joint]: ...
    @property
    def meshes(self) -> Named[Mesh]: ...
    @property
    def clips(self) -> Named[Clip]: ...
    @property
    def morphs(self) -> Named[Morph]: ...
    def pose(
        self,
        clip: str | None = None,
        time_s: float = 0.0,
        *,
        tick: float | None = None,
        key: int | None = None,
        root: Literal["keep", "hold", "hold-xz"] = "keep",
        springs: Literal["swing", "rest"] = "swing",
        morphs: Mapping[str, float] | Mapping[int, float] | Mapping[str | int, float] | None = None,
    ) -> PosedModel: ...
    def render(self, clip: str | None = None, time_s: float = 0.0, **options: Unpack[_Still]) -> Frame: ...
    def contact_sheet(self, *clips: str, **options: Unpack[_ContactSheet]) -> Frame: ...

class DatasetReport:
    """Counts of samples."""

    drawn: int
    present: int
    missing: list[int]

class Report:
    """Counts of the frames of a sequence of files."""

    frames: list[int]
    written: int
    present: int
    empty: list[int]
    files: list[Any]
    digest: str

class Scene:
    """A scene with its models, clips and textures."""

    def __init__(self, path: _Path) -> None: ...
    @staticmethod
    def open(path: _Path) -> Scene: ...
    @staticmethod
    def parse(
        text: str, folder: _Path = "", name: str = "scene", *, models: dict[str, _Source] | None = None
    ) -> Scene: ...
    @property
    def frames(self) -> list[int]: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def fps(self) -> float: ...
    @property
    def digest(self) -> str: ...
    def frame(
        self,
        number: int,
        *,
        channels: str | Sequence[str] = (),
        camera: Camera | None = None,
        transforms: _ByInstance | None = None,
        poses: _ByInstance | None = None,
        vertices: _ByInstance | None = None,
        next: dict[str, _ByInstance] | None = None,
    ) -> Frame: ...
    def view(self, number: int, view: str) -> tuple[Frame, str]: ...
    def camera(self, number: int) -> Camera: ...
    def render(
        self,
        output: _Path | None = None,
        *,
        frames: str | int | Iterable[int] | None = None,
        overwrite: bool = False,
        keep_going: bool = False,
        allow_empty: bool = False,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> Report: ...

class Cause:
    """One difference: its stage, its data, and a sentence with its amount."""

    subject: str
    clip: str | None
    stage: str
    finding: dict[str, Any] | None
    text: str
    evidence: list[str]

class PictureDiff:
    """Difference of two pictures."""

    name: str
    state: Literal["same", "within", "different", "size", "only-a", "only-b", "unreadable"]
    message: str
    pixels: int
    largest: int
    box: tuple[int, int, int, int] | None
    flip: float | None
    ssim: float | None
    heat: Frame | None

class JointDiff:
    """A joint that moved relative to its parent."""

    name: str
    turned_deg: float
    moved: float
    at_s: float
    followers: int

class PartDiff:
    """Difference of a model in its bind pose, or of one of its clips."""

    clip: str | None
    state: Literal["same", "within", "different", "only-a", "only-b"]
    causes: list[Cause]
    moments: int
    farthest: float
    joints: list[JointDiff]
    before: Frame | None
    after: Frame | None

class ModelDiff:
    """Difference of two models with all of their clips."""

    name: str
    state: Literal["same", "within", "different", "only-a", "only-b", "unreadable"]
    renamed_from: str | None
    error: str | None
    notes: list[str]
    parts: list[PartDiff]
    contact_sheet: Frame | None

class FileDiff:
    """Difference of two files that are neither pictures nor models."""

    name: str
    state: Literal["same", "same-content", "different", "only-a", "only-b", "unreadable", "not-compared"]
    sentences: list[str]

class Diff:
    """Differences of two sides."""

    same: bool
    causes: list[Cause]
    models: list[ModelDiff]
    pictures: list[PictureDiff]
    files: list[FileDiff]

    def write_report(self, folder: _Path) -> None: ...
    def to_json(self) -> str: ...
    def to_junit(self, report: _Path | None = None) -> str: ...

def diff(
    a: _Source | Frame,
    b: _Source | Frame,
    *,
    tolerance: float = 0.0,
    metric: Literal["max", "flip", "ssim"] | None = None,
    bound: float | None = None,
    pictures: bool = False,
) -> Diff: ...

class GalleryModel:
    """A model of a gallery."""

    name: str
    picture: Any
    problem: str | None
    warnings: list[str]

class Gallery:
    """Thumbnails of models in one folder."""

    models: list[GalleryModel]
    models_without_clip: int
    def write_page(self) -> None: ...
    def sheet(self) -> Frame: ...

class Golden:
    """One golden, compared with the current picture."""

    path: Any
    frame: int | None
    state: str
    passes: bool
    headline: str
    details: list[str]
    golden: Frame | None
    live: Frame | None

class CauseGroup:
    """Goldens that fail with the same cause."""

    cause: str
    goldens: list[Golden]

class Acceptance:
    """The acceptance of one golden."""

    files: list[Any]
    def undo(self) -> None: ...

class TestRun:
    """The results of comparing a golden set."""

    passed: bool
    goldens: list[Golden]
    errors: list[str]
    groups: list[CauseGroup]
    stray: list[Golden]
    warnings: list[Diagnostic]
    counts: dict[Literal["same", "within", "known", "failed", "left"], int]
    def accept(self, group: CauseGroup) -> list[Any]: ...
    def accept_one(self, golden: Golden) -> Acceptance: ...
    def write_report(self, folder: _Path) -> None: ...

class GoldenSet:
    """Goldens of scenes with their views, or of a model at given times."""

    @staticmethod
    def open(*paths: _Path, golden: _Path | None = None) -> GoldenSet: ...
    def test(self) -> TestRun: ...
    @staticmethod
    def of_model(
        model: _Path,
        name: str,
        clip: str | None,
        moments_ms: Sequence[int],
        clips: Sequence[str],
        size: tuple[int, int],
        folder: _Path,
    ) -> GoldenSet: ...
    @staticmethod
    def of_scene(path: _Path, frames: str | None, today: str, folder: _Path) -> GoldenSet: ...
    def bless(self, frames: Sequence[int] | None = None) -> list[Any]: ...
    def select(self, text: str) -> GoldenSet: ...
    def prune(self) -> list[Any]: ...
    def move_goldens(self) -> list[tuple[Any, Any]]: ...

class GoldenSession:
    """Results of a pytest session."""

    def __init__(self) -> None: ...
    def check(
        self, set: GoldenSet, accept: str, frames: Sequence[int] | None = None
    ) -> tuple[list[Golden], list[Diagnostic]]: ...
    def write_report(self, folder: _Path) -> None: ...

@overload
def turntable(model: _Source, output: None = None, **options: Unpack[_Turn]) -> Frames: ...
@overload
def turntable(model: _Source, output: _Path, **options: Unpack[_Turn]) -> Report: ...
def dataset(
    recipe: _Path, output: _Path, *, shard: tuple[int, int] | None = None, overwrite: bool = False
) -> DatasetReport: ...
def thumbnail(model: _Source, output: _Path | None = None, **options: Unpack[_Thumbnail]) -> Frame: ...
def gallery(models: _Path | Sequence[_Path], output: _Path, **options: Unpack[_Thumbnail]) -> Gallery: ...
def inspect(file: _Source, *, clips: _Path | Sequence[_Path] = ...) -> dict[str, Any]: ...
def main(words: Sequence[str], module: _Path) -> int: ...
