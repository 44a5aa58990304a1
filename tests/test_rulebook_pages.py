"""Every clause that a finding rests on can be read, in the words of the rulebook."""

import pytest
from test_dashboard import app, at, log, record, shown, uploaded

from dashboard import rulebook
from ingest.faults import CATALOGUE
from ingest.rules.ruleset import builtin_names


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_clause_that_is_cited_has_words(code):
    cited = [name for name in CATALOGUE[code].clauses if "-" in name and name[0] in "ABCDEFGUORLDZ"]
    assert [name for name in cited if name not in rulebook.clauses()] == []


def test_a_clause_is_read_to_its_end():
    words = rulebook.clauses()["A-R7"].text
    assert words.startswith("The auction is *open*")
    assert words.endswith("An action after the end is A304.")
    assert "伪" not in words
    assert rulebook.clauses()["A-Q5"].text.startswith("`3334` vs `3333`")
    assert rulebook.chapters()[rulebook.clauses()["A-R7"].chapter].heading == "A.1 Rules"


@pytest.mark.parametrize("rules", builtin_names())
def test_every_ruleset_has_a_part_of_the_book(rules):
    assert rulebook.part_of(rules) or rules in ("ccgc",)


def test_clauses_of_other_games_are_left_out():
    names = tuple(CATALOGUE["P404"].clauses)
    assert {clause.name.partition("-")[0] for clause in rulebook.about(names, "classic")} == {"A", "U"}
    assert len(rulebook.about(names, None)) == len(names)


def test_a_hand_shows_the_clauses_of_its_findings_and_leads_to_the_book(monkeypatch):
    monkeypatch.delenv("FUPAN_STORE", raising=False)
    hand = at(uploaded(log(record(claim={"scores": [3, -1, -2]}))), 1)
    assert "A-R" in shown(hand)
    book = app("rulebook")
    book.query_params["clause"] = "A-R7"
    assert "The auction is *open*" in shown(book.run())
