"""Programs made at random from every node of the IR do the same in both executors."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("llvmlite")

from configurations import DEPTH
from executors_agree import Pair
from random_programs import random_program

from rulerun.native import UnsupportedError

BATCH = 8


@pytest.mark.parametrize("first", range(0, BATCH * DEPTH, BATCH))
def test_random_programs_do_the_same(first: int) -> None:
    left = decisions = 0
    for number in range(first, first + BATCH):
        try:
            pair = Pair(random_program(number))
            decisions += sum(pair.play(seed, Random(seed), 40) for seed in range(4))
            pair.compare_playouts(0, 10, number)
        except UnsupportedError:
            left += 1
    assert left <= 1, "hardly any program is left to the interpreter"
    assert decisions >= 2 * BATCH, "programs come to choices"
