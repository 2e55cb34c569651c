"""Our games beside OpenSpiel's. Where its wheel cannot be installed, only the figures of CardStock are compared."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pyspiel") else ["test_lockstep*.py", "test_trees.py"]
