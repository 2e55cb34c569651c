"""Programs made at random from every node of the IR do the same in both executors."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from configurations import DEPTH
from executors_agree import Pair
from random_programs import random_program

from rulerun.native import UnsupportedError
from rulerun.native.compiler import shared_parts
from rulerun.native.playout import Playout


def is_refused(number: int) -> bool:
    """Whether machine code leaves a random program to the interpreter."""
    try:
        Playout(shared_parts(random_program(number))).write()
    except UnsupportedError:
        return True
    return False


def test_hardly_a_random_program_is_left_to_the_interpreter() -> None:
    """The tests below skip those that are, and would show nothing if all were."""
    assert sum(map(is_refused, range(100))) <= 3


@pytest.mark.parametrize("number", range(8 * DEPTH))
def test_a_random_program_does_the_same(number: int) -> None:
    try:
        pair = Pair(random_program(number))
        for seed in range(4):
            pair.play(seed, Random(seed), 40)
        pair.compare_playouts(0, 10, number)
    except UnsupportedError:
        pytest.skip("this program is left to the interpreter")
