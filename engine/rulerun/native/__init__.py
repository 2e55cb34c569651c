"""Machine code for a program: the same meaning as `rulerun.run`, for volume. Wants llvmlite (extra ``native``)."""

from __future__ import annotations


def is_available() -> bool:
    """Whether llvmlite can be imported."""
    from importlib.util import find_spec

    return find_spec("llvmlite") is not None
