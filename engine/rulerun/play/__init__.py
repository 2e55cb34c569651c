"""Whoever plays and counts: bots, volume simulation, statistics, logs of games, and tests of rulesets in text form."""
