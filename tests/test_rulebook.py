"""The rulebook that users read is the one that was agreed."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.shared
@pytest.mark.parametrize("page", ["rules.md", "record.md"])
def test_rulebook_is_word_for_word_the_agreed_one(page: str) -> None:
    agreed = ROOT.parent / "shared" / page
    assert (ROOT / "docs" / "rulebook" / page).read_text("utf-8") == agreed.read_text("utf-8")
