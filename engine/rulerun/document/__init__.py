"""Floor 1: from the text of a ruleset to its typed document, every value with its place, rule text still unread.

`read` is the way in, and `read_files` for whoever wants several documents of the same files; `model` is what comes
out. Imports only `source`; nothing of YAML leaves this package.
"""

from rulerun.document.reading import read, read_files

__all__ = ["read", "read_files"]
