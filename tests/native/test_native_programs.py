"""Programs made at random from every node of the IR do the same in both executors."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from configurations import DEPTH
from executors_agree import Pair
from random_programs import random_program

from rulerun.native import UnsupportedError


@pytest.mark.parametrize("number", range(8 * DEPTH))
def test_a_random_program_does_the_same(number: int) -> None:
    try:
        pair = Pair(random_program(number))
        for seed in range(4):
            pair.play(seed, Random(seed), 40)
        pair.compare_playouts(0, 10, number)
    except UnsupportedError:
        pytest.skip("this program is left to the interpreter")
