"""Runs the command line of recognition."""

import sys

from vision.cli import main

if __name__ == "__main__":
    sys.exit(main())
