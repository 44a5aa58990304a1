"""The page of benchmarks: one that is run alone leaves what the others measured."""

from bench import results

PAGE = results.merged(results.HEAD, ["## One\n\n1\n", "## Two\n\n| a |\n| --- |\n| 2 |\n", "## Three\n\n3\n"])


def test_a_section_is_replaced_where_it_stands_and_the_others_stay():
    assert results.merged(PAGE, ["## Two\n\ntwo\n"]) == PAGE.replace("| a |\n| --- |\n| 2 |", "two")
    assert results.merged(PAGE, []) == PAGE


def test_a_new_section_comes_last():
    assert results.merged(PAGE, ["## Four\n\n4\n"]) == PAGE + "\n## Four\n\n4\n"


def test_a_section_says_when_and_where_it_was_measured(tmp_path):
    measured = results.section("## Two\n\nmany\n")
    assert measured.startswith("## Two\n\n2")
    assert "Python 3." in measured
    results.write(tmp_path / "results.md", [measured])
    assert (tmp_path / "results.md").read_text("utf-8") == results.merged(results.HEAD, [measured])
