"""The command line: ask a folder, try the demo, copy the notebooks, look at the machine."""

from ragnb.cli.commands import app

__all__ = ["app"]
