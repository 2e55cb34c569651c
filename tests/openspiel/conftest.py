"""Our games beside OpenSpiel's. Where its wheel cannot be installed, nothing here is collected."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pyspiel") else ["test_*.py"]
