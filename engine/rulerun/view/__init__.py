"""What a seat knows, sees and is offered; names for people; stories, logs and saves; worlds for a seat.

Everything here reads a `Program` and a state vector (and steps a `Machine`); nothing here knows how a ruleset is
written. May not import check, syntax or document.
"""
