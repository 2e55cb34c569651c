"""The little English that a story needs: verbs in the third person, articles, lists.

A label such as "play {card}" is an order; told of a player it becomes "plays". That is done for known verbs alone, so
that labels of any other form, and of any other language, are left as they are. Imports nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_VERBS = """
accept add advance announce answer ask assign attach attack bank beat beg bet bid block bluff borrow build burn bury
buy call cancel capture cash catch challenge chance change check choose claim clear close collect commit compare
concede confirm contest copy count cover cross cut deal declare decline defend deny deposit destroy discard dodge
donate double doubt draw drop end equip evade exchange expose face feed fill finish flip fold follow force gain gamble
gather get give go grab guess hand hide hit hold ignore insert invite join jump keep kill knock lay lead leave lend
let lift light lock look lose make match meld merge mix move name negotiate nominate offer open order outbid overbid
pass pay peek pick place plant play plunder point poke produce promise propose protect pull push put raise reach react
recruit redraw reduce refuse reject release remove repeat replace request reroll rescue resign resist retreat return
reveal ride rob roll rotate run sacrifice save say score search secure see seize select sell send set shed shift shoot
show shuffle signal skip slide snap sort spend spin split spread spy stack stand start stay steal stop store strike
surrender swap take tap tell test throw toss touch trade train transfer trash trigger try turn uncover undercut undo
use visit vote wait want wipe wish withdraw yield
"""
VERBS = frozenset(_VERBS.split())
_PREPOSITIONS = """
after against and at before by for from in instead into of on onto or over to under with
"""
PREPOSITIONS = frozenset(_PREPOSITIONS.split())


def first_word(label: str) -> str:
    return label.split(" ", 1)[0]


def is_verb(label: str) -> bool:
    """Whether a label begins with a verb that is known here."""
    return first_word(label) in VERBS


def third_person(label: str, also: Iterable[str] = ()) -> str:
    """A label that begins with a verb, as it is told of one player. ``also``: verbs that are told so behind an "and".

    >>> third_person("pass 3 cards"), third_person("try again"), third_person("play 7 and take it", {"take"})
    ('passes 3 cards', 'tries again', 'plays 7 and takes it')
    """
    first, *others = label.split(" and ")
    return " and ".join([_told(first), *(_told(o) if first_word(o) in also else o for o in others)])


def verbs_behind_and(text: str) -> set[str]:
    """The verbs in a text that stand right behind an "and".

    >>> sorted(verbs_behind_and("call hearts and play alone and red"))
    ['play']
    """
    return {first_word(other) for other in text.split(" and ")[1:]} & VERBS


def _told(label: str) -> str:
    verb, space, rest = label.partition(" ")
    if verb in ("go", "do") or verb.endswith(("s", "x", "z", "ch", "sh")):
        verb += "es"
    elif verb.endswith("y") and verb[-2:-1] not in tuple("aeou"):
        verb = verb[:-1] + "ies"
    else:
        verb += "s"
    return verb + space + rest


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def any_of(names: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def counted(names: Sequence[str]) -> str:
    """As `listed`, equal names told once with their number: ``2 x a and b``."""
    return listed([f"{names.count(n)} x {n}" if names.count(n) > 1 else n for n in dict.fromkeys(names)])


def a_thing(name: str) -> str:
    """With the indefinite article, unless it has one."""
    if name.startswith(("a ", "an ", "the ")):
        return name
    return f"{'an' if name[:1].casefold() in tuple('aeiou') else 'a'} {name}"


def number_of_cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    end = "" if text.endswith((".", "!", "?", "…")) else "."
    return text[:1].upper() + text[1:] + end


_PARTICIPLES = """
bought dealt down drawn gone held hidden kept known laid left lost met open set shown sold spent taken thrown up won
"""
PARTICIPLES = frozenset(_PARTICIPLES.split())


def noun(name: str) -> str:
    """The name of a place for cards as a noun: ``the played`` are ``the played cards``."""
    last = name.rsplit(" ", 1)[-1]
    return f"{name} cards" if last in PARTICIPLES or (last.endswith("ed") and len(last) > 4) else name


def is_plural(name: str) -> bool:
    """Whether a name looks like a plural."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))
