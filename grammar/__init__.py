"""The grammar and the schema of the ruleset language, as package data."""
