"""Sight as part of a type: who may know each value of a finished program, and a refusal where somebody would read what
it cannot know. `docs/secrets.md` says what this promises.

Read `labels` (what a secret is), `values` (what is known of a value), then `expressions` and `flow` (how secrets go
from value to value), `told` (which forks of the rules show by themselves), and `judge` (who reads what).
"""
