"""The shipped rulesets, as package data."""
