"""The catalogue of findings: complete, said in both languages, resting on clauses that exist (record.md 6)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import msgspec
import pytest

from ingest.faults import CATALOGUE, LANGUAGES, STOPPING, Fault, Finding, Language, message, severity
from ingest.faults.catalogue import register
from ingest.faults.reasons import REASONS, in_chinese
from ingest.logs.entry import DAMAGED

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"

TABLE = """
R101F■ R102F■ R103F■ R104F■ R105F■ R106N R107F■ R108N R109F■ R110F■ R111F■ R112F■
D201F■ D202F■ D203F■ D204F■ D205F D206F D207N D208F■
A301F■ A302F■ A303F■ A304F A305F■ A306F A307F A308N A309F■ A310F
P401F■ P402F■ P403F P404F P405F P406F P407F■ P408N P409F P410N P411F■
T501F■ T502F■ T503F■ T504F■ T505F■ T506F■ T507F■ T508F■ T509F■ T510F■
S601F S602F S603F S604F S605F S606F S607N S608N
""".split()
"""The table of record.md 6: code, fault or note, ■ where the replay stops."""
OURS = ["P412F", "R113N"]
"""What we have added to it."""

PHASES = {"R": "record", "D": "deal", "A": "auction", "P": "play", "T": "play", "S": "settlement"}
CLAUSE = re.compile(r"[A-G]-(R|T|Q)\d+[ab]?|U-R\d+|(BZ|BV|OS|RL|DZ)-R\d+|record\.md \d")

every_fault = pytest.mark.parametrize("fault", CATALOGUE.values(), ids=CATALOGUE)
both_languages = pytest.mark.parametrize("language", LANGUAGES)


def row(fault: Fault) -> str:
    return fault.code + ("F" if fault.severity == "fault" else "N") + "■" * fault.stops


def words(fault: Fault, language: Language) -> tuple[str, str, str]:
    """Title, sentence and paragraph."""
    if language == "zh":
        return fault.title_zh, fault.zh, fault.more_zh
    return fault.title_en, fault.en, fault.more_en


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def shared(name: str) -> str:
    page = SHARED / name
    if not page.exists():
        pytest.skip(f"no shared/{name} beside the checkout")
    return page.read_text(encoding="utf-8")


def defined_clauses(rulebook: str) -> set[str]:
    """The ids that head a clause (``* A-R1. …``) or a row of a table (``| E-T6a, E-T6b | …``)."""
    heads = re.findall(r"^(?:\* ([A-Z]{1,2}-R\d+)\.|\| ([A-G]-[RTQ]\d+[ab]?(?:, [A-G]-T\d+[ab])*) \|)", rulebook, re.M)
    return {clause for head in heads for ids in head for clause in ids.split(", ") if clause}


def a_fault(zh: str = "应为 {expected}。", en: str = "{expected} was due.") -> Fault:
    return Fault(code="P999", phase="play", title_zh="甲", title_en="a", zh=zh, en=en, details=("expected", "actual"))


def test_catalogue_is_the_table_of_the_contract() -> None:
    assert sorted(row(fault) for fault in CATALOGUE.values()) == sorted(TABLE + OURS)


def test_sets_of_codes_follow_the_table() -> None:
    assert sorted(STOPPING) == sorted(entry[:4] for entry in TABLE + OURS if "■" in entry)
    assert sorted(code for code in CATALOGUE if severity(Finding(code)) == "fault") == sorted(
        entry[:4] for entry in TABLE + OURS if "F" in entry
    )


@pytest.mark.shared
def test_table_is_that_of_record_md() -> None:
    rows = re.findall(r"^\| ([A-Z]\d{3})( ■)? \| ([FN]) \|", shared("record.md"), re.M)
    assert [code + severity + stops.strip() for code, stops, severity in rows] == TABLE


@every_fault
def test_phase_is_that_of_the_code_letter(fault: Fault) -> None:
    assert fault.phase == PHASES[fault.code[0]]


@every_fault
@both_languages
def test_everything_is_said(fault: Fault, language: Language) -> None:
    assert all(text and text == text.strip() for text in words(fault, language))


@every_fault
def test_chinese_is_chinese_and_english_is_not(fault: Fault) -> None:
    chinese = re.compile("[一-鿿]")
    assert all(chinese.search(text) for text in words(fault, "zh"))
    assert not any(chinese.search(text) for text in words(fault, "en"))


@every_fault
def test_chinese_has_full_width_punctuation(fault: Fault) -> None:
    assert not any(re.search(r"[,;:?!()]", text) for text in words(fault, "zh"))


@every_fault
def test_both_languages_name_the_same_details(fault: Fault) -> None:
    assert placeholders(fault.zh) == placeholders(fault.en) <= set(fault.details)


@both_languages
def test_titles_are_unique_and_without_details(language: Language) -> None:
    titles = [words(fault, language)[0] for fault in CATALOGUE.values()]
    assert len(set(titles)) == len(titles)
    assert not any(placeholders(title) for title in titles)


@every_fault
@both_languages
def test_message_shows_the_details(fault: Fault, language: Language) -> None:
    details = {name: f"<{name}>" for name in fault.details}
    said = message(Finding(fault.code, details=details), language)
    assert not re.search("[{}]", said)
    assert all(f"<{name}>" in said for name in placeholders(fault.zh))


@both_languages
@pytest.mark.parametrize(
    ("expected", "shown"),
    [([365, -320, -45], "365, -320, -45"), ([], "∅"), (None, "-"), ({"S603": [1, None]}, "S603: 1, -"), (0, "0")],
)
def test_message_writes_lists_and_gaps(expected: object, shown: str, language: Language) -> None:
    assert shown in message(Finding("S603", details={"expected": expected, "actual": "x"}), language)


@both_languages
@pytest.mark.parametrize("word", ["bid", "redouble", "unfinished", "void_but_played", "Input data was truncated"])
def test_message_repeats_what_a_log_says_as_it_is(word: str, language: Language) -> None:
    for code, details in (("R106", {"field": word}), ("R104", {"given": word}), ("R103", {"field": word})):
        assert word in message(Finding(code, details=details), language)


@both_languages
def test_message_tells_reasons_and_claims_in_words(language: Language) -> None:
    """Every reason that the code of the audit names by a word of its own is one of the catalogue's."""
    named = CATALOGUE["S607"].words["reason"].keys() | CATALOGUE["A309"].words["reason"].keys()
    sources = "".join(path.read_text() for path in (Path(__file__).parents[1] / "ingest").rglob("*.py"))
    assert {"unfinished", "no_landlord", "maybe_forced"} <= named & set(re.findall(r'"reason": "(\w+)"', sources))
    assert set(re.findall(r'"reason": "(\w+)"', sources)) <= named
    for code in ("S607", "A309"):
        for word, said in CATALOGUE[code].words["reason"].items():
            assert said[language == "en"] in message(Finding(code, details={"reason": word}), language)
    claim = Finding("S602", details={"field": "bid", "expected": 3, "actual": 1})
    assert message(claim, "en") == "The bid should be 3; the log claims 1."
    assert message(claim, "zh") == "叫分应为 3，日志记为 1。"


def test_register_refuses_words_for_a_detail_the_finding_does_not_carry() -> None:
    with pytest.raises(ValueError, match=r"P999.*words"):
        register([msgspec.structs.replace(a_fault(), words={"nothing": {}})])


@both_languages
def test_message_survives_a_missing_detail(language: Language) -> None:
    assert not re.search("[{}]", message(Finding("P404"), language))


def test_register_joins_groups_in_order() -> None:
    faults = [*CATALOGUE.values()]
    assert [*register(faults[5:7], faults[:2])] == ["R106", "R107", "R101", "R102"]


def test_register_refuses_a_code_declared_twice() -> None:
    with pytest.raises(ValueError, match="P999 is declared twice"):
        register([a_fault()], [a_fault()])


def test_register_refuses_a_detail_the_finding_does_not_carry() -> None:
    with pytest.raises(ValueError, match=r"P999.*does not carry.*cards"):
        register([a_fault(zh="出了 {cards}。", en="{cards} was played.")])


def test_register_refuses_sentences_that_name_different_details() -> None:
    with pytest.raises(ValueError, match=r"P999.*different details"):
        register([a_fault(en="{actual} was played.")])


@every_fault
def test_clauses_are_written_as_clauses(fault: Fault) -> None:
    assert fault.clauses
    assert all(CLAUSE.fullmatch(clause) for clause in fault.clauses)
    assert len(set(fault.clauses)) == len(fault.clauses)


@pytest.mark.shared
def test_clauses_exist() -> None:
    clauses = {clause for fault in CATALOGUE.values() for clause in fault.clauses}
    sections = {f"record.md {number}" for number in re.findall(r"^## (\d)\.", shared("record.md"), re.M)}
    assert clauses - sections - defined_clauses(shared("rules.md")) == set()


@pytest.mark.shared
def test_every_combination_is_behind_not_a_combination() -> None:
    combinations = {clause for clause in defined_clauses(shared("rules.md")) if "-T" in clause}
    assert {clause for clause in CATALOGUE["P403"].clauses if "-T" in clause} == combinations


def given_reasons() -> Iterator[str]:
    """Every reason that those who read records and logs write out, with 7 in place of what they look up."""
    for path in [ROOT / "ingest" / "record.py", *(ROOT / "ingest" / "logs").rglob("*.py")]:
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                named = [each.value for each in call.keywords if each.arg == "reason"]
                written = named + call.args[1:2] * (call.func.id in ("_no_such", "unrecognised"))
                yield from (text for each in written for text in as_written(each))
                if call.func.id == "impossible":
                    yield from (f"{text}: 7" for text in as_written(call.args[2]))


def as_written(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.JoinedStr(pieces) if any(isinstance(piece, ast.Constant) for piece in pieces):
            yield "".join(stood_in(piece) for piece in pieces)
        case ast.IfExp(_, one, other):
            yield from (*as_written(one), *as_written(other))


def stood_in(piece: ast.expr) -> str:
    if isinstance(piece, ast.Constant):
        return str(piece.value)
    return DAMAGED if "DAMAGED" in ast.unparse(piece) else "7"


def test_every_reason_not_to_read_something_is_told_in_chinese_too() -> None:
    """What a log says itself stays as it is."""
    reasons = {each for each in given_reasons() if each.strip("7: ")}
    assert len(reasons) > 70
    untold = {each for each in reasons if message(Finding("R112", details={"reason": each}), "zh").count(each)}
    assert untold == set()
    assert "既不是 true，也不是 false：a\nb" in in_chinese("neither true nor false: a\nb")
    assert in_chinese("damaged archive: Input data was truncated") == "归档已损坏：内容不完整，中途断了"
    assert {in_chinese(english) for english, _ in REASONS} == {chinese for _, chinese in REASONS}
