"""Machine code for a program: the same meaning as `rulerun.run`, for volume. Wants llvmlite."""

from __future__ import annotations


class UnsupportedError(Exception):
    """The program holds something that only the interpreter does; the text says what."""


class MachineCodeError(RuntimeError):
    """LLVM refuses what it was given. A mistake of ours or of its; the interpreter plays the program all the same."""


def is_available() -> bool:
    """Whether llvmlite can be imported."""
    from importlib.util import find_spec

    return find_spec("llvmlite") is not None
