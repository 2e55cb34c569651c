"""`node`: a frozen, slotted dataclass that is cheap to define.

There are some two hundred kinds of node in the house, and every command defines most of them when it starts. The
standard decorator compiles six methods for each; this one compiles `__init__` alone and shares the rest. Type checkers
see a frozen dataclass, and everything that asks `dataclasses.fields` or matches by position works as usual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


def _values(node: Any) -> tuple[Any, ...]:
    return tuple([getattr(node, name) for name in node.__match_args__])


def _equal(self: Any, other: Any) -> Any:
    if self is other:
        return True
    return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash((self.__class__.__name__, *_values(self)))


def _repr(self: Any) -> str:
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{self.__class__.__qualname__}({inside})"


@dataclass_transform(frozen_default=True)
def node(cls: type[T]) -> type[T]:
    """Makes a class of annotated fields a node: its fields are its value, and never change."""
    made = dataclass(slots=True, eq=False, repr=False)(cls)
    for name, method in (("__eq__", _equal), ("__hash__", _hash), ("__repr__", _repr)):
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made
