"""Whatever is read, nothing is raised, every finding has a place in a file that there is, and its code is known."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from small_ruleset import SMALL

from rulerun.document import read
from rulerun.source.codes import CODES
from rulerun.source.diagnostic import Diagnostics, UsageError
from rulerun.source.files import Folder, source_of
from rulerun.source.render import render

DATA = SMALL.encode()


def survive(data: bytes, variants: tuple[str, ...] = ()) -> str:
    """Reads it; what came of that: "no text", "refused" or "read"."""
    try:
        source = source_of("a.yaml", data)
    except UsageError:
        return "no text"  # told by what it says; see test_source_files
    found = Diagnostics()
    ruleset = read(source, folder=Folder(None), variants=variants, found=found)
    assert (ruleset is None) == found.has_errors
    for diagnostic in found:
        assert diagnostic.code in CODES
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text)
    for style in ("full", "concise", "json"):
        render(found, style)
    return "refused" if ruleset is None else "read"


def test_random_bytes() -> None:
    ends: Counter[str] = Counter()

    @given(st.binary(max_size=200))
    @settings(max_examples=150, deadline=None)
    def try_bytes(data: bytes) -> None:
        ends[survive(data)] += 1

    try_bytes()
    assert min(ends["no text"], ends["refused"]) >= 15, ends


SIGNS = [bytes([c]) for c in b"\n\t\r\x00\xff :#|>\"'{}[],%@`\\~?-"]
SCRAPS = st.sampled_from([*SIGNS, b"&a ", b"*a", b"!x ", b"---\n", b"...\n", b"<<: ", b"\xc3\xa9", b"\xe2\x80\xa8"])


def test_mutilated_rulesets() -> None:
    ends: Counter[str] = Counter()

    @given(
        st.lists(st.tuples(st.integers(0, len(DATA)), st.integers(0, 12), SCRAPS), min_size=1, max_size=4),
        st.sampled_from([(), ("little ones",), ("can't lose",), ("little ones", "can't lose")]),
    )
    @settings(max_examples=300, deadline=None)
    def try_scraps(changes: list[tuple[int, int, bytes]], variants: tuple[str, ...]) -> None:
        data = DATA
        for at, length, scrap in changes:
            data = data[:at] + scrap + data[at + length :]
        ends[survive(data, variants)] += 1

    try_scraps()
    assert min(ends["refused"], ends["read"]) >= 10, ends


def test_lines_lost_and_shifted() -> None:
    ends: Counter[str] = Counter()

    @given(st.lists(st.integers(0, SMALL.count("\n")), min_size=1, max_size=6), st.integers(-3, 3))
    @settings(max_examples=150, deadline=None)
    def try_lines(numbers: list[int], shift: int) -> None:
        lines = SMALL.splitlines()
        for number in numbers:
            line = lines[number % len(lines)]
            lines[number % len(lines)] = " " * shift + line if shift > 0 else line[-shift:] if shift else ""
        ends[survive("\n".join(lines).encode())] += 1

    try_lines()
    assert min(ends["refused"], ends["read"]) >= 10, ends
