"""Training from the command line: ``python -m vision.training COMMAND``; ``--help`` after a command says more.

``classify`` and ``locate`` train one network each; ``all`` trains the models that ship, ``folds`` those for
measuring. ``company`` trains what the squares of a kingdom tell about each other, ``kingdom`` what reads all its
cells at once, ``extent`` what judges whether a tile lies on a cell, ``castle`` what tells a castle's colour;
``labels`` lists suspicious labels of single tiles.
"""

from __future__ import annotations

import sys

from vision.training import castle, classify, company, extent, kingdom, locate, square_labels

COMMANDS = {
    "classify": classify.main,
    "locate": locate.main,
    "company": company.main,
    "kingdom": kingdom.main,
    "extent": extent.main,
    "castle": castle.main,
    "labels": square_labels.main,
}
# The shipped classifier is calibrated on what the fold models say, so those come first.
TOGETHER = {
    "all": (("classify", ()), ("locate", ())),
    "folds": (("classify", ("--fold", "all")), ("locate", ("--fold", "all"))),
}


def main(arguments: list[str]) -> int:
    """Run a command with the arguments that follow it."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command not in COMMANDS and command not in TOGETHER:
        print(__doc__)
        return 0 if command in ("-h", "--help") else 2
    for name, fixed in TOGETHER.get(command, ((command, ()),)):
        COMMANDS[name]([*fixed, *rest])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
