"""The fixture `tintype_golden`, in tests of a project of its own."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

import pytest

TEST = """
def test_walk(tintype_golden):
    tintype_golden("scarab.md5mesh", clip="scarab_walk", times=[0, 0.25], size=64)
"""


@pytest.fixture
def project(pytester, assets, monkeypatch):
    """A project with a model, its clip and its textures."""
    monkeypatch.delenv("CI", raising=False)
    for file in assets.glob("scarab*.md5*"):
        shutil.copy(file, pytester.path)
    shutil.copytree(assets / "textures", pytester.path / "textures")
    pytester.makepyfile(test_hero=TEST)
    return pytester


def blessed(project):
    project.runpytest("--tintype-bless").assert_outcomes(passed=1)
    return sorted(project.path.glob("golden/test_hero/test_walk/scarab.scarab_walk/*.*"))


def slow_down(project):
    file = project.path / "scarab_walk.md5anim"
    text = file.read_text()
    assert "frameRate 24" in text
    file.write_text(text.replace("frameRate 24", "frameRate 12"))


def test_missing_goldens_fail_and_are_accepted_when_asked(project):
    result = project.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*0000.png: the golden is missing", "*pytest --tintype-bless *test_walk*"])
    assert not (project.path / "golden").exists()
    files = blessed(project)
    assert [file.name for file in files] == ["0000.png", "0000.toml", "0250.png", "0250.toml"]
    before = [file.read_bytes() for file in files]
    project.runpytest().assert_outcomes(passed=1)
    # Accepted once more, nothing is written.
    result = project.runpytest("--tintype-bless")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*accepted as golden*")
    assert [file.read_bytes() for file in files] == before


def test_failure_names_its_cause_and_writes_the_report(project):
    blessed(project)
    slow_down(project)
    result = project.runpytest("--junit-xml=junit.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*12 keys per second, was 24*", "*to accept the new pictures:*", "tintype report: *index.html"])
    report = project.path / "tintype-report"
    page = (report / "index.html").read_text()
    assert "12 keys per second" in page and "pytest --tintype-bless" in page
    # The list that a person ticks is the only one that the command accepts; the page's scripts make commands of other goldens.
    assert set(re.findall(r"tintype bless ([\w/'.-]\S*)", page)) <= {"--from", "--from`"}
    assert len(list(report.rglob("*.golden.png"))) == len(list(report.rglob("*.new.png"))) > 0
    failure = xml.parse(project.path / "junit.xml").find(".//failure")
    assert "12 keys per second" in failure.text
    # The new picture is accepted, and holds.
    project.runpytest("--tintype-bless").assert_outcomes(passed=1)
    project.runpytest().assert_outcomes(passed=1)


def test_report_goes_where_it_is_asked_for_also_without_failures(project):
    blessed(project)
    project.runpytest("--tintype-report", "artifact").assert_outcomes(passed=1)
    assert (project.path / "artifact" / "index.html").is_file()
    assert not (project.path / "tintype-report").exists()


def test_build_servers_do_not_accept(project, monkeypatch):
    monkeypatch.setenv("CI", "true")
    result = project.runpytest("--tintype-bless")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*CI is set*"])
    assert not (project.path / "golden").exists()


def test_scene_without_goldens_of_its_own_has_those_of_the_test(project):
    (project.path / "scarab.toml").write_text(
        '[output]\nsize = [64, 48]\nframes = "0-9"\n[[model]]\nfile = "scarab.md5mesh"\nclips = [{ file = "scarab_walk.md5anim" }]\n'
    )
    project.makepyfile(test_hero='def test_scene(tintype_golden):\n    tintype_golden("scarab.toml", frames="0,4-8x4")\n')
    project.runpytest("--tintype-bless").assert_outcomes(passed=1)
    folder = project.path / "golden" / "test_hero" / "test_scene" / "scarab"
    assert sorted(file.name for file in folder.glob("*.png")) == ["0000.png", "0004.png", "0008.png"]
    project.runpytest().assert_outcomes(passed=1)
    os.replace(folder / "0004.png", folder / "0000.png")
    project.runpytest().assert_outcomes(failed=1)


def test_goldens_of_a_scene_are_those_of_the_command(pytester, scenes, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    shutil.copytree(scenes / "assets", pytester.path / "scenes" / "assets")
    shutil.copy(scenes / "walk.toml", pytester.path / "scenes")
    shutil.copytree(scenes.parent / "golden" / "walk", pytester.path / "golden" / "walk")
    words = [sys.executable, "-m", "tintype", "--no-config", "-q", "bless", "walk"]
    subprocess.run(words, cwd=pytester.path, check=True)
    pytester.makepyfile(test_walk='def test_walk(tintype_golden):\n    tintype_golden("scenes/walk.toml", frames="9")\n')
    pytester.runpytest().assert_outcomes(passed=1)
    golden = pytester.path / "golden" / "walk"
    shutil.copy(golden / "0000.png", golden / "0009.png")
    pytester.runpytest().assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('"none.md5mesh"', "none.md5mesh"),
        ('"scarab.md5mesh", clip="scarab_wlak"', 'did you mean "scarab_walk"'),
        ('"scarab.md5mesh", frames="0"', "frames needs a scene"),
        ('"scarab.md5mesh", times=[0, 0.0001]', "at least a millisecond apart"),
    ],
)
def test_mistakes_of_a_call_are_told(project, call, message):
    project.makepyfile(test_hero=f"def test_it(tintype_golden):\n    tintype_golden({call})\n")
    result = project.runpytest("--tintype-bless")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*{message.replace('[', '[[]')}*"])


def test_missing_texture_fails_unless_it_is_allowed(project):
    shutil.rmtree(project.path / "textures")
    result = project.runpytest("--tintype-bless")
    result.assert_outcomes(failed=1)
    assert not list(project.path.rglob("golden/**/*.png"))


def test_two_calls_with_one_folder_are_refused(project):
    call = 'tintype_golden("scarab.md5mesh", size=32)'
    project.makepyfile(test_hero=f"def test_it(tintype_golden):\n    {call}\n    {call}\n")
    result = project.runpytest("--tintype-bless")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*set name=*for one of them*"])


def test_parameters_that_differ_in_a_letter_have_goldens_of_their_own(project):
    project.makepyfile(
        test_hero="""
        import pytest

        @pytest.mark.parametrize("clip", ["scarab_walk"] * 3, ids=["w/1", "w:1", "w_1"])
        def test_walk(tintype_golden, clip):
            tintype_golden("scarab.md5mesh", clip=clip, size=32, name="n", strict=False)
        """
    )
    project.runpytest("--tintype-bless").assert_outcomes(passed=3)
    project.runpytest().assert_outcomes(passed=3)
    folders = sorted(path.parent.parent.name for path in project.path.glob("golden/**/*.png"))
    assert len(set(folders)) == 3 and "test_walk_w_1_" in folders


def obsolete(result):
    """The folders that a run tells as those of no test."""
    lines = result.stdout.lines
    start = next((at for at, line in enumerate(lines) if "goldens of no test" in line), len(lines))
    return [line for line in lines[start + 1 :] if line.startswith("golden")]


TWO = """
import pytest

@pytest.mark.parametrize("clip", ["scarab_walk", "scarab_idle"])
def test_clip(tintype_golden, clip):
    tintype_golden("scarab.md5mesh", clip=clip, size=64)

def test_bind(tintype_golden):
    tintype_golden("scarab.md5mesh", size=64)
    tintype_golden("scarab.md5mesh", size=64, name="again")
"""


def test_goldens_of_tests_that_are_gone_are_told_and_pruned(project, monkeypatch):
    project.makepyfile(test_hero=TWO, test_other=TEST)
    result = project.runpytest("--tintype-bless")
    result.assert_outcomes(passed=4)
    assert obsolete(result) == []
    # Neither a choice of tests nor a failure leaves goldens without a test.
    for words in (["-k", "bind"], ["test_hero.py::test_bind"], ["test_other.py"], ["--lf"]):
        assert obsolete(project.runpytest(*words)) == [], words
    (project.path / "test_hero.py").write_text(TWO.replace('"scarab.md5mesh", size=64)', '"none.md5mesh", size=64)', 1))
    assert obsolete(project.runpytest()) == []
    # A parameter, a call and a file that are gone, and a folder of a scene that is no test.
    fewer = TWO.replace(', "scarab_idle"', "").replace('    tintype_golden("scarab.md5mesh", size=64, name="again")\n', "")
    (project.path / "test_hero.py").write_text(fewer)
    (project.path / "test_other.py").unlink()
    (project.path / "golden" / "walk").mkdir()
    (project.path / "golden" / "walk" / "0000.png").write_bytes(b"")
    gone = [
        "golden/test_hero/test_bind/again",
        "golden/test_hero/test_clip_scarab_idle_/scarab.scarab_idle",
        "golden/test_other/test_walk/scarab.scarab_walk",
    ]
    result = project.runpytest("-k", "bind")
    told = obsolete(result)
    assert [re.sub("-[0-9a-f]{8}", "", folder) for folder in told] == gone
    result.stdout.fnmatch_lines(["pytest --tintype-prune removes them"])
    files = sorted(project.path.glob("golden/**/*.*"))
    monkeypatch.setenv("CI", "true")
    project.runpytest("--tintype-prune").stderr.fnmatch_lines(["*--tintype-prune: CI is set*"])
    monkeypatch.delenv("CI")
    assert sorted(project.path.glob("golden/**/*.*")) == files
    result = project.runpytest("--tintype-prune")
    result.assert_outcomes(passed=2)
    assert obsolete(result) == told
    assert not any((project.path / folder).exists() for folder in told)
    assert sorted(folder.name for folder in (project.path / "golden").iterdir()) == ["test_hero", "walk"]
    result = project.runpytest()
    result.assert_outcomes(passed=2)
    assert obsolete(result) == []


def test_pytest_of_a_file_with_an_error_prunes_nothing(project):
    blessed(project)
    (project.path / "test_hero.py").write_text("import no_such_module")
    result = project.runpytest("--tintype-prune")
    assert obsolete(result) == []
    assert list(project.path.glob("golden/test_hero/test_walk/*/0000.png"))
