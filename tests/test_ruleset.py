"""Rulesets: what the built-in ones say, what a file of one's own may say, and how its mistakes are told."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.rules.ruleset import (
    TABLES,
    BadRuleset,
    Mistake,
    Ruleset,
    UnknownRuleset,
    builtin_names,
    check,
    digest,
    effective,
    load,
)

SHARED = Path(__file__).parents[2] / "shared"
Own = Callable[..., str]


def test_parameters(parameters_case: dict[str, Any], own_rules: Own):
    extends, key = parameters_case.get("extends", "classic"), parameters_case["id"]
    also = parameters_case.get("also", {})
    for value in parameters_case.get("good", []):
        assert check(own_rules(extends, {key: value, **also})) == [], value
    for value in parameters_case.get("bad", []):
        mistakes = check(own_rules(extends, {key: value, **also}))
        assert mistakes, value
        assert all(mistake.problem for mistake in mistakes)


def test_a_bad_value_is_named_with_its_key(own_rules: Own):
    (mistake,) = check(own_rules("classic", {"bomb.min_size": 7}))
    assert (mistake.key, bool(mistake.problem)) == ("bomb.min_size", True)


def written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('name = "x"\n\n[bomb]\nmin_size = 9\n', 4, "bomb.min_size"),
        ('name = "x"\n\n[bomb]\n# a comment\nsize = 4\n', 5, "bomb.size"),
        ('name = "x"\nextend = "classic"\n', 2, "extend"),
        ('name = "x"\n[bombs]\nmin_size = 4\n', 2, "bombs"),
        ('name = "x"\nbomb = 4\n', 2, "bomb"),
        ('extends = "classic"\n', 0, "name"),
        ('name = "x"\nextends = "no-such-game"\n', 2, "extends"),
        ('name = "x"\nextends = 7\n', 2, "extends"),
        ('name = 7\nextends = "classic"\n', 1, "name"),
        ('name = "x"\nname = "y"\n', 2, ""),
        ("name = \n", 1, ""),
        ('name = "x"\nextends = "classic"\n[deal]\nhand = 18\n', 4, "deal.hand"),
        ('name = "x"\nextends = "classic"\n[void]\nmode = "flag"\nforce_after = 3\n', 5, "void.force_after"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, line: int, key: str):
    path = written(tmp_path / "own.toml", text)
    mistakes = check(path)
    assert [(mistake.line, mistake.key) for mistake in mistakes] == [(line, key)]
    with pytest.raises(BadRuleset) as problem:
        load(path)
    assert problem.value.mistakes == mistakes
    assert f"line {line}" in str(problem.value)


def test_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path):
    text = 'name = "x"\n[score]\ncap = 1\n[bomb]\nmin_size = 9\nmax_size = 4\n'
    assert [mistake.line for mistake in check(written(tmp_path / "own.toml", text))] == [3, 5, 6]


def test_a_circle_is_found(tmp_path: Path):
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    written(one, f'name = "one"\nextends = "{other}"\n')
    written(other, f'name = "other"\nextends = "{one}"\n')
    assert [mistake.key for mistake in check(str(one))] == ["extends"]
    written(one, f'name = "one"\nextends = "{one}"\n')
    assert [mistake.key for mistake in check(str(one))] == ["extends"]


def test_mistakes_of_the_extended_file_are_not_ones_own(tmp_path: Path):
    other = written(tmp_path / "other.toml", 'name = "other"\n[bomb]\nmin_size = 9\n')
    one = written(tmp_path / "one.toml", f'name = "one"\nextends = "{other}"\n')
    assert [(mistake.line, mistake.key) for mistake in check(one)] == [(2, "extends")]


def test_what_is_not_there(tmp_path: Path):
    for name in ("no-such-game", str(tmp_path), str(tmp_path / "absent.toml"), "", "../classic"):
        with pytest.raises(UnknownRuleset):
            check(name)
    (tmp_path / "gbk.toml").write_bytes('name = "斗地主"'.encode("gbk"))
    assert "not UTF-8" in check(str(tmp_path / "gbk.toml"))[0].problem
    with pytest.raises(BadRuleset):
        load(str(tmp_path / "gbk.toml"))


def test_one_mistake_hides_no_other_and_each_has_its_line(tmp_path: Path):
    lines = [
        'name = "bad"', 'extends = "classic"', "deal.hand = 18", "[bomb]", "min_size = 9", 'rocket = "BBRR"',
        '["score"]',
        'bomb_factor = { 4 = 0, "9x" = 2 }', "colour = 3", "[combinations]", "solo_chain.min_len = 1",
    ]  # fmt: skip
    (tmp_path / "bad.toml").write_text("\n".join(lines), "utf-8")
    found = [(mistake.line, mistake.key) for mistake in check(str(tmp_path / "bad.toml"))]
    assert found == [
        (3, "deal.hand"), (5, "bomb.min_size"), (6, "bomb.rocket"), (8, "score.bomb_factor"), (8, "score.bomb_factor"),
        (9, "score.colour"), (11, "combinations.solo_chain"),
    ]  # fmt: skip


def test_files_extend_one_another_from_where_they_lie_and_a_circle_is_called_one(tmp_path: Path):
    (tmp_path / "child.toml").write_text('name = "child"\nextends = "parent.toml"\n', "utf-8")
    (tmp_path / "parent.toml").write_text('name = "parent"\nextends = "pagat"\n', "utf-8")
    assert load(str(tmp_path / "child.toml")).kickers == load("pagat").kickers
    (tmp_path / "a.toml").write_text('name = "a"\nextends = "b.toml"\n', "utf-8")
    (tmp_path / "b.toml").write_text('name = "b"\nextends = "a.toml"\n', "utf-8")
    assert "extends itself" in check(str(tmp_path / "a.toml"))[0].problem


def test_maps_and_chains_are_replaced_whole_and_tables_are_merged(own_rules: Own):
    rules = load(own_rules("four-player", {"score.bomb_factor": {"8": 4}, "combinations.solo_chain": {"min_len": 6}}))
    assert rules.score.bomb_factor == {"8": 4}
    assert rules.score.rocket_factor == 2
    assert (rules.combinations.solo_chain.min_len, rules.combinations.solo_chain.max_len) == (6, 14)  # type: ignore[union-attr]
    assert rules.combinations.trio1 is False


def test_built_in_rulesets_have_no_mistakes(climbing: str):
    assert check(climbing) == []
    rules = load(climbing)
    assert rules.name == climbing
    assert re.search("[一-鿿]|Botzone|DouZero|RLCard|OpenSpiel", rules.title_zh)
    assert rules.title_en
    assert load(climbing) is rules


def test_there_are_these_rulesets():
    """rules.md 0.1, that of the students' tournament, and DouZero with an auction."""
    assert set(builtin_names()) | {"sandaha"} == set(
        "classic pagat emperor two-player four-player platform platform-full sandaha call-score call-rob "
        "botzone botzone-v1 openspiel rlcard douzero douzero-bidding ccgc".split()
    )


def test_digests_tell_rules_apart_and_not_names(climbing: str, own_rules: Own):
    digests = [digest(load(name)) for name in builtin_names() if name != "sandaha"]
    assert len(set(digests)) == len(digests)
    assert digest(load(own_rules(climbing, {}))) == digest(load(climbing))
    assert digest(load(own_rules(climbing, {"title_zh": "别名", "landlord_en": "boss"}))) == digest(load(climbing))
    other = {"score.rocket_factor": 3 if load(climbing).score.rocket_factor != 3 else 2}
    assert digest(load(own_rules(climbing, other))) != digest(load(climbing))


def test_what_a_ruleset_says_can_be_written_and_read_again(climbing: str):
    given, mistakes = effective(climbing)
    assert mistakes == []
    assert msgspec.to_builtins(msgspec.convert(given, Ruleset)) == msgspec.to_builtins(load(climbing))


def test_mistakes_compare_by_what_they_say():
    assert Mistake(1, "a", "b") == Mistake(1, "a", "b") != Mistake(2, "a", "b")


COLUMNS = ("classic", "emperor", "two-player", "four-player", "platform", "call-score")
WORDS = {
    "true": True, "false": False, "on": True, "off": False, "{}": [], "anti": "anticlockwise", "each": "each_opponent",
    "bid (档)": "bid", "A (low)": "A", "same": "3456789TJQKA2BR", "3…A2BR": "3456789TJQKA2BR",
    "bid (1 if none)": "bid", "none (ascending_open if bids are logged)": "ascending_open", "(cannot happen)": None,
    "(one round)": None, "first": "declared_context_canonical", "-": None, "either": None,
}  # fmt: skip
"""Words of the table of 9.2 and what they stand for; None where a ruleset may say what it likes."""


def rows() -> list[tuple[list[str], list[str]]]:
    """The table of rules.md 9.2: the keys of each row and its six cells."""
    page = (SHARED / "rules.md").read_text("utf-8")
    table = page[page.index("### 9.2") : page.index("The `kickers` switches, exactly")]
    found = []
    for row in re.findall(r"^\| `.*$", table, re.M):
        first, _, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        names = re.findall(r"`([a-z_0-9.]+)`", re.sub(r"\(`max_len`\)", "", first))
        keys: list[str] = []
        for name in names:
            keys.append(name if name.split(".")[0] in TABLES else f"{keys[0].split('.')[0]}.{name}")
        found.append((keys, cells))
    return found


def meant(cell: str) -> Any:
    """What one word of the table means."""
    if cell in WORDS:
        return WORDS[cell]
    if re.fullmatch(r"\d+(,\d+)+", cell):
        return [int(value) for value in cell.split(",")]
    if ":" in cell:
        return {size: int(factor) for size, factor in re.findall(r"(\d):(\d)", cell)}
    return int(cell) if cell.isdigit() else cell


def said(rules: dict[str, Any], key: str) -> Any:
    table, name, *field = key.split(".")
    value = rules[table][name]
    return value[field[0]] if field and isinstance(value, dict) else value


UNKNOWN = {"auction.must_bid_max", "auction.last_values", "void.forced_player", "score.redouble", "escape.split"}
"""Parameters that are not there yet; ``cases/parameters.toml`` says so of each."""
APART = {"order.chain_low", "bomb_limit.table", "score.bomb_factor", "deal.removed_ranks"}
"""Rows that are written too freely to be read here; compared one by one below."""


@pytest.mark.shared
@pytest.mark.parametrize(("place", "name"), list(enumerate(COLUMNS)))
def test_built_in_rulesets_say_what_the_table_says(place: int, name: str):
    rules = msgspec.json.decode(msgspec.json.encode(load(name)))
    compared, wrong = 0, {}
    for keys, cells in rows():
        cell = cells[place]
        parts = re.split(r"/|, ", cell) if len(keys) > 1 else [cell]
        if len(parts) == 1 and keys[0].startswith("combinations."):
            parts *= len(keys)  # one word for all
        for key, part in zip(keys, parts, strict=False):
            chain = re.fullmatch(r"(\d+) \((\d+)\)", part)
            expected = int(chain[1]) if chain else meant(part)
            if key in UNKNOWN | APART or expected is None:
                continue
            compared += 1
            value = said(rules, key)
            if value != expected and not (value == "off" and expected is False):
                wrong[key] = (value, expected)
    assert wrong == {}
    assert compared > 50


@pytest.mark.parametrize(
    ("name", "chain", "bombs"),
    [
        ("classic", "3A", {"4": 2}),
        ("emperor", "3A", {}),
        ("two-player", "3A", {"4": 2}),
        ("four-player", "3A", {"6": 2, "7": 2, "8": 2}),
        ("platform", "AA", {}),
        ("platform-full", "AA", {"4": 2}),
        ("call-score", "3A", {"4": 2}),
    ],
)
def test_rows_of_the_table_that_are_written_freely(name: str, chain: str, bombs: dict[str, int]):
    rules = load(name)
    assert rules.order.chain_low + rules.order.chain_high == chain
    assert {size: factor for size, factor in rules.score.bomb_factor.items() if factor != 1} == bombs
    assert rules.deal.removed_ranks == ()
    limits = {"pass": 1, "bid1": 1, "bid2": 2, "bid3_robbed": 3} if name.startswith("platform") else {}
    assert rules.bomb_limit.table == limits
