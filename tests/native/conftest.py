"""Makes the helpers of other test folders importable here: programs built by hand, and the configurations to try."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
for folder in (".", "run", "properties"):
    path = str(TESTS / folder)
    if path not in sys.path:
        sys.path.append(path)
