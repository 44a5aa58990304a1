"""What msgspec says of JSON that is none, or of a value that a field cannot have, in Chinese.

Knows its sentences. Refuses to know fields. A sentence that it does not know is told as it is.
"""

import re

_TYPES = {
    "object": "对象", "array": "数组", "str": "文字", "int": "整数", "float": "小数", "bool": "是非值", "null": "空值",
}  # fmt: skip
_SENTENCES = (
    (r"Expected `(?P<type>[^`]+)` of length <= (?P<bound>\d+)", "应为{type}，长度不超过 {bound}"),
    (r"Expected `(?P<type>[^`]+)` of length >= (?P<bound>\d+)", "应为{type}，长度至少 {bound}"),
    (
        r"Expected `(?P<type>[^`]+)` of length (?P<bound>\d+), got (?P<got>\d+)",
        "应为{type}，长度 {bound}，而不是 {got}",
    ),
    (r"Expected `(?P<type>[^`]+)` (?P<bound>(?:<=|>=|<|>) -?\d+)", "应为{type}，{bound}"),
    (r"Expected `(?P<type>[^`]+)`, got `(?P<got>[^`]+)`", "应为{type}，而不是{got}"),
    (r"Expected `(?P<type>[^`]+)`", "应为{type}"),
    (r"Expected `(?P<type>[^`]+)` matching regex .*", "{type}的写法不对"),
    (r"Invalid RFC3339 encoded datetime", "不是 RFC 3339 的日期时间"),
    (r"Integer value out of range", "整数太大或太小"),
    (r"Number out of range", "数太大或太小"),
    (r"JSON is malformed: (?P<what>.*) \(byte (?P<byte>\d+)\)", "JSON 不合语法，第 {byte} 字节处（{what}）"),
    (r"Input data was truncated", "内容不完整，中途断了"),
)


def in_chinese(sentence: str) -> str:
    """The same in Chinese, where it is one of its sentences."""
    for form, chinese in _SENTENCES:
        found = re.fullmatch(form, sentence)
        if found is not None:
            return chinese.format_map({name: _typed(value) for name, value in found.groupdict().items()})
    return sentence


def _typed(told: str) -> str:
    """Types by their Chinese names: ``str | null``."""
    return "或".join(_TYPES.get(part, part) for part in told.split(" | "))
