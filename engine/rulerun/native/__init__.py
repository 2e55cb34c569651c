"""Machine code for a program: the same meaning as `rulerun.run`, for volume. Wants llvmlite."""

from __future__ import annotations


class UnsupportedError(Exception):
    """The program holds something that only the interpreter does; the text says what."""


class MachineCodeError(RuntimeError):
    """LLVM refuses what it was given. A mistake of ours or of its; the interpreter plays the program all the same."""


class NoCompilerError(Exception):
    """There can be no machine code here; the text says why. ``broken``: llvmlite is there, and fails."""

    def __init__(self, why: str, *, broken: bool) -> None:
        super().__init__(why)
        self.broken = broken


def ask_compiler() -> None:
    """Raises `NoCompilerError` if llvmlite is not installed, or is and cannot be imported (its library is missing, or
    made for another system)."""
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec("llvmlite") is None:
        raise NoCompilerError(
            "the native executor wants llvmlite, which is not installed (pip install llvmlite)", broken=False
        )
    try:
        import_module("llvmlite.binding")
    except Exception as error:  # what a library that is not whole raises is for the system to choose
        told = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise NoCompilerError(
            f"the native executor wants llvmlite, which cannot be imported: {told} "
            "(pip install --force-reinstall llvmlite)",
            broken=True,
        ) from error
