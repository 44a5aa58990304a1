"""What a person is told where a command cannot do what it was asked: one sentence, or a line for each mistake."""

import sqlite3

from fupan.questions import Refused
from fupan.words import word
from ingest.faults import Language
from ingest.mistakes import BadFile
from ingest.rules.ruleset import UnknownRuleset, WrongGame, builtin_names


def in_words(problem: Exception, language: Language) -> str:
    """The sentence of what a store refuses, in the language where it has both."""
    sentence = getattr(problem, "sentence", None)
    return str(problem) if sentence is None else str(sentence(language))


def said(problem: Exception, language: Language) -> str:
    """The sentence for an exception; what nobody foresaw is a mistake of our own."""
    match problem:
        case UnknownRuleset():
            return word("refused_ruleset", language, name=problem, known=", ".join(builtin_names()))
        case WrongGame():
            return word("refused_game", language, name=problem)
        case BadFile():
            return "\n".join(f"{problem.source}:{m.line}: {m.key}: {m.problem}" for m in problem.mistakes)
        case FileNotFoundError():
            return word("refused_file", language, name=problem.filename)
        case sqlite3.OperationalError():
            return word("refused_memory", language, problem=problem)
        case Refused() | OSError() | ValueError():
            return in_words(problem, language)
    return word("refused_ours", language, problem=f"{type(problem).__name__}: {problem}")
