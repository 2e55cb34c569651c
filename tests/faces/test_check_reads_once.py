"""`rulerun check` looks at a ruleset with each of its variants, and reads the files once for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulerun.check import compile_ruleset
from rulerun.document import reading
from rulerun.document.model import Entries
from rulerun.faces.check import examine
from rulerun.faces.loading import open_ruleset
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Source

BASE = """\
rulerun: 1
game: Base
players: 2
cards: {deck: french52}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
state: {n: int}
rules:
  play: |
    for p in players:
      p chooses k from 1..2 as "say {k}": n += k
result:
  score(Player p): n
  winner: [highest score]
"""
VARIANT = """\
  v{number}:
    about: another score
    result:
      score(Player p): {score}
"""


def with_variants(folder: Path, count: int, last: str = "2 * n") -> str:
    """The path of a ruleset that extends another and has so many variants, the last with its own score."""
    (folder / "base.yaml").write_text(BASE)
    scores = [f"n + {i + 1}" for i in range(count - 1)] + [last]
    variants = "".join(VARIANT.format(number=i, score=score) for i, score in enumerate(scores))
    path = folder / f"of_{count}.yaml"
    path.write_text(f"extends: base.yaml\nrulerun: 1\nvariants:\n{variants}")
    return str(path)


@pytest.mark.parametrize("count", [1, 3, 30])
def test_files_are_read_once_however_many_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    names = []

    def counted(source: Source, found: Diagnostics) -> Entries | None:
        names.append(Path(source.name).name)
        return reading_yaml(source, found)

    path = with_variants(tmp_path, count)
    reading_yaml = reading.read_yaml
    monkeypatch.setattr(reading, "read_yaml", counted)
    found, ok = examine(open_ruleset(path), None, {}, ())
    assert (found, f"{count} variant" in ok) == ([], True)
    assert names == [f"of_{count}.yaml", "base.yaml"]


def test_what_is_wrong_with_the_last_variant_is_told(tmp_path: Path) -> None:
    found, ok = examine(open_ruleset(with_variants(tmp_path, 5, "n + wrong")), None, {}, ())
    assert ok.endswith("5 variants)")
    (told,) = found
    assert told.span is not None
    assert (told.code, str(told.span).endswith("of_5.yaml:23:28"), "wrong" in told.message) == ("RR0401", True, True)


def test_a_variant_is_laid_on_the_rules_as_they_were_written(tmp_path: Path) -> None:
    """Not on what the variant before it made of them."""
    opened = open_ruleset(with_variants(tmp_path, 3))
    seen: set[str] = set()
    files = reading.read_files(opened.source, folder=opened.folder, found=Diagnostics())
    assert files is not None
    for variants in (("v0",), ("v1",), (), ("v0",), ("v2",)):
        found = Diagnostics()
        laid = files.ruleset(variants=variants, found=found)
        alone = reading.read(opened.source, folder=opened.folder, variants=variants, found=found)
        programs = [compile_ruleset(x, 2, found) for x in (laid, alone) if x is not None]
        identities = [program.identity for program in programs if program is not None]
        assert (len(identities), len(set(identities)), found.found) == (2, 1, [])
        seen.add(identities[0])
    assert len(seen) == 4
