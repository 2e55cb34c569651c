"""run, play, replay, sim, test, ir on a small game: what they print, keep and refuse."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SCHEMA_KEYS = {
    "schema_version", "game", "players", "games", "seed", "executor", "seconds", "decisions", "decisions_per_second",
    "wins", "mean_score", "mean_decisions", "mean_options", "faults",
}  # fmt: skip


def test_a_file_alone_is_run(rulerun) -> None:
    short = rulerun("high.yaml", "--seed", "5")
    assert short.code == 0
    assert short.err == ""
    assert short.out == rulerun("run", "high.yaml", "--seed", "5").out
    assert short.out.startswith("High Card, 2 players\n")
    assert "seed 5, 4 choices; again: rulerun run high.yaml --players 2 --seed 5" in short.out
    assert "\n  P1  2  wins\n  P2  2  wins\nAll share the win.\n" in short.out


def test_run_from_standard_input(rulerun) -> None:
    text = Path("high.yaml").read_text()
    assert rulerun("-", "--seed", "5", stdin=text).out.splitlines()[0] == "High Card, 2 players"


def test_a_fresh_seed_is_printed_and_plays_the_same_game(rulerun) -> None:
    first = json.loads(rulerun("run", "high.yaml", "--json").out)
    again = json.loads(rulerun("run", "high.yaml", "--json", "--seed", str(first["seed"])).out)
    assert again == first
    assert first["schema_version"] == 2
    assert first["over"] is True
    assert sum(first["scores"]) == 4
    assert len(first["choices"]) == first["decisions"] == 4
    assert first["fault"] is None


def test_settings_and_variants_reach_the_game(rulerun) -> None:
    played = json.loads(rulerun("run", "high.yaml", "--with", "long", "--players", "3", "--seed", "1", "--json").out)
    assert (played["variants"], played["players"], played["decisions"]) == (["long"], 3, 15)
    played = json.loads(rulerun("run", "high.yaml", "--set", "hand_size=1", "--seed", "1", "--json").out)
    assert (played["options"], played["decisions"]) == ({"hand_size": "1"}, 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "hand_size=9"], "hand_size"),
        (["--set", "hand_sise=1"], "hand_size"),
        (["--set", "hand_size=many"], "hand_size"),
        (["--with", "lang"], "long"),
    ],
)
def test_unknown_options_and_variants_are_told_with_what_is_near(rulerun, words: list[str], message: str) -> None:
    for command in ("run", "check", "sim", "ir", "play"):
        result = rulerun(command, "high.yaml", *words)
        assert result.code == 2, command
        assert message in result.out + result.err
        assert "Traceback" not in result.err


def test_trace_shows_the_rule_lines(rulerun) -> None:
    traced = rulerun("run", "high.yaml", "--seed", "5", "--trace").out
    lines = traced.splitlines()
    assert lines[2:4] == ["      ┌ high.yaml", "   21 │ shuffle deck"]
    assert "   30 │ move card to table[p]" in lines


def test_a_log_replays_to_the_same_story(rulerun) -> None:
    played = rulerun("run", "high.yaml", "--seed", "5", "--log", "game.jsonl")
    again = rulerun("replay", "game.jsonl")
    assert again.code == 0
    assert again.out.splitlines()[:-1] == played.out.splitlines()[:-1]
    assert again.out.splitlines()[-1] == "seed 5, 4 choices; again: rulerun replay game.jsonl"
    assert json.loads(rulerun("replay", "game.jsonl", "--json").out)["seed"] == 5


def test_a_log_of_another_ruleset_or_a_cut_one_is_refused(rulerun) -> None:
    rulerun("run", "high.yaml", "--seed", "5", "--log", "game.jsonl")
    whole = Path("game.jsonl").read_text()
    Path("half.jsonl").write_text(whole[: len(whole) // 2])
    for command in (["replay"], ["play", "--resume"]):
        cut = rulerun(*command, "half.jsonl")
        assert cut.code == 2
        assert "half.jsonl" in cut.err
    Path("high.yaml").write_text(Path("high.yaml").read_text().replace("1..20", "1..21"))
    changed = rulerun("replay", "game.jsonl")
    assert changed.code == 2
    assert "another ruleset" in changed.err
    Path("high.yaml").unlink()
    missing = rulerun("replay", "game.jsonl")
    assert missing.code == 2
    assert "--ruleset FILE" in missing.err


def test_sim_sums_up(rulerun) -> None:
    report = json.loads(rulerun("sim", "high.yaml", "-n", "50", "--players", "3", "--seed", "7", "--json").out)
    assert set(report) >= SCHEMA_KEYS
    assert (report["games"], report["players"], report["seed"], report["faults"]) == (50, 3, 7, 0)
    assert sum(report["wins"]) == pytest.approx(50)
    assert sum(report["mean_score"]) == pytest.approx(6)
    assert report["mean_decisions"] == 6
    assert report["mean_options"] == 1.5
    assert report["executor"] in ("native", "interpreter")


def test_both_executors_report_the_same(rulerun) -> None:
    pytest.importorskip("llvmlite")
    wanted = ("sim", "high.yaml", "-n", "60", "--seed", "7", "--json", "--executor")
    plain, native = (json.loads(rulerun(*wanted, name, "-j", "2").out) for name in ("interpreter", "native"))
    assert (plain["executor"], native["executor"]) == ("interpreter", "native")
    for report in (plain, native):
        for key in ("executor", "seconds", "decisions_per_second"):
            del report[key]
    assert native == plain


def test_sim_says_which_executor_runs_when_asked(rulerun) -> None:
    result = rulerun("sim", "high.yaml", "-n", "5", "--seed", "7", "-v", "--executor", "interpreter")
    assert result.err.startswith("executor: interpreter, ready in ")


def test_sim_as_text_tells_faults_on_stderr(rulerun) -> None:
    result = rulerun("sim", "endless.yaml", "-n", "7", "--seed", "3")
    assert result.code == 1
    assert "faults            7 of 7 games\n" in result.out
    assert result.err.count("to see it: rulerun run endless.yaml --players 2 --seed ") == 5
    assert "and 2 more" in result.err


def test_progress_is_shown_on_a_terminal_only(rulerun) -> None:
    assert "of 20 games" in rulerun("sim", "high.yaml", "-n", "20", "--seed", "7", terminal=True).err
    assert rulerun("sim", "high.yaml", "-n", "20", "--seed", "7").err == ""


def test_sim_depends_on_the_seed_alone(rulerun) -> None:
    def numbers(*words: str) -> dict[str, object]:
        report = json.loads(rulerun("sim", "high.yaml", "--json", *words).out)
        return {k: v for k, v in report.items() if k not in ("seconds", "decisions_per_second")}

    assert numbers("-n", "20", "--seed", "1") == numbers("-n", "20", "--seed", "1")
    assert numbers("-n", "20", "--seed", "1") != numbers("-n", "20", "--seed", "2")


def test_sim_as_text(rulerun) -> None:
    result = rulerun("sim", "high.yaml", "-n", "20", "--seed", "7")
    assert result.code == 0
    assert result.err == ""
    assert result.out.startswith("High Card: 20 games of 2 players\n")
    assert "seed              7\n" in result.out
    assert "faults            none\n" in result.out


@pytest.mark.long
def test_a_fault_of_the_rules_names_line_seed_and_choices(rulerun) -> None:
    result = rulerun("run", "endless.yaml", "--seed", "3")
    assert result.code == 1
    assert "error[RR0601]" in result.err
    assert "endless.yaml:1" in result.err
    assert "seed: 3" in result.err
    assert "choices (option numbers):" in result.err
    assert "rulerun run endless.yaml --players 2 --seed 3" in result.err
    assert "Traceback" not in result.err
    document = json.loads(rulerun("run", "endless.yaml", "--seed", "3", "--json").out)
    assert document["fault"]["code"] == "RR0601"
    assert len(document["fault"]["choices"]) == 2


@pytest.mark.long
def test_sim_counts_faults_and_tells_how_to_see_them(rulerun) -> None:
    result = rulerun("sim", "endless.yaml", "-n", "2", "--seed", "3", "--json")
    assert result.code == 1
    report = json.loads(result.out)
    assert (report["games"], report["faults"]) == (0, 2)
    first = report["first_faults"][0]
    assert first["code"] == "RR0601"
    seen = rulerun(*first["command"].split()[1:])
    assert seen.code == 1
    assert "error[RR0601]" in seen.err


def test_a_simulated_game_is_the_game_that_run_tells(rulerun) -> None:
    from rulerun.game import load
    from rulerun.play.simulate import Played, game_seed, simulate

    game = load("high.yaml", 3)
    for number, played in enumerate(simulate(game.program, 5, 11)):
        assert isinstance(played, Played)
        told = json.loads(rulerun("run", "high.yaml", "-p", "3", "-s", str(game_seed(11, number)), "--json").out)
        assert tuple(told["scores"]) == played.scores
        assert told["decisions"] == played.decisions


def test_ir_is_printed(rulerun) -> None:
    result = rulerun("ir", "high.yaml")
    assert result.code == 0
    assert "trick" in result.out


# ------------------------------------------------------------------------ play


def test_play_by_numbers_to_the_end(rulerun) -> None:
    result = rulerun("play", "high.yaml", "--seed", "5", stdin="1\n1\n")
    assert result.code == 0
    assert result.err == ""
    assert "you are P1; seed 5" in result.out
    assert "P1, choose:" in result.out
    assert "\n  P1  2  wins\n  P2  2  wins\nAll share the win.\n" in result.out
    assert not list(Path("state/rulerun").glob("*"))


def test_play_shows_only_what_the_seat_sees(rulerun) -> None:
    from rulerun.game import load

    result = rulerun("play", "high.yaml", "--seat", "1", "--seed", "5", stdin="")
    state = load("high.yaml").new(5)
    shown = result.out
    assert "hand (yours)" in shown
    for card in state.view(0).zone("hand of P1").cards:
        assert card.name in shown
    assert re.search(r"hand of P2 +[12] cards?\n", shown)


def test_play_says_what_it_does_not_understand(rulerun) -> None:
    result = rulerun("play", "high.yaml", "--seed", "5", stdin="9\nvieq\n?\nview\nsave\nundo\n\nstory\n")
    assert "there is no option 9: choose 1 to 2" in result.out
    assert "'vieq' is no option; did you mean 'view'?" in result.out
    assert "undo           take your last choice back" in result.out
    assert "save where?" in result.out
    assert "nothing can be taken back" in result.out


def test_a_game_that_is_cut_off_is_kept_and_resumed(rulerun) -> None:
    cut = rulerun("play", "high.yaml", "--seat", "all", "--seed", "5", stdin="1\n1\n")
    assert cut.code == 0
    kept = [str(p) for p in Path("state/rulerun").glob("*.jsonl")]
    assert len(kept) == 1
    assert f"rulerun play --resume {Path(kept[0]).resolve()} --seat 1 --seat 2" in cut.out
    resumed = rulerun("play", "--resume", kept[0], "--seat", "all", stdin="1\n1\n")
    assert "resumed after 2 choices" in resumed.out
    assert resumed.code == 0
    whole = rulerun("play", "high.yaml", "--seat", "all", "--seed", "5", stdin="1\n1\n1\n1\n")
    assert resumed.out.splitlines()[-5:-1] == whole.out.splitlines()[-5:-1]


def test_bots_go_on_in_the_same_way_after_a_resumption(rulerun) -> None:
    rulerun("play", "high.yaml", "--players", "4", "--seed", "8", stdin="1\nsave kept.jsonl\nquit\n")
    resumed = rulerun("play", "--resume", "kept.jsonl", stdin="1\n")
    whole = rulerun("play", "high.yaml", "--players", "4", "--seed", "8", stdin="1\n1\n")
    assert resumed.out.splitlines()[-6:-1] == whole.out.splitlines()[-6:-1]


def test_play_keeps_a_log_where_it_is_told_to(rulerun) -> None:
    rulerun("play", "high.yaml", "--seed", "5", "--log", "mine.jsonl", stdin="1\n1\n")
    assert json.loads(rulerun("replay", "mine.jsonl", "--json").out)["over"] is True
    assert [p.name for p in Path().iterdir() if p.name.endswith(".tmp")] == []


def test_an_interrupted_game_is_kept(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulerun.faces.session import Session

    def interrupted(_session: Session, _seat: int) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "ask", interrupted)
    result = rulerun("play", "high.yaml", "--seed", "5")
    assert result.code == 130
    assert "the game is kept; to go on: rulerun play --resume" in result.out


def test_an_interrupted_simulation_tells_what_is_done(rulerun, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulerun.play import simulate

    whole = simulate.play_out
    played: list[int] = []

    def interrupted(machine: object, seed: int) -> object:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(seed)
        return whole(machine, seed)  # type: ignore[arg-type]

    monkeypatch.setattr(simulate, "play_out", interrupted)
    result = rulerun("sim", "high.yaml", "--seed", "5", "--executor", "interpreter", "--json")
    assert result.code == 130
    assert json.loads(result.out)["games"] == 3
    assert "interrupted after 3 of 1000 games" in result.err


def test_saving_where_nothing_can_be_written_is_told_and_the_game_goes_on(rulerun) -> None:
    result = rulerun("play", "high.yaml", "--seed", "5", stdin="save nowhere/x\n1\n1\n")
    assert "cannot write nowhere/x" in result.out
    assert result.code == 0


def test_the_screen_is_cleared_between_people_on_a_terminal(rulerun) -> None:
    words = ["play", "high.yaml", "--seat", "1", "--seat", "2", "--seed", "5"]
    result = rulerun(*words, stdin="\n1\n\n1\n\n1\n\n1\n", terminal=True)
    assert result.out.count("\x1b[2J") >= 4
    assert "Nobody else looking? Press Enter" in result.out


def test_a_choice_by_its_words(rulerun) -> None:
    shown = rulerun("play", "high.yaml", "--seed", "5", stdin="").out
    label = shown.split("choose:\n")[1].splitlines()[0].split("  ")[-1]
    played = rulerun("play", "high.yaml", "--seed", "5", stdin=f"{label.upper()}\n")
    assert "is no option" not in played.out


# ------------------------------------------------------------------------ test

TESTS = """\
ruleset: high.yaml
tests:
  good:
    given: {hand: {P1: [3], P2: [9]}}
    start: trick(P1)
    when: [P1: play 3, P2: play 9]
    expect: {leader: P2, "won[P2]": 2 cards}
  bad:
    given: {hand: {P1: [3], P2: [9]}}
    start: trick(P1)
    when: [P1: play 3]
    expect: {asked: P1}
"""


def test_tests_are_told_a_line_each(rulerun) -> None:
    Path("high.test.yaml").write_text(TESTS)
    for words in (["high.test.yaml"], ["high.yaml"], ["."]):
        result = rulerun("test", *words)
        assert result.code == 1
        assert result.out.splitlines() == [
            "ok    good",
            "FAIL  bad",
            "      high.test.yaml:12: expected asked to be P1, found P2",
            "        P2 is asked, with the options:",
            "          play 9",
            "",
            "1 failed, 1 passed",
        ]
    assert rulerun("test", "high.yaml", "-k", "good").code == 0
    assert rulerun("test", "high.yaml", "-k", "nothing").code == 2


def test_test_results_as_json(rulerun) -> None:
    Path("high.test.yaml").write_text(TESTS)
    report = json.loads(rulerun("test", "high.yaml", "--json").out)
    assert (report["schema_version"], report["passed"], report["failed"]) == (1, 1, 1)
    assert report["tests"][1]["problem"]["line"] == 12


def test_a_wrong_test_file_is_an_error_with_its_place(rulerun) -> None:
    Path("high.test.yaml").write_text(TESTS.replace("start:", "strat:"))
    result = rulerun("test", "high.yaml")
    assert result.code == 1
    assert "error[RR0701]: a test has no key 'strat'" in result.err
    assert "did you mean 'start'?" in result.err


def test_the_json_of_check_is_one_document(rulerun) -> None:
    good = json.loads(rulerun("check", "high.yaml", "--json").out)
    assert good["schema_version"] == 1
    assert good["unreadable"] == []
    text = Path("high.yaml").read_text()
    Path("bad.yaml").write_text(text.replace("to hand[p]", "to hnd[p]"))
    bad = rulerun("check", "high.yaml", "bad.yaml", "--output", "json")
    assert bad.code == 1
    [found] = [d for d in json.loads(bad.out)["diagnostics"] if d["severity"] == "error"]
    assert (found["file"], found["line"]) == ("bad.yaml", 23)
    concise = rulerun("check", "bad.yaml", "--output", "concise").out
    assert concise.startswith("bad.yaml:23:")
    full = rulerun("check", "bad.yaml").out
    assert "hand" in full
    assert "^" in full


def test_check_says_ok(rulerun) -> None:
    result = rulerun("check", "high.yaml")
    assert result.code == 0
    assert result.out.splitlines()[-1] == "high.yaml: ok (High Card, 2-4 players, 1 variant)"


@pytest.mark.long
def test_games_that_the_limit_ended_are_told(rulerun) -> None:
    """Nothing is faulty where `then: draw` stands, and yet whoever reads the sums wants to know."""
    text = Path("high.yaml").read_text()
    limited = text.replace("result:\n", "limit: {decisions: 3, then: draw}\nresult:\n", 1)
    Path("limited.yaml").write_text(limited)
    Path("wide.yaml").write_text(limited.replace("decisions: 3", "decisions: 4"))
    for executor in ("auto", "interpreter"):
        words = ["-n", "40", "--seed", "2", "--executor", executor]
        assert json.loads(rulerun("sim", "limited.yaml", *words, "--json").out)["limited"] == 40
        assert json.loads(rulerun("sim", "wide.yaml", *words, "--json").out)["limited"] == 0
        told = rulerun("sim", "limited.yaml", *words)
        assert told.code == 0
        assert re.search(r"^ended by the limit +40 of 40 games, as a draw$", told.out, re.MULTILINE)
        assert re.search(r"^faults +none$", told.out, re.MULTILINE)
        assert re.search(r"^ended by the limit +none$", rulerun("sim", "wide.yaml", *words).out, re.MULTILINE)
        assert "ended by the limit" not in rulerun("sim", "high.yaml", *words).out
