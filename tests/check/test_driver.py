"""The switchboard of rule texts: every node has a room, and only one."""

from __future__ import annotations

from typing import get_args

import pytest

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.declarations.teams import FUNCTIONS
from rulerun.check.rule_text import callables, driver, rooms
from rulerun.check.rule_text.typed import Typed
from rulerun.check.rule_text.units import BUILTINS, ProcedureUnit, Unit
from rulerun.syntax import nodes as syn

EXPRESSIONS = get_args(syn.Expr)
STATEMENTS = get_args(syn.Stmt)
OWN_DOMAINS = {syn.Range, syn.Players, syn.Seats, syn.Generator, syn.Groups, syn.Runs, syn.Call}
ALLOWED_IN_FUNCTIONS = {syn.Let, syn.Assign, syn.If, syn.For, syn.Stop, syn.Skip, syn.Return, syn.Do}


@pytest.mark.parametrize("kind", EXPRESSIONS, ids=lambda kind: kind.__name__)
def test_every_kind_of_expression_has_one_room(kind: type) -> None:
    assert (kind in driver.EXPRESSIONS) + (kind in driver.GUIDED) == 1


@pytest.mark.parametrize("kind", STATEMENTS, ids=lambda kind: kind.__name__)
def test_every_kind_of_statement_has_one_room(kind: type) -> None:
    assert (kind in driver.STATEMENTS) + (kind in driver.EFFECTS) == 1


def test_nothing_but_nodes_has_a_room() -> None:
    assert set(driver.EXPRESSIONS) | set(driver.GUIDED) == set(EXPRESSIONS)
    assert set(driver.STATEMENTS) | set(driver.EFFECTS) == set(STATEMENTS)


def test_a_domain_is_lowered_in_a_way_of_its_own_or_in_that_of_all_others() -> None:
    assert set(driver.DOMAINS) == OWN_DOMAINS | {object}
    assert set(EXPRESSIONS) >= OWN_DOMAINS


def test_a_function_may_hold_what_makes_nothing_happen() -> None:
    assert set(driver.STATEMENTS) == ALLOWED_IN_FUNCTIONS


def test_the_functions_of_the_language_are_those_that_no_name_may_hide() -> None:
    plain = Symbols(players=2)
    assert {name for name, function in callables.BUILT_INS.items() if function.exists(plain)} == set(BUILTINS)
    teams = Symbols(players=4, teams=2)
    assert {name for name, function in callables.BUILT_INS.items() if function.exists(teams)} == {*BUILTINS, *FUNCTIONS}


def test_two_functions_of_the_language_cannot_have_one_name() -> None:
    with pytest.raises(ValueError, match="two functions of the language are named count"):
        callables.built_in("count", "one")(callables.BUILT_INS["order"].lower)


def test_two_rooms_cannot_lower_the_same_kind_of_node() -> None:
    def expression(unit: Unit, node: syn.Name) -> Typed:
        raise NotImplementedError

    def effect(unit: ProcedureUnit, node: syn.Let) -> None:
        raise NotImplementedError

    with pytest.raises(ValueError, match="two rooms lower Name"):
        driver.expression(syn.Name)(expression)
    with pytest.raises(ValueError, match="two rooms lower Let"):
        driver.effect(syn.Let)(effect)
    assert syn.Name not in driver.EXPRESSIONS
    assert syn.Let not in driver.EFFECTS


def test_what_is_entered_stands_in_a_room() -> None:
    tables = (driver.EXPRESSIONS, driver.GUIDED, driver.STATEMENTS, driver.EFFECTS, driver.DOMAINS)
    entered = {function.__module__ for table in tables for function in table.values()}
    entered |= {function.lower.__module__ for function in callables.BUILT_INS.values()}
    assert entered == {f"{rooms.__name__}.{name}" for name in rooms.__all__}
