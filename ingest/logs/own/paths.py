"""Where a value is found in what a JSON document, a line of CSV or a row of Parquet became.

Knows dicts and lists. Refuses to know what is looked for.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

Step = str | int
Steps = tuple[Step, ...]

ALL: Final = "*"
"""The step that stands for every item of a list."""
MISSING: Final = type("Missing", (), {"__repr__": lambda _: "MISSING", "__bool__": lambda _: False})()
"""What is found where nothing is; ``None`` is a value that the source gives."""

_STEP = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.\"'\s](?:[^.\"']*[^.\"'\s])?)")
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class _All(str):
    """``*`` unquoted."""

    __slots__ = ()


_EVERY = _All(ALL)


@lru_cache(maxsize=4096)
def steps_of(path: str) -> Steps:
    """The steps of a path: keys, numbers, ``*``. Keys with dots stand in quotes. Raises ``ValueError``."""
    steps: list[Step] = []
    place = 0
    while place < len(path):
        found = _STEP.match(path, place)
        if found is None:
            raise ValueError(f"{path!r} is no path: keys, numbers and * with dots between, a key with dots in quotes")
        steps.append(_step(found))
        place = found.end()
        if place < len(path):
            if path[place] != "." or place + 1 == len(path):
                raise ValueError(f"{path!r} is no path: a dot between two keys is what is missing or too much")
            place += 1
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    bare = found[3]
    if bare is None:
        return found[1] if found[1] is not None else found[2]
    if bare == ALL:
        return _EVERY
    return int(bare) if _NUMBER.fullmatch(bare) else bare


def find(value: Any, path: str) -> Any:
    """What stands at a path, ``MISSING`` where nothing does. A path with ``*`` gives the list of all it finds."""
    if not path:
        return value
    steps = steps_of(path)
    if len(steps) == 1 and type(value) is dict and type(steps[0]) is str:
        return value.get(steps[0], MISSING)
    return _walk(value, steps, 0)


def _walk(value: Any, steps: Steps, start: int) -> Any:
    for place in range(start, len(steps)):
        step = steps[place]
        if type(step) is _All:
            return _each(value, steps, place + 1)
        if type(value) is dict:
            value = value.get(step if type(step) is str else str(step), MISSING)
        elif type(value) is list and type(step) is int:
            value = value[step] if -len(value) <= step < len(value) else MISSING
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


def _each(value: Any, steps: Steps, rest: int) -> Any:
    """All that is found in the items of a list; ``MISSING`` where one of them lacks it."""
    if type(value) is not list:
        return MISSING
    deeper = has_every(steps[rest:])
    found: list[Any] = []
    for item in value:
        inner = _walk(item, steps, rest)
        if inner is MISSING:
            return MISSING
        found.extend(inner) if deeper else found.append(inner)
    return found


def has_every(steps: Steps) -> bool:
    """Whether a path gives all that it finds, rather than one thing."""
    return any(type(step) is _All for step in steps)


def leaves(value: Any) -> Iterator[Steps]:
    """The path of everything that a value holds, ``*`` for items; a list of plain values is one thing."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from ((key, *steps) for steps in leaves(item))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for item in value:
            yield from ((_EVERY, *steps) for steps in leaves(item))
    else:
        yield ()


def covers(used: Steps, leaf: Steps) -> bool:
    """Whether a path reaches a leaf, something around it, or what the leaf would hold if it were not empty.

    A numbered item stands for all.
    """
    return all(map(_agree, used, leaf))


def _agree(used: Step, there: Step) -> bool:
    return used == there or str(used) == there or (isinstance(there, _All) and isinstance(used, int | _All))


def written(steps: Steps) -> str:
    """Steps as a path."""
    return ".".join(_written(step) for step in steps)


def _written(step: Step) -> str:
    text = str(step)
    plain = isinstance(step, int | _All) or (_STEP.fullmatch(text) and text[:1] not in "\"'" and text != ALL)
    return text if plain and not (isinstance(step, str) and _NUMBER.fullmatch(text)) else f'"{text}"'
