//! What the help of commands ends with: examples to start from, and what the exit code means.
//!
//! An example fits 80 columns; a paragraph is one line, which is wrapped where it is shown.

pub(super) const INSPECT: &str = "\
Examples:
  tintype inspect imp.md5mesh                      all that is known, and problems
  tintype inspect imp.md5mesh -a walk.md5anim      also whether the clip fits it
  tintype inspect imp.md5mesh --tree               every joint, drawn as a tree
  tintype inspect scenes/walk.toml                 a scene: models, memory
  tintype inspect imp.x --json | jq '.models[0].problems'

Problems are warnings (nobody can want them: a vertex without influence, a mesh that is inside out) or notes (worth knowing, may be meant); each says how many, where first, and what to do. With --strict a warning ends with exit code 3.

Exit codes: 0 read; 2 bad input; 3 --strict and a warning.";

pub(super) const POSE: &str = "\
Examples:
  tintype pose imp.md5mesh -o imp.obj                                bind pose
  tintype pose imp.md5mesh -a walk.md5anim --time 0.5 -o imp.obj
  tintype pose imp.md5mesh -a walk.md5anim --frame 12 -o imp.obj     a key
  tintype pose imp.x --clip Walk --tick 480 -o - | head

Exit codes: 0 written; 2 bad input; 75 temporary trouble: run it again.";

pub(super) const TEST: &str = "\
Examples:
  tintype test                                all scenes below scenes/
  tintype test scenes/walk.toml --fail-fast
  tintype test --list                         which goldens there must be
  tintype test --report out/report --junit out/junit.xml

A scene lists its golden frames: [golden] frames = \"0,12,24\", size = [160, 120]. Goldens of scenes/walk.toml are in golden/walk/; tintype bless makes them.

Exit codes: 0 all goldens are the same; 1 some differ, are missing or belong to no scene; 2 bad input.";

pub(super) const BLESS: &str = "\
Examples:
  tintype test --report out/report     look first: what differs, and why
  tintype bless scenes/walk.toml       then accept the frames of today
  tintype bless golden/walk/0012.png   or one of them
  tintype bless --all
  tintype bless --prune                delete goldens that no scene asks for

Only pictures that differ are written, and each is said. Refused where CI is set: a build server compares and never accepts.

Exit codes: 0 accepted; 1 what was accepted does not hold; 2 bad input, or CI is set; 75 temporary trouble: run it again.";

pub(super) const VERIFY: &str = "\
Examples:
  tintype verify scenes/walk.toml
  tintype verify scenes/walk.toml -o walk.####.png -f 0-23
  tintype verify walk.toml --missing               the list for render -f
  tintype render walk.toml -f \"$(tintype verify walk.toml --missing)\"

Nothing is drawn: a frame carries a digest of its scene, files and options, which is compared.

Exit codes: 0 every frame is there; 1 some are missing, torn or stale; 2 bad input.";

pub(super) const MAN: &str = "\
Examples:
  tintype man | man -l -                      the manual, now
  tintype man -o ~/.local/share/man/man1      then: man tintype-render";
