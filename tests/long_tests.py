"""Which tests take long."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
LONG = (
    "openspiel",  # thousands of games beside other engines
    "properties",  # every number of players, variant and end of an option
    "run/test_costly_rules.py",  # rules that run until they are stopped
    "run/test_machine_random.py",
    "view/test_view_worlds_hard.py",
    "native/test_native_fuel.py",
    "native/test_native_mutants.py",
    "native/test_native_boards.py",
    "native/test_native_chains.py",
    "native/test_native_hidden_values.py",
    "native/test_native_large.py",  # as much of everything as the language allows
    "native/test_native_kept.py",
    "native/test_native_ladders.py",
    "native/test_native_sets.py",
    "native/test_native_turning.py",
    "native/test_native_usual.py",
)
"""Folders and files whose tests are all `long`; elsewhere a test that takes seconds is marked by itself."""
