"""Tests the goldens of a folder of scenes, accepts what fails for a cause that is named, and writes the page: golden.py [CAUSE]."""

import sys
import tintype

run = tintype.GoldenSet.open("scenes").test()
for group in run.groups:
    print(f"{len(group.goldens)} fail: {group.cause}")
    if sys.argv[1:] and sys.argv[1] in group.cause:
        print("\n".join(f"accepted {path}" for path in run.accept(group)))
for error in run.errors:
    print(error)
run.write_report("out/report")
sys.exit(not run.passed)
