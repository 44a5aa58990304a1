"""Python's values as JSON: what Python itself reads, and nothing else."""

import ast
import json
import pprint
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.logs.python_text import LIMIT, as_document, as_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(TEXTS | st.integers() | st.booleans(), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(VALUES, st.sampled_from([repr, pprint.pformat, lambda value: pprint.pformat(value, width=12)]))
def test_what_python_prints(value: Any, printed: Callable[[Any], str]):
    assert json.loads(as_json(printed(value).encode())) == json.loads(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    ["{'a': (1,), 'b': ('c' 'd', [2]), }", "([1, 2])", "()", "{'it\\'s': \"o'k\", u'x': '\\x41\\u0042\\U00000043'}",
     "'\\d'", "{1: -2.5e-07, None: True}", "[('a'\n 'b')]"],
)  # fmt: skip
def test_spellings_that_python_reads(text: str, recwarn: pytest.WarningsRecorder):
    mine = json.loads(as_json(text.encode()))
    assert not recwarn
    with pytest.warns() if "\\d" in text else pytest.MonkeyPatch.context():
        assert mine == json.loads(json.dumps(ast.literal_eval(text)))


def test_numbers_of_numpy_and_what_is_no_number():
    text = b"{'a': np.float32(0.5), np.int64(3): nan, 'b': [-inf, inf]}"
    assert json.loads(as_json(text)) == {"a": 0.5, "3": None, "b": [None, None]}


@pytest.mark.parametrize(
    "text",
    ["{'a': 1 2}", "{'a' 1}", "{1, 2}", "[,]", "[1", "1]", ")", "{'a': b}", "__import__('os')", "{'a': 1+1}", "'a",
     "array([1])", "np.float32(0.5", "{'a': 'b\nc'}", "f'{1}'", "{'a': 0x1}"],
)  # fmt: skip
def test_what_is_no_value_of_python(text: str):
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(as_json(text.encode()))


@pytest.mark.parametrize(
    "text", [b"[" * 200_000, b"('a'," * 100_000, b"-" * 300_000, b"'\\'" * 100_000, b"'a'" * 100_000]
)
def test_hostile_text_is_linear(text: bytes):
    begun = time.process_time()
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        msgspec.json.decode(as_json(text), type=msgspec.Raw | int)
    assert time.process_time() - begun < 10


def test_a_text_that_is_too_long():
    with pytest.raises(msgspec.DecodeError, match="over"):
        as_json(b"[" + b"1," * LIMIT + b"]")


def test_json_is_left_as_it_stands_and_named_where_it_is_broken():
    assert as_document(b' {"a":"it\'s"}\n') == b'{"a":"it\'s"}'
    assert as_document(b'{"a": None}') == b'{ "a" : null }'
    with pytest.raises(msgspec.DecodeError, match="truncated"):
        as_document(b'{"a": [1')
    with pytest.raises(msgspec.DecodeError, match="malformed"):
        as_document(b"nothing")


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("{}[](),:'\"\\ \nuxU0e-.Tnaif")))
def test_nothing_else_is_raised(text: str):
    with suppress(msgspec.DecodeError, RecursionError):
        msgspec.json.decode(as_document(text.encode()))
