"""What callers of the Python API hand over, looked at before anything is done with it.

Every function gives the value back, or raises an error that names what was expected and shows what came. Whole numbers
are ``int`` alone: a truth value or a float in their place is nearly always a slip. May import `source` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TypeVar

from rulerun.source.diagnostic import UsageError

T = TypeVar("T")

SEED_LOW, SEED_HIGH = -(2**63), 2**63 - 1
SHOWN = 60
"""Characters of a wrong value that a message shows."""


class PlayError(ValueError):
    """A call that the position does not allow; nothing was changed."""


def shown(value: object) -> str:
    """A value of any kind in a few characters of a message."""
    try:
        text = repr(value)
    except Exception:  # a number of too many digits, an object that cannot show itself
        return f"a value of {type(value).__name__}"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole_number(value: int, what: str, low: int, high: int | None = None) -> int:
    """A whole number from ``low`` to ``high`` (None: any above). ``what`` names it, as in "a number of games"."""
    if not is_whole(value) or value < low or (high is not None and value > high):
        span = f"from {low} on" if high is None else f"from {low} to {high}"
        raise PlayError(f"{what} is a whole number {span}, not {shown(value)}")
    return value


def seed_number(seed: int) -> int:
    """A seed of the generator: any number of 64 bits."""
    if not is_whole(seed) or not SEED_LOW <= seed <= SEED_HIGH:
        raise PlayError(f"a seed is a whole number from -2**63 to 2**63 - 1, not {shown(seed)}")
    return seed


def seat_number(seat: int, players: int) -> int:
    """A seat of a game, from 0."""
    if not is_whole(seat) or not 0 <= seat < players:
        raise PlayError(f"there is no seat {shown(seat)}: seats are 0 to {players - 1}")
    return seat


def text_of(value: str, what: str) -> str:
    """A text. ``what`` names it, as in "a key"."""
    if not isinstance(value, str):
        raise PlayError(f"{what} is a text, not {shown(value)}")
    return plain_text(value)


def plain_text(text: str) -> str:
    """The letters of a text. ``str()`` of an enum whose members are texts would give the name of the member."""
    return str.__str__(text)


def setting_texts(options: Mapping[str, bool | int | str] | None) -> dict[str, str]:
    """Options of a ruleset with their values as ``--set`` takes them. Raises `UsageError`."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise UsageError(f"options are a mapping from names to values, as in {{'size': 3}}, not {shown(options)}")
    for name, value in options.items():
        if not isinstance(name, str):
            raise UsageError(f"the name of an option is a text, not {shown(name)}")
        if not isinstance(value, bool | int | str):
            raise UsageError(f"the option {shown(name)} is set to a number, a truth or a name, not to {shown(value)}")
    return {plain_text(name): setting_text(value) for name, value in options.items()}


def setting_text(value: bool | int | str) -> str:
    """One value as ``--set`` takes it. Raises `UsageError` for a number of more digits than anybody means."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return plain_text(value)
    try:
        return int.__repr__(value)  # `str` of a member of an enum would be its name
    except ValueError:
        raise UsageError("an option is set to a number of too many digits") from None


def names_of(names: Iterable[str], what: str) -> tuple[str, ...]:
    """A list of names, as of ``what``: "variants". Raises `UsageError`."""
    found = listed(names)
    if found is None:
        raise UsageError(f"{what} are a list of names, as in ['short'], not {shown(names)}")
    for name in found:
        if not isinstance(name, str):
            raise UsageError(f"{what} are a list of names, and {shown(name)} is none")
    return tuple(map(plain_text, found))


def listed(values: Iterable[T]) -> tuple[T, ...] | None:
    """The values of a list or another thing that has an order; None for what is none. A single text is none (it would
    be taken letter by letter), nor a mapping or a set."""
    if isinstance(values, str | bytes | bytearray | Mapping | Set) or not isinstance(values, Iterable):
        return None
    return tuple(values)
