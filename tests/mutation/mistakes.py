"""Every small mistake that could be made in the functions of a module: one operator, word, number, step changed.

Knows Python's syntax and nothing of the game. What stands outside functions, defaults and decorators, assertions and
annotations are left alone: they are no steps of an audit, or make no function that could be exchanged.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from types import CodeType
from typing import NamedTuple

Place = tuple[ast.AST, str, int | None]
"""Where a node stands: in which node, in which field, at which place of a list."""


class Mistake(NamedTuple):
    """One change, and the code of the function with it."""

    function: str
    """The outermost function, with its class."""
    name: str
    """What stands there, and what instead; the same in every run until the function changes."""
    lines: range
    """The lines of the step that it changes."""
    code: CodeType


COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "sum": "max"}
NONE = ast.Constant(None)
LONG = 72


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What might stand in place of a node."""
    match node:
        case ast.Compare(left, [first, *more], compared):
            for other in COMPARED[type(first)]:
                yield ast.Compare(left, [other(), *more], compared)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in RECKONED:
            yield ast.BinOp(left, RECKONED[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in RECKONED:
            yield ast.AugAssign(target, RECKONED[type(op)](), value)
            yield ast.Pass()
        case ast.Constant(value):
            yield from _other_constants(value)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Call():
            yield from _other_calls(node)
        case ast.comprehension(target, iterated, [_, *_] as tests, is_async):
            for place in range(len(tests)):
                yield ast.comprehension(target, iterated, tests[:place] + tests[place + 1 :], is_async)
        case _:
            yield from _other_steps(node)


def _other_constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        if value > 0:
            yield ast.Constant(value - 1)
    elif isinstance(value, str) and value:
        yield ast.Constant(f"{value}?")


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield ast.Call(ast.Name(CALLED[node.func.id], ast.Load()), node.args, node.keywords)
    for place, given in enumerate(node.args):
        if not isinstance(given, ast.Constant | ast.Starred | ast.GeneratorExp):
            yield ast.Call(node.func, [*node.args[:place], NONE, *node.args[place + 1 :]], node.keywords)
    for place in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:place] + node.keywords[place + 1 :])


def _other_steps(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If(test, body, orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
            if not orelse:
                yield ast.Pass()
        case ast.While(test, body, orelse):
            yield ast.While(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(NONE)
        case ast.Assign(targets, value) if not isinstance(value, ast.Constant):
            yield ast.Assign(targets, NONE)
        case ast.Expr(ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.Raise():
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


UNTOUCHED = {
    ast.FunctionDef: {"args", "decorator_list", "returns", "type_params"},
    ast.Lambda: {"args"},
    ast.AnnAssign: {"annotation", "target"},
    ast.JoinedStr: {"values"},
}


def places(node: ast.AST, step: ast.stmt | None = None) -> Iterator[tuple[Place, ast.AST, ast.stmt]]:
    """Every node below one that a mistake may be made in, with the statement that it is part of."""
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED.get(type(node), ()):
            continue
        for number, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert) or _is_text(child):
                continue
            mine = child if isinstance(child, ast.stmt) else step
            if mine is not None:
                yield (node, field, number if isinstance(value, list) else None), child, mine
            yield from places(child, mine)


def _is_text(node: ast.AST) -> bool:
    """Whether it is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def put(place: Place, node: ast.AST) -> None:
    holder, field, number = place
    if number is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[number] = node


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The outermost functions and methods."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


def code_of(whole: CodeType, function: str) -> CodeType:
    """The code of a function in that of its module."""
    for part in function.split("."):
        whole = next(each for each in whole.co_consts if isinstance(each, CodeType) and each.co_name == part)
    return whole


def told(node: ast.AST) -> str:
    """A node's text in one line."""
    text = _heard(node) if isinstance(node, ast.comprehension) else ast.unparse(ast.fix_missing_locations(node))
    return " ".join(text.split())


def change(node: ast.AST, other: ast.AST) -> str:
    """What stood there, and what instead; of a long text the part that differs."""
    one, two = told(node), told(other)
    same = 0
    if len(one) > LONG:
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
        same = max(alike - 24, 0)
    before, after = (("…" if same else "") + text[same : same + LONG] for text in (one, two))
    return f"{before} → {after}"


def _heard(node: ast.comprehension) -> str:
    return " ".join([f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}",
                     *(f"if {ast.unparse(each)}" for each in node.ifs)])  # fmt: skip


Sketch = tuple[str, str, Place, ast.AST, ast.AST, ast.stmt]
"""A mistake before it is made: function, name, where, what stands there, what instead, in which statement."""


def sketched(tree: ast.Module) -> Iterator[Sketch]:
    """Every mistake in the functions of a module, in order."""
    for function, node in functions(tree):
        names: Counter[str] = Counter()
        for place, child, step in list(places(node)):
            for other in changes(child):
                ast.copy_location(other, child)
                name = change(child, other)
                names[name] += 1
                yield function, name + (f" #{names[name]}" if names[name] > 1 else ""), place, child, other, step


def mistakes(source: str, file: str) -> Iterator[Mistake]:
    """The same, made."""
    tree = ast.parse(source)
    for function, name, place, child, other, step in sketched(tree):
        put(place, other)
        code = code_of(compile(ast.fix_missing_locations(tree), file, "exec"), function)
        put(place, child)
        yield Mistake(function, name, _lines(step, child), code)


def _lines(step: ast.stmt, node: ast.AST) -> range:
    """The lines that are reached before a mistake matters: those of the node, or the first of its statement."""
    first = getattr(node, "lineno", step.lineno)
    last = getattr(node, "end_lineno", first) or first
    return range(step.lineno, step.lineno + 1) if isinstance(node, ast.stmt) else range(min(first, last), last + 1)
