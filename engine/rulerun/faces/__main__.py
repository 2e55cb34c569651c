"""``python -m rulerun.faces``: the same as the command `rulerun`, and under its name (see `rulerun.__main__`)."""

from rulerun.faces.cli import main

if __name__ == "__main__":
    main()
