"""Players that are programs. A bot is given what its seat may see and the options it has; never a state.

Write your own: any object with a ``choose`` of this form is a bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rulerun.arguments import PlayError, listed, shown
from rulerun.play.simulate import policy_stream

if TYPE_CHECKING:
    from rulerun.game import Option
    from rulerun.view.view import View


class Bot(Protocol):
    """Chooses for a seat."""

    def choose(self, view: View, options: Sequence[Option]) -> int:
        """Index (from 0) of the option to take. ``options`` is never empty."""
        ...


class RandomBot:
    """Takes any option, each as likely. One such bot for all seats makes the choices that `simulate` makes for the
    same seed.
    """

    def __init__(self, seed: int) -> None:
        self._stream = policy_stream(seed)

    def choose(self, view: View, options: Sequence[Option]) -> int:  # noqa: ARG002 - it looks at nothing
        offered = listed(options)
        if not offered:
            raise PlayError(f"a bot chooses from a list of options, not from {shown(options)}")
        return self._stream.below(len(offered))
