"""Tokens: dealing hidden cards by what is known of them, each way as likely as the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from rulerun.view.worlds.blame import ContradictionError
from rulerun.view.worlds.dealing import Deal
from rulerun.view.worlds.planning import Plan


def plan_of(**parts: object) -> Plan:
    """A plan that knows just this."""
    plan = Plan.__new__(Plan)
    plan.pins, plan.backs, plan.never, plan.needs = {}, {}, {}, []
    for name, value in parts.items():
        setattr(plan, name, value)
    return plan


def deal(
    tokens: Sequence[int], kinds: Sequence[int], plan: Plan, backs: Sequence[int], random: Random
) -> dict[int, int]:
    return Deal(tokens, kinds, plan, backs, {}).run(random)


def test_a_pinned_token_gets_its_kind_and_the_rest_is_shared_out() -> None:
    dealt = deal([0, 1, 2], [5, 6, 7], plan_of(pins={1: 7}), [0] * 8, Random(1))
    assert dealt[1] == 7
    assert {dealt[0], dealt[2]} == {5, 6}


def test_backs_are_kept() -> None:
    backs = [0, 0, 1, 1]
    for seed in range(20):
        dealt = deal([10, 11, 12, 13], [0, 1, 2, 3], plan_of(backs={10: 1, 13: 0}), backs, Random(seed))
        assert dealt[10] in (2, 3)
        assert dealt[13] in (0, 1)


def test_what_is_ruled_out_is_kept_out_where_plain_shuffling_would_hardly_find_a_way() -> None:
    kinds = list(range(30))
    never = {t: set(kinds) - {t} for t in range(30)}
    assert deal(range(30), kinds, plan_of(never=never), [0] * 30, Random(3)) == {t: t for t in range(30)}


def test_each_way_to_deal_is_about_as_likely() -> None:
    never = {0: {0}, 1: {1}, 2: {2}, 3: {3}, 4: {4}}
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(4400):
        dealt = deal(range(5), range(5), plan_of(never=never), [0] * 5, Random(seed))
        counts[tuple(dealt[t] for t in range(5))] += 1
    assert len(counts) == 44  # the derangements of five
    assert min(counts.values()) > 50
    assert max(counts.values()) < 160


def test_a_deal_that_cannot_be_is_told() -> None:
    with pytest.raises(ContradictionError):
        deal([0, 1], [5, 6], plan_of(pins={0: 7}), [0] * 8, Random(0))
    with pytest.raises(ContradictionError):
        deal([0, 1], [5, 6], plan_of(never={0: {5, 6}}), [0] * 8, Random(0))


def test_what_one_of_some_must_be_is_among_them_as_likely_as_it_would_be_by_chance() -> None:
    """Two of six cards, one of which must be 0 or 1: nine pairs, all as likely."""
    plan = plan_of(needs=[([0, 1], frozenset({0, 1}))])
    counts: Counter[frozenset[int]] = Counter()
    for seed in range(1800):
        dealt = deal(range(6), range(6), plan, [0] * 6, Random(seed))
        counts[frozenset((dealt[0], dealt[1]))] += 1
    assert len(counts) == 9
    assert min(counts.values()) > 140
    assert max(counts.values()) < 260


def test_a_need_that_shuffling_hardly_meets_is_met() -> None:
    needs = [([t], frozenset({t})) for t in range(12)]
    assert deal(range(12), range(12), plan_of(needs=needs), [0] * 12, Random(1)) == {t: t for t in range(12)}
