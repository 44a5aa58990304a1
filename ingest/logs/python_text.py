"""A Python value as ``print`` or ``str`` writes it, as JSON.

Knows how dicts, lists, tuples, texts, numbers, ``True``, ``False`` and ``None`` are written, texts that ``pprint`` has
broken in two, and NumPy's single numbers. Refuses to evaluate anything: linear in its bytes, no depth, no code.
"""

import json
import re

import msgspec

LIMIT = 4 << 20
"""Bytes of the longest text that is read."""

_VALUE = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|True|False|None|[+-]?(?:nan|inf)"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<text>[uU]?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
    |(?P<mark>[\[\]{{}}(),:])
    |np\.[a-z]+[0-9]*_?\(\s*(?P<boxed>{_VALUE})\s*\)
    |(?P<value>{_VALUE})
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}|\n|['\"\\abfnrtv])")
_ESCAPED = {"\n": "", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS = {"True": "true", "False": "false"}
_NO_NUMBERS = frozenset(("None", "nan", "inf", "+nan", "+inf", "-nan", "-inf"))
"""What is ``null`` in JSON, which has no word for what is no number."""
_PLAIN = re.compile(r"[ !#-\[\]-~]*")
_OPENING = frozenset("[{(,")
_HELD = "\0"
"""Holds the place of a text."""
_SIMPLE = re.compile(rf"(?:[\[\]{{}}:\s0-9eE.+-]++|,(?!\s*[\]}}])|{_HELD}(?!\s*{_HELD})|True|False|None|nan|inf)*+")
_WORD = re.compile(r"True|False|None|[+-]?(?:nan|inf)")
_KEY = re.compile(r"(?<=[{,])(\s*)([a-z0-9.+-]+)(?=\s*:)")


def as_document(raw: bytes) -> bytes:
    """What stands in a line or a file, as JSON: itself, or the JSON of a Python value. Raises what decoding raises."""
    raw = raw.strip()
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except msgspec.DecodeError as problem:
        if raw[:1] not in (b"{", b"[", b"("):
            raise
        return _as_json(raw, problem)
    return raw


def _as_json(raw: bytes, problem: Exception) -> bytes:
    """The JSON of a Python value; what is wrong with the JSON, if it is none either."""
    try:
        document = as_json(raw)
        msgspec.json.decode(document, type=msgspec.Raw)
    except msgspec.DecodeError:
        raise problem from None
    return document


def as_json(text: bytes) -> bytes:
    """The JSON of a Python value; what it gives for anything else need not be JSON.

    Raises ``msgspec.DecodeError`` for what cannot be read, ``UnicodeDecodeError`` for what is no UTF-8.
    """
    if len(text) > LIMIT:
        raise msgspec.DecodeError(f"over {LIMIT} bytes")
    source, place = text.decode(), 0
    if (simple := _simple(source)) is not None:
        return simple.encode()
    written = _Written()
    while place < len(source):
        token = _TOKEN.match(source, place)
        if token is None:
            raise msgspec.DecodeError(f"neither JSON nor a Python value: {source[place : place + 20]!a}")
        written.add(token)
        place = token.end()
    written.end_text()
    return " ".join(written.tokens).encode()


def _simple(source: str) -> str | None:
    """Quickly, where nothing but single quotes encloses texts and nothing in them is escaped; else None."""
    if any(mark in source for mark in ('"', "\\", "(", _HELD)):
        return None
    parts = source.split("'")
    outside = _HELD.join(parts[::2])
    if len(parts) % 2 == 0 or not _SIMPLE.fullmatch(outside):
        return None
    outside = _KEY.sub(r'\1"\2"', _WORD.sub(lambda word: _WORDS.get(word[0], "null"), outside))
    parts[::2] = outside.split(_HELD)
    return '"'.join(parts)


class _Written:
    """The JSON so far, and the brackets that are open: where each stands, and whether a comma is in it."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self._open: list[tuple[int, bool]] = []
        self._parts: list[str] = []

    def add(self, token: re.Match[str]) -> None:
        """Write one token."""
        kind = token.lastgroup or ""
        if kind == "text":
            self._parts.append(_read(token["text"]))
        elif kind != "space":
            self.end_text()
            if kind == "mark":
                self._mark(token["mark"])
            else:
                self.tokens.append("null" if token[kind] in _NO_NUMBERS else _WORDS.get(token[kind], token[kind]))

    def end_text(self) -> None:
        """Write the text of which there were parts, if there were."""
        if self._parts:
            text = "".join(self._parts)
            self._parts.clear()
            self.tokens.append(f'"{text}"' if _PLAIN.fullmatch(text) else json.dumps(text))

    def _mark(self, mark: str) -> None:
        if mark in "[{(":
            self._open.append((len(self.tokens), False))
            self.tokens.append(mark)
        elif mark in ")]}":
            self._close(mark)
        else:
            if mark == "," and self._open:
                self._open[-1] = (self._open[-1][0], True)
            elif mark == ":" and self.tokens and self.tokens[-1][0] in "+-.0123456789tfn":
                self.tokens[-1] = f'"{self.tokens[-1]}"'
            self.tokens.append(mark)

    def _close(self, mark: str) -> None:
        """Close a bracket; a round one is a tuple if it holds a comma, or nothing."""
        if not self._open:
            raise msgspec.DecodeError("a bracket that was never opened")
        tokens, (start, has_comma) = self.tokens, self._open.pop()
        if len(tokens) > 1 and tokens[-1] == "," and tokens[-2] not in _OPENING:
            tokens.pop()
        if mark == ")" and tokens[start] == "(":
            is_tuple = has_comma or len(tokens) == start + 1
            tokens[start], mark = ("[", "]") if is_tuple else (" ", " ")
        tokens.append(mark)


def _read(token: str) -> str:
    """What a text in quotes says. An escape that Python does not know stands for itself."""
    text = token.lstrip("uU")[1:-1]
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if code[0] in "xuU" else _ESCAPED.get(code, code)
