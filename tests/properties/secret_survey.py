"""Programs about secrets in great number: which of them the checker accepts, and which tell a seat what it cannot know.

    python tests/properties/secret_survey.py 20000 [--first 0] [--keep FOLDER] [--accepted-only]

Prints a table of figures. ``--keep`` writes the programs that are accepted and leak, cut down, and of those that are
refused and show no difference one for each pattern.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from secret_programs import Chain, Program, Tape, program_of
from shrunk_programs import shrunk
from twin_plays import Difference, Twins

import rulerun
from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.facts.faults import UNSEEN_FACE, RulesFault
from rulerun.play.exchange import Leak, leaks
from rulerun.source.diagnostic import Diagnostic, Diagnostics, Severity
from rulerun.source.files import Folder
from rulerun.source.text import Source

REFUSALS = frozenset({"RR0507", "RR0508"})
BASES, TWINS, DECISIONS = 2, 6, 8
TRIES = 6
HARDER = 4
"""So many times as hard is it looked for a difference in a program that was refused."""


@dataclass(frozen=True)
class Verdict:
    """What came of a program."""

    said: tuple[Diagnostic, ...] = ()
    """Why it was refused; empty: it is accepted."""
    found: tuple[Difference | Leak, ...] = ()
    broken: str = ""
    """Why it is no program at all."""
    played: bool = True
    """Whether it can be tried although it is refused."""
    stopped: bool = False
    """Whether a play was stopped because what is offered depends on something hidden."""

    @property
    def sort(self) -> str:
        """The line of the table that it belongs to."""
        if self.broken:
            return "no program"
        shown = "a difference" if self.found else "stopped when played" if self.stopped else "no difference"
        if not self.played:
            shown = "not to be tried"
        return f"{'refused' if self.said else 'accepted'}, {shown}"


def compiled(text: str, *, guarded: bool = True) -> tuple[rulerun.Game | None, tuple[Diagnostic, ...]]:
    """The game of a text for its fewest players, or what is wrong with it. ``guarded``: whether a program that may tell
    a seat what it cannot know is refused."""
    found = Diagnostics()
    ruleset = read(Source("<text>", text), folder=Folder(None), found=found)
    program = None
    if ruleset is not None and not found.has_errors:
        program = compile_ruleset(ruleset, ruleset.players[0], found, guarded=guarded)
    errors = tuple(d for d in found if d.severity is Severity.ERROR)
    return (None if program is None or errors else rulerun.Game(program)), errors


def verdict_of(text: str, seed: int, *, refused: bool = True) -> Verdict:
    """What the checker says of a text, and what plays of it show to the one judge or to the other. Not ``refused``:
    what is refused is not played."""
    game, said = compiled(text)
    if game is None and refused and all(d.code in REFUSALS for d in said):
        game, _ = compiled(text, guarded=False)
    if game is None and said and all(d.code in REFUSALS for d in said):
        return Verdict(said, played=False)
    if game is None:
        return Verdict(broken=f"{said[0].code} {said[0].message}" if said else "no program, and no reason")
    twins = Twins(game)
    found: list[Difference | Leak] = list(twins.differences(seed, BASES, TWINS, DECISIONS))
    stopped = UNSEEN_FACE in twins.faults
    if not found and not (said and stopped):
        try:
            more = leaks(game, seed=seed, decisions=DECISIONS, tries=TRIES * (HARDER if said else 1))
        except RulesFault:  # of a label, which nobody has read till then
            more, stopped = [], True
        found += [leak for leak in more if leak.what != "fault"]  # a broken game ends: what it says is for its author
    return Verdict(said, tuple(found), stopped=stopped)


@dataclass
class Survey:
    """Figures of many programs."""

    sorts: Counter[str] = field(default_factory=Counter)
    """Programs by what came of them."""
    differences: Counter[str] = field(default_factory=Counter)
    """What was given otherwise in programs that are accepted."""
    broken: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Sources and sinks of one chain, sources and carriers, carriers and sinks: how often each pair came up."""
    leaking: list[int] = field(default_factory=list)
    """The seeds of programs that are accepted and leak."""
    nagged: dict[str, list[int]] = field(default_factory=dict)
    """Of programs of one chain that are refused and show no difference: sink and last carrier, and the seeds."""
    seconds: float = 0.0

    @property
    def count(self) -> int:
        return self.sorts.total()

    def add(self, seed: int, program: Program, verdict: Verdict) -> None:
        self.sorts[verdict.sort] += 1
        if verdict.broken or not verdict.played:
            self.broken[(verdict.broken or verdict.said[0].message)[:60]] += 1
        for chain in program.chains:
            self.pairs.update(pairs_of(chain))
        if verdict.sort == "accepted, a difference":
            self.leaking.append(seed)
            self.differences.update({difference.what for difference in verdict.found})
        if verdict.sort == "refused, no difference" and len(program.chains) == 1:
            chain = program.chains[0]
            carrier = chain.carriers[-1].name if chain.carriers else chain.source.name
            self.nagged.setdefault(f"{carrier} > {chain.sink.name} ({chain.sink.takes})", []).append(seed)

    def table(self) -> str:
        lines = [f"{self.count:>7,} programs, {1000 * self.seconds / max(self.count, 1):.0f} ms each"]
        lines += [f"{number:>7,} {what}" for what, number in sorted(self.sorts.items())]
        refused = sum(number for what, number in self.sorts.items() if what.startswith("refused"))
        lines.append(f"{self.sorts['refused, no difference'] / max(refused, 1):>7.1%} of refusals without a difference")
        lines.append(f"{len(self.pairs):>7,} pairs of parts, {sum(n == 1 for n in self.pairs.values()):,} of them once")
        lines += [f"{number:>7,} accepted and given another {what}" for what, number in self.differences.most_common()]
        lines += [f"{number:>7,} {what}" for what, number in self.broken.most_common(8)]
        nagged = sorted(self.nagged.items(), key=lambda item: -len(item[1]))
        lines += [f"{len(seeds):>7,} refused without a difference: {what} {seeds[:4]}" for what, seeds in nagged[:20]]
        return "\n".join(lines)


def pairs_of(chain: Chain) -> Iterable[tuple[str, str]]:
    """Which parts of a chain come together."""
    carriers = [carrier.name for carrier in chain.carriers] + [chain.frame.name]
    yield f"from {chain.source.name}", f"to {chain.sink.name}"
    for carrier in carriers:
        yield f"from {chain.source.name}", carrier
        yield carrier, f"to {chain.sink.name}"


def survey(seeds: Iterable[int], *, refused: bool = True) -> Survey:
    """Makes a program of each seed and tries it. Not ``refused``: what is refused is counted only."""
    result = Survey()
    begun = perf_counter()
    for seed in seeds:
        program = program_of(Tape.of_seed(seed))
        result.add(seed, program, verdict_of(program.text(), seed, refused=refused))
    result.seconds = perf_counter() - begun
    return result


def cut_down(seed: int) -> tuple[str, Verdict]:
    """The program of a seed with all left out that makes no difference to its verdict."""
    text = program_of(Tape.of_seed(seed)).text()
    whole = verdict_of(text, seed)
    what = {difference.what for difference in whole.found}

    def alike(shorter: str) -> bool:
        verdict = verdict_of(shorter, seed)
        return verdict.sort == whole.sort and what <= {difference.what for difference in verdict.found}

    small = shrunk(text, alike)
    return small, verdict_of(small, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=int)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--keep", type=Path, help="a folder for what leaks, and for what need not be refused")
    parser.add_argument("--accepted-only", action="store_true", help="what is refused is counted, and not played")
    args = parser.parse_args()
    result = survey(range(args.first, args.first + args.programs), refused=not args.accepted_only)
    print(result.table())
    if args.keep is None:
        return
    for seed in result.leaking:
        small, verdict = cut_down(seed)
        (args.keep / f"leak_{seed}.yaml").write_text(commented(small, verdict))
    for what, seeds in sorted(result.nagged.items(), key=lambda item: -len(item[1])):
        small, verdict = cut_down(seeds[0])
        (args.keep / f"nag_{seeds[0]}.yaml").write_text(f"# {len(seeds)} times: {what}\n" + commented(small, verdict))


def commented(text: str, verdict: Verdict) -> str:
    """A text with its verdict before it."""
    said = [f"{d.code} {d.message}" for d in verdict.said]
    lines = "\n".join([verdict.sort, *said, *map(str, verdict.found)]).splitlines()
    return "".join(f"# {line[:300]}\n" for line in lines) + text


if __name__ == "__main__":
    main()
