"""``python -m noddysim``: the command line for those who have no ``noddysim`` on their path."""

from __future__ import annotations

import sys

from noddysim.cli import main

if __name__ == "__main__":  # worker processes import this module again
    sys.exit(main())
