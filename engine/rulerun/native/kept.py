"""Machine code kept in the user's cache folder, so that a ruleset is compiled once and not at every start.

What it is kept under is made from all that it depends on: the program but for what is only told (where its lines stand,
the names of its sources), the engine's sources that say what code is made, LLVM, and the processor. The functions that
make code need the sizes of their buffers as well; these numbers are kept in front of the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from rulerun.ir.program import Program
from rulerun.native.compiler import host_name
from rulerun.source import cache as user_cache

MAKERS = ("facts", "ir", "native")
"""The floors that decide what code is made of a program."""


@dataclass(frozen=True)
class Made:
    """Object code, and numbers that whoever calls it must know."""

    code: bytes
    numbers: dict[str, int]


def made_once(program: Program, function: str, make: Callable[[], Made]) -> Made:
    """The code of a program for ``function``: what was kept, else what ``make`` makes, which is then kept."""
    name = user_cache.name_of("code", told_apart(program), function, sources(), *host_name())
    content = user_cache.read(name)
    if content is not None:
        numbers, _, code = content.partition(b"\n")
        return Made(code, json.loads(numbers))
    made = make()
    user_cache.write(name, json.dumps(made.numbers).encode() + b"\n" + made.code)
    return made


def told_apart(program: Program) -> str:
    """A text that two programs share only if the same code is made of them."""
    return repr(replace(program, origins=(), game=""))


@cache
def sources() -> str:
    """A hash of the sources that decide what code is made of a program."""
    found = sha256()
    for floor in MAKERS:
        for name, text in sorted(_texts(files("rulerun").joinpath(floor), floor)):
            found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def _texts(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    texts = []
    for entry in folder.iterdir():
        if entry.is_dir():
            texts += _texts(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(".py"):
            texts.append((f"{name}/{entry.name}", entry.read_bytes()))
    return texts
