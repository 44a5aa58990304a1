"""Text of other encodings as UTF-8: what a log is is told from its beginning, the rest is turned as it comes.

Knows bytes. Refuses to guess where the guess would garble names: what cannot be turned stays as it is, and its line
cannot be read (R111). UTF-16 and UTF-32 tell themselves; GB18030 and Big5 are told by their common characters.
"""

import codecs
import unicodedata
from collections.abc import Iterable, Iterator

BOM = codecs.BOM_UTF8
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""Encodings by the byte order mark with which a text may begin; the longer marks first."""
GUESSED = {"gb18030": "gb18030", "big5": "big5hkscs", "cp1252": None}
"""What charset-normalizer may find in a log that is not UTF-8, and the codec that reads it.

None for what any bytes could be, such as those of a broken line.
"""

_COMMON = {"gb18030": ("gb2312", b"\xb0\xa1", b"\xd7\xf9"), "big5hkscs": ("big5", b"\xa4\x40", b"\xc6\x7e")}
"""Where the common characters of an encoding stand: the set that has them, the first and the last."""
_LIKELY, _CLEARLY = 0.6, 0.2
_ENOUGH = 200
"""Bytes of text from which on charset-normalizer is asked: below that it guesses."""
_UNTURNED = "\udcff"
"""Stands for what the encoding does not have, and becomes a byte that UTF-8 does not have."""
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a\x1b"))
_SHOWN = 1 << 14
"""Bytes of text that are shown to charset-normalizer: more make it slower and no surer."""


def _mark(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeDecodeError)
    return _UNTURNED, problem.end


codecs.register_error("fupan.mark", _mark)


def codec(encoding: str) -> str | None:
    """The codec of an encoding; None for UTF-8, which need not be turned. Raises ``ValueError`` where there is none."""
    try:
        found = codecs.lookup(encoding)
        b" ".decode(encoding, "ignore")
    except (LookupError, ValueError):
        raise ValueError(f"unknown encoding: {encoding}") from None
    return None if found.name in ("utf-8", "utf-8-sig", "ascii") else found.name


def encoding_of(head: bytes) -> str | None:
    """The encoding of a log that begins so, if it must be turned; None for UTF-8 and for what is no text.

    The last character may be cut.
    """
    for mark, name in MARKS.items():
        if head.startswith(mark):
            return name
    if unmarked := _utf16(head):
        return unmarked
    if is_utf8(head) or head.translate(None, _CONTROLS) != head:
        return None
    foreign = _foreign_lines(head)
    return None if foreign.isascii() else _guessed(foreign)


def turned(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Bytes of this encoding as UTF-8, without a byte order mark."""
    decoder = codecs.getincrementaldecoder(encoding)("fupan.mark")
    first = True
    for text in map(decoder.decode, chunks):
        yield _encoded(text.removeprefix("\ufeff") if first else text)
        first = first and not text
    yield _encoded(decoder.decode(b"", final=True))


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def _utf16(head: bytes) -> str | None:
    """UTF-16 without a mark: in JSON and CSV most characters are ASCII, so that every other byte is 0."""
    sample = head[: min(len(head), 1 << 12) & ~1]
    even, odd = sample[::2], sample[1::2]
    for zeros, others, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if len(sample) >= 4 and 2 * zeros.count(0) > len(zeros) and 4 * others.count(0) < zeros.count(0):
            return name
    return None


def is_utf8(text: bytes) -> bool:
    """Whether this is UTF-8, but for a last character that may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)
    except UnicodeDecodeError:
        return False
    return True


def _foreign_lines(head: bytes) -> bytes:
    """The lines that are no UTF-8; none where more of the lines are, for then it is UTF-8 with broken lines."""
    lines = [line for line in head.split(b"\n") if not line.isascii()]
    foreign = [line for line in lines if not is_utf8(line)]
    shown = b"\n".join(foreign)[:_SHOWN].rstrip(bytes(range(128, 256)))  # its last character may be cut
    return shown if 2 * len(foreign) > len(lines) else b""


def _guessed(text: bytes) -> str | None:
    """Which of the Chinese encodings these lines have, if one of them is clearly likelier than the other.

    A short text may well be both, so what counts is how many of its characters are among the common ones of each: level
    1 of GB 2312, and that of Big5. Where neither has them, charset-normalizer says what else it may be.
    """
    shares = {codec: _share_of_common(text, codec) for codec in _COMMON}
    best, other = sorted(shares, key=lambda codec: -shares[codec])
    if shares[best] >= _LIKELY:
        return best if shares[best] - shares[other] >= _CLEARLY else None
    from charset_normalizer import from_bytes  # here: most logs are UTF-8

    found = from_bytes(text, cp_isolation=list(GUESSED), threshold=0.5).best()
    return None if found is None or len(text) < _ENOUGH else GUESSED.get(found.encoding)


def _share_of_common(text: bytes, codec: str) -> float:
    """How many of the ideographs are common ones, read in this encoding; 0 where it does not have these bytes."""
    try:
        letters = [letter for letter in text.decode(codec) if unicodedata.category(letter) == "Lo"]
    except UnicodeDecodeError:
        return 0.0
    plain, first, last = _COMMON[codec]
    common = sum(first <= letter.encode(plain, "replace") <= last for letter in letters)
    return common / len(letters) if letters else 0.0
