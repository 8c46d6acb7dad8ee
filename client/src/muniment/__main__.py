"""`python -m muniment` and `python3 muniment.pyz`. This file is also read by Pythons too old for the rest."""

import sys


def run():  # type: () -> int
    """The command, or one sentence for a Python that cannot run it."""
    if sys.version_info < (3, 11):
        sys.stderr.write("muniment: this needs Python 3.11 or newer, and here is %s\n" % sys.version.split()[0])
        return 2
    from muniment.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
