"""The `tintype` command, also as `python -m tintype`."""

import signal
import sys

from . import _tintype


def main() -> int:
    """Runs the command line of this process and returns its exit code."""
    # Commands that do not listen to Ctrl-C end at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _tintype.main(sys.argv, _tintype.__file__)


if __name__ == "__main__":
    sys.exit(main())
