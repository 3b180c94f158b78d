"""The fixture `tintype_golden`: golden images of models and scenes in tests.

    def test_walk(tintype_golden):
        tintype_golden("hero.glb", clip="walk", times=[0, 0.25, 0.5])

`pytest --tintype-bless` accepts the current pictures, and `pytest --tintype-prune` removes goldens of tests that no longer exist. A failure names its cause, and `tintype-report/index.html` compares the pictures.
"""

from __future__ import annotations

import datetime
import fnmatch
import hashlib
import os
import re
import shlex
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

_BLESSED = "tintype_blessed"
_OFF = {"", "0", "false", "no", "off"}


class TintypeGolden:
    """Compares models and scenes with golden images; made by the fixture `tintype_golden`."""

    def __init__(self, request: pytest.FixtureRequest, session: _Session) -> None:
        self._node = request.node
        self._session = session
        self._folders: set[Path] = set()

    def __call__(
        self,
        subject: str | os.PathLike[str],
        clip: str | None = None,
        times: Sequence[float] = (0.0,),
        *,
        frames: str | None = None,
        clips: Sequence[str | os.PathLike[str]] = (),
        size: int | tuple[int, int] = 192,
        name: str | None = None,
        strict: bool = True,
    ) -> None:
        """Fails the test unless every picture is the golden one, byte for byte.

        `subject` is a model or a scene (`.toml`), relative to the file of the test. A model is shown at `times`, in seconds from the
        start of `clip`; without a clip in its bind pose. `clips` are clip files that are not beside the model. Of a scene `frames`
        selects frames, such as "0,12,24"; it is needed if the scene has no table `[golden]`.

        Goldens are in the folder `golden` beside the test; `name` tells two calls apart that would share it. Those of a scene with
        `[golden]` are where `tintype test` has them. A warning, such as a missing texture, fails the test unless `strict` is false.
        """
        from . import Error

        __tracebackhide__ = True
        path = Path(self._node.path).parent / subject
        refused: str | None = None
        try:
            golden_set, selected = self._golden_set(path, clip, times, frames, clips, size, name)
            written = golden_set.bless(selected) if self._session.blesses else []
            for file in written:
                self._node.user_properties.append((_BLESSED, self._shown(file)))
            goldens, found = self._session.native.check(golden_set, self._accept(), selected)
        except Error as error:
            refused = str(error)
        # Outside of the handler, so that the failure stands alone.
        if refused is not None:
            self._session.failed = True
            pytest.fail(f"tintype: {refused}", pytrace=False)
        for warning in found:
            warnings.warn(_warning(str(warning)), stacklevel=2)
        failed = [golden for golden in goldens if not golden.passes]
        if failed:
            self._session.failed = True
            pytest.fail(self._message(failed, len(goldens)), pytrace=False)
        if strict and found:
            told = "\n".join(f"  {warning}" for warning in found)
            pytest.fail(f"tintype: {path.name}: warnings (strict=False allows them):\n{told}", pytrace=False)

    def _golden_set(
        self,
        path: Path,
        clip: str | None,
        times: Sequence[float],
        frames: str | None,
        clips: Sequence[str | os.PathLike[str]],
        size: int | tuple[int, int],
        name: str | None,
    ) -> tuple[Any, list[int] | None]:
        """The goldens of a call, and the frames of them that are compared; None for all."""
        from ._tintype import GoldenSet

        if path.suffix.lower() == ".toml":
            if clip is not None or clips or tuple(times) != (0.0,):
                raise TypeError("clip, clips and times need a model; for a scene, use frames='0,12'")
            folder = self._folder(name or path.stem)
            today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            golden_set = GoldenSet.of_scene(path, frames, today, folder)
            return golden_set, None if frames is None else _numbers(frames)
        if frames is not None:
            raise TypeError("frames needs a scene; for a model, use times=[0, 0.5]")
        moments = sorted({round(time_s * 1000) for time_s in times})
        if not moments or len(moments) != len(times):
            raise ValueError(f"times={list(times)}: expected one or more times, at least a millisecond apart")
        beside = [os.path.relpath(path.parent / file, path.parent).replace(os.sep, "/") for file in clips]
        label = name or (path.stem if clip is None else f"{path.stem}.{clip}")
        sides = (size, size) if isinstance(size, int) else tuple(size)
        shown = f"{self._node.nodeid}/{label}"
        golden_set = GoldenSet.of_model(path, shown, clip, moments, beside, sides, self._folder(label))
        return golden_set, None

    def _folder(self, label: str) -> Path:
        """The folder of the goldens of a call, which no other call of the test may have."""
        folder = _folder_of(self._node, self._session.folder) / _file_name(label)
        if folder in self._folders:
            raise ValueError(f"two calls of this test would share the goldens {folder}: set name='...' for one of them")
        self._folders.add(folder)
        self._node.stash.setdefault(_USED, []).append(str(folder))
        owner = self._session.owners.setdefault(folder, self._node.nodeid)
        if owner != self._node.nodeid:
            raise ValueError(f"this test and {owner} would share the goldens {folder}: set name='...' for one of them")
        return folder

    def _accept(self) -> str:
        return f"pytest --tintype-bless {shlex.quote(self._node.nodeid)}"

    def _shown(self, file: Path) -> str:
        try:
            return _line(Path(file).relative_to(self._session.root).as_posix())
        except ValueError:
            return _line(str(file))

    def _message(self, failed: list[Any], count: int) -> str:
        lines = []
        for golden in failed:
            lines.append(f"{self._shown(golden.path)}: {golden.headline}")
            lines += [f"  {line}" for line in golden.details]
        lines.append(f"{len(failed)} of {count} goldens differ; to accept the new pictures: {self._accept()}")
        lines.append(f"report: {self._session.report / 'index.html'}")
        return "\n".join(lines)


class _Session:
    """Options and results of a run."""

    def __init__(self, config: pytest.Config) -> None:
        from ._tintype import GoldenSession

        self.native = GoldenSession()
        self.root = config.rootpath
        self.folder = config.getini("tintype_golden_folder")
        self.blesses = bool(config.getoption("--tintype-bless"))
        report = Path(config.getoption("--tintype-report") or "tintype-report")
        worker = getattr(config, "workerinput", {}).get("workerid")
        self.report = config.rootpath / report / worker if worker else config.rootpath / report
        self.is_asked = config.getoption("--tintype-report") is not None
        self.failed = False
        self.owners: dict[Path, str] = {}


_SESSION: pytest.StashKey[_Session] = pytest.StashKey()


class _Goldens:
    """The golden folders of tests that were collected, and of those that passed: which others are of no test.

    A folder is judged if the whole file of its test was collected, whatever `-k` leaves of it. Goldens of a test that did not pass are
    all kept: it may not have come to each of its calls.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.folder = config.getini("tintype_golden_folder")
        self.names = config.getini("python_files")
        # A test that is named by its id may be one of several of its file.
        self.partly = {Path(config.invocation_params.dir, arg.split("::")[0]) for arg in config.args if "::" in arg}
        self.is_filtered = any(config.getoption(name, default=False) for name in ("lf", "newfirst", "stepwise"))
        self.has_errors = False
        self.files: set[str] = set()
        self.tests: dict[str, str] = {}
        self.used: dict[str, list[str]] = {}

    def obsolete(self) -> list[Path]:
        """Folders with goldens that no test asks for."""
        if self.has_errors or self.is_filtered:
            return []
        found: set[Path] = set()
        tests = {Path(folder): nodeid for folder, nodeid in self.tests.items()}
        files = [Path(file) for file in sorted(self.files)]
        for file in files:
            for folder in _leaves(file.parent / self.folder / file.stem):
                test = next((above for above in [folder, *folder.parents] if above in tests), None)
                used = self.used.get(tests[test]) if test else []
                # A folder of further accepted pictures is that of its golden.
                if used is not None and not {str(folder), str(folder.parent)} & set(used):
                    found.add(folder)
        for base in {file.parent / self.folder for file in files}:
            for folder in base.iterdir() if base.is_dir() else ():
                file = base.parent / f"{folder.name}.py"
                is_test = any(fnmatch.fnmatch(file.name, name) for name in self.names)
                # The goldens of a scene may have such a name, too.
                if folder.is_dir() and is_test and not file.exists() and not file.with_suffix(".toml").exists():
                    found.update(_leaves(folder))
        return sorted(found)


_GOLDENS: pytest.StashKey[_Goldens] = pytest.StashKey()
_USED: pytest.StashKey[list[str]] = pytest.StashKey()
_OBSOLETE: pytest.StashKey[list[Path]] = pytest.StashKey()


def _leaves(folder: Path) -> list[Path]:
    """The folders that hold pictures or records, among a folder and all below it; not those of parts of records."""
    files = (file for pattern in ("*.png", "*.toml") for file in folder.rglob(pattern))
    files = (file for file in files if not re.fullmatch("[0-9a-f]{16}", file.stem))
    return sorted({file.parent for file in files if file.is_file()})


def _folder_of(node: pytest.Item, golden: str) -> Path:
    """The folder above those of the calls of a test."""
    test = Path(node.path)
    parts = node.nodeid.split("::")[1:] or [node.name]
    return (test.parent / golden / test.stem).joinpath(*map(_file_name, parts))


def _line(path: str) -> str:
    """A path as one line, which no log takes for a command."""
    line = "".join(one if one.isprintable() else one.encode("unicode_escape", "surrogatepass").decode() for one in path)
    return re.sub(r"^(\s*):(?=:)|##(?=[A-Za-z]*\[)", lambda found: found[0][:-1] + f"\\x{ord(found[0][-1]):02x}", line)


def _warning(text: str) -> Warning:
    from . import Warning as TintypeWarning

    return TintypeWarning(text)


def _file_name(part: str) -> str:
    """A name that every file system takes, and that no other part has: where letters are replaced, a digest tells `w/1` from `w:1`."""
    test, bracket, parameters = part.partition("[")
    readable = f"{test}_{parameters[:-1]}_" if bracket and parameters.endswith("]") else part
    plain = re.sub(r"[^\w.=+,@ -]", "_", readable).strip(". ")
    return plain if plain == readable else f"{plain}-{hashlib.sha256(part.encode()).hexdigest()[:8]}"


def _numbers(frames: str) -> list[int]:
    """The numbers of a list such as `0,12,24-30` or `0-20x5`."""
    numbers: list[int] = []
    for part in frames.split(","):
        found = re.fullmatch(r"\s*(-?\d+)(?:-(-?\d+)(?:x(\d+))?)?\s*", part)
        if not found:
            raise ValueError(f"frames={frames!r}: expected numbers and ranges such as 0,12,24-30")
        first, last, step = int(found[1]), int(found[2] or found[1]), int(found[3] or 1)
        numbers += range(first, last + 1, max(step, 1))
    return numbers


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tintype", "golden images of 3D models")
    group.addoption("--tintype-bless", action="store_true", help="accept the new pictures as goldens")
    group.addoption("--tintype-prune", action="store_true", help="remove goldens of deleted tests")
    group.addoption(
        "--tintype-report",
        metavar="DIR",
        help="folder of the HTML report [default: tintype-report, written only if a golden fails]",
    )
    parser.addini("tintype_golden_folder", "folder of the goldens, beside the test files", default="golden")


def pytest_configure(config: pytest.Config) -> None:
    for option in ("--tintype-bless", "--tintype-prune"):
        if config.getoption(option, default=False) and os.environ.get("CI", "").strip().lower() not in _OFF:
            raise pytest.UsageError(f"{option}: CI is set: only people accept goldens")
    config.stash[_GOLDENS] = _Goldens(config)
    config.stash[_OBSOLETE] = []
    config.pluginmanager.register(_Collection(config), "tintype-collection")


class _Collection:
    """Takes note of the collection of a run; a plugin of its own, as the hooks of a module get no settings."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.goldens = config.stash[_GOLDENS]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.goldens.has_errors |= report.failed
        path = self.config.rootpath / report.nodeid
        if report.passed and path.suffix == ".py" and path not in self.goldens.partly:
            self.goldens.files.add(str(path))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            self.goldens.tests[str(_folder_of(item, self.goldens.folder))] = item.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
            self.goldens.used[report.nodeid] = list(getattr(report, "tintype_used", ()))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Takes what a worker of xdist has collected: the process that starts workers collects nothing."""
        output = getattr(node, "workeroutput", {})
        self.goldens.files.update(output.get("tintype_files", ()))
        self.goldens.tests.update(output.get("tintype_tests", {}))
        self.goldens.has_errors |= bool(error) or output.get("tintype_errors", False)


@pytest.fixture
def tintype_golden(request: pytest.FixtureRequest) -> TintypeGolden:
    """Compares models and scenes with golden images: `tintype_golden("hero.glb", clip="walk", times=[0, 0.5])`."""
    stash = request.config.stash
    if _SESSION not in stash:
        stash[_SESSION] = _Session(request.config)
    return TintypeGolden(request, stash[_SESSION])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        report.tintype_used = item.stash.get(_USED, [])
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    own = config.stash.get(_SESSION, None)
    if own is not None and (own.failed or own.is_asked):
        own.native.write_report(own.report)
    goldens = config.stash[_GOLDENS]
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output.update(tintype_files=sorted(goldens.files), tintype_tests=goldens.tests, tintype_errors=goldens.has_errors)
        return
    config.stash[_OBSOLETE] = goldens.obsolete()
    if config.getoption("--tintype-prune"):
        for folder in config.stash[_OBSOLETE]:
            shutil.rmtree(folder)
            for above in folder.parents:
                # Up to a folder that holds something else.
                if above.name == goldens.folder or any(above.iterdir()):
                    break
                above.rmdir()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    reports = [report for some in terminalreporter.stats.values() for report in some]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    blessed = sorted({str(value) for name, value in properties if name == _BLESSED})
    if blessed:
        terminalreporter.section("tintype: accepted as golden")
        for file in blessed:
            terminalreporter.write_line(file)
    obsolete = config.stash[_OBSOLETE]
    if obsolete:
        pruned = config.getoption("--tintype-prune")
        terminalreporter.section("tintype: goldens of no test, removed" if pruned else "tintype: goldens of no test")
        for folder in obsolete:
            terminalreporter.write_line(os.path.relpath(folder, config.rootpath))
        if not pruned:
            terminalreporter.write_line("pytest --tintype-prune removes them")
    own = config.stash.get(_SESSION, None)
    if own is not None and (own.failed or own.is_asked):
        terminalreporter.write_line(f"tintype report: {own.report / 'index.html'}")
