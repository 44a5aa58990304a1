"""What a person is told where a command cannot do what it was asked: one sentence, or a line for each mistake."""

import sqlite3

from fupan.questions import Refused
from ingest.faults import Language
from ingest.mistakes import BadFile
from ingest.rules.ruleset import UnknownRuleset, WrongGame, builtin_names


def in_words(problem: Exception, language: Language) -> str:
    """The sentence of what a store refuses, in the language where it has both."""
    sentence = getattr(problem, "sentence", None)
    return str(problem) if sentence is None else str(sentence(language))


def said(problem: Exception) -> str:
    """The sentence for an exception; what nobody foresaw is a mistake of our own."""
    match problem:
        case UnknownRuleset():
            return f"--rules: no ruleset {problem}; there are {', '.join(builtin_names())}"
        case WrongGame():
            return f"--rules: {problem} is another game"
        case BadFile():
            return "\n".join(f"{problem.source}:{m.line}: {m.key}: {m.problem}" for m in problem.mistakes)
        case FileNotFoundError():
            return f"{problem.filename}: no such file or folder"
        case sqlite3.OperationalError():
            return f"{problem} (what is remembered while logs are read: is the disk full?)"
        case Refused() | OSError() | ValueError():
            return str(problem)
    ours = f"{type(problem).__name__}: {problem}"
    return f"a mistake of our own, please report it: {ours} (FUPAN_DEBUG=1 shows more)"
