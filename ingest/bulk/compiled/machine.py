"""What the machine can do that Numba has no name for: eight bytes at once, and how functions are compiled."""

import hashlib
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import intrinsic
from numba.misc.appdirs import AppDirs
from numba.np import linalg

from ingest import cards

config: Any = numba.config
_njit: Any = numba.njit

_LETTERS = 32
AT_ONCE = 4 if "+avx2" in cpu_target.target_context.codegen().magic_tuple()[2] else 1
"""Words that the processor for which code is compiled adds, mixes and turns at once."""
PADDING = 32
"""Bytes that must follow a block: as far as reading eight at once may look beyond its last newline."""


_NUMBERS = ("layout", "loads", "menus", "shedding", "turns")
_ELSEWHERE = ("cards", "conduct/counts", "identity", "rules/kickers", "rules/shedding")
"""Modules whose numbers compiled code knows, here and elsewhere."""


def _stamp() -> str:
    """What tells this compiled code from that of other sources: Numba itself looks at one file at a time."""
    folder = Path(__file__).parent
    beside = [path for path in folder.parent.glob("*.py") if path.stem.endswith("_kernel") or path.stem in _NUMBERS]
    known = [Path(cards.__file__).parent / f"{name}.py" for name in _ELSEWHERE]
    sources = [*sorted(folder.glob("*.py")), *sorted(beside), *known]
    return hashlib.blake2b(b"".join(map(Path.read_bytes, sources)), digest_size=8).hexdigest()


CACHE = Path(config.CACHE_DIR or AppDirs("fupan", appauthor=False).user_cache_dir) / f"compiled-{_stamp()}"
"""Where compiled code is kept for the next process."""


def _load_without_blas() -> None:
    """Have Numba load its array functions without all of SciPy's linear algebra (0.2 s of every start): no compiled
    code here multiplies matrices.
    """
    ensure_blas: Any = linalg.ensure_blas

    def refuse() -> None:
        raise ImportError

    linalg.ensure_blas = refuse
    try:
        import numba.np.arraymath  # noqa: F401 - it asks for them when it is loaded, once
    finally:
        linalg.ensure_blas = ensure_blas


_load_without_blas()


def is_compiled() -> bool:
    """Whether another process has compiled the loop on this machine."""
    return any(CACHE.glob("*/prove.prove-*.nbi"))


def _compiler(**options: Any) -> Any:
    """Compiled code makes no arrays, so that it need not count who refers to which (half of its time else)."""

    def compiled(function: Any) -> Any:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(CACHE)
        try:
            made = _njit(cache=True, error_model="numpy", _nrt=False, **options)(function)
        finally:
            config.CACHE_DIR = before
        return _for_types_alone(made)

    return compiled


def _for_types_alone(compiled: Any) -> Any:
    """Have a function compiled for the types of its arguments, not once more for every constant it is called with."""
    template = compiled.get_call_template

    def of_types(arguments: Any, named: Any) -> Any:
        return template(tuple(map(types.unliteral, arguments)), {key: types.unliteral(named[key]) for key in named})

    compiled.get_call_template = of_types
    return compiled


inner = _compiler(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Compiles a function that only compiled ones call."""
tight = _compiler(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""The same for a function of a few instructions, or of one place: it is put where it is called."""
outer = _compiler(nogil=True)
"""Compiles a function that Python calls."""
alone = _compiler()
"""Compiles a function that Python calls and that remembers in arrays what it met: one thread at a time."""


@intrinsic
def eight_bytes(_context: Any, text: Any, at: Any) -> Any:
    """The eight bytes from ``at`` on as one number, the first lowest. Neither bounds nor signs are looked at."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        number = context.get_value_type(types.uint64)
        pointer = builder.bitcast(place, cgutils.voidptr_t if number is None else number.as_pointer())
        loaded = builder.load(pointer)
        loaded.align = 1
        return loaded

    return types.uint64(text, at), code


@intrinsic
def plain_letters(_context: Any, text: Any, at: Any) -> Any:
    """How many of 32 bytes, from a place on, are neither quote, backslash, control nor beyond ASCII, up to the first
    that is.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        letters = ir.VectorType(ir.IntType(8), _LETTERS)

        def each(letter: int) -> Any:
            return letters([letter] * _LETTERS)

        place = builder.gep(array.data, [arguments[1]])
        loaded = builder.load(builder.bitcast(place, letters.as_pointer()))
        loaded.align = 1
        strange = builder.icmp_unsigned(">=", builder.sub(loaded, each(0x20)), each(0x60))
        for letter in (0x22, 0x5C):
            strange = builder.or_(strange, builder.icmp_unsigned("==", loaded, each(letter)))
        marks = builder.bitcast(strange, ir.IntType(_LETTERS))
        return builder.zext(builder.cttz(marks, cgutils.false_bit), ir.IntType(64))

    return types.int64(text, at), code


@intrinsic
def _item(_context: Any, array: Any, at: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return context.unpack_value(builder, signature.args[0].dtype, builder.gep(array.data, [arguments[1]]))

    return array.dtype(array, at), code


@intrinsic
def _put(_context: Any, array: Any, at: Any, _value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        context.pack_value(builder, signature.args[0].dtype, arguments[2], place)
        return context.get_dummy_value()

    return types.void(array, at, array.dtype), code


@intrinsic
def _put_eight_bytes(_context: Any, text: Any, at: Any, _word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        pointer = builder.bitcast(place, context.get_value_type(types.uint64).as_pointer())
        builder.store(arguments[2], pointer).align = 1
        return context.get_dummy_value()

    return types.void(text, at, types.uint64), code


@intrinsic
def _ones(_context: Any, word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), code


@intrinsic
def swapped(_context: Any, word: Any) -> Any:
    """A word with its bytes in the other order: as letters stand, so such words do."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(word), code


@intrinsic
def fetch(_context: Any, array: Any, at: Any) -> Any:
    """Have what stands at a place of an array at hand a little later, to be read and written."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
        builder.call(prefetch, [place, number(1), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, at), code


@tight
def popcount(word):
    """How many bits of a word are set."""
    return np.int64(_ones(word))


@inner
def _checked_item(array, at):
    return array[at]


@inner
def _checked_put(array, at, value):
    array[at] = value


@inner
def _checked_put_eight_bytes(text, at, word):
    text[at + 7] = text[at]
    _put_eight_bytes(text, at, word)


item = _checked_item if config.BOUNDSCHECK else _item
"""What stands at a place that is known not to be negative; its bounds are looked at under NUMBA_BOUNDSCHECK alone."""
put = _checked_put if config.BOUNDSCHECK else _put
"""Put something at such a place."""
put_eight_bytes = _checked_put_eight_bytes if config.BOUNDSCHECK else _put_eight_bytes
"""Put eight bytes at such a place, the first lowest."""


@tight
def lowest(word):
    """The place of the lowest bit that is set; there is one."""
    return np.int64(trailing_zeros(word))


_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_QUOTES = np.uint64(0x2222222222222222)
_THREE = np.uint64(3)


@tight
def _zeros(word):
    """Marks in each byte's top bit the bytes that are zero; above the first of them marks may be wrong."""
    return (word - _ONES) & ~word & _TOPS


_HIGHS, _ZEROS, _SIXES = np.uint64(0xF0F0F0F0F0F0F0F0), np.uint64(0x3030303030303030), np.uint64(0x0606060606060606)
_DIGIT, _TWO_DIGITS, _FOUR_DIGITS = (
    np.uint64(mask) for mask in (0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF, 0xFFFF0000FFFF)
)
_TENS, _HUNDREDS, _MYRIADS = np.uint64(10 << 8 | 1), np.uint64(100 << 16 | 1), np.uint64(10000 << 32 | 1)
_8, _16, _32, _64 = (np.uint64(bits) for bits in (8, 16, 32, 64))


@tight
def leading_number(word):
    """How many of eight letters, from the first on, are digits, and the number that they make."""
    others = ((word & _HIGHS) ^ _ZEROS) | (((word + _SIXES) & _HIGHS) ^ _ZEROS)
    size = np.int64(8) if others == np.uint64(0) else np.int64(trailing_zeros(others) >> _THREE)
    if size == 0:
        return size, np.int64(0)
    value = (word << (_64 - _8 * np.uint64(size))) & _DIGIT
    value = ((value * _TENS) >> _8) & _TWO_DIGITS
    value = ((value * _HUNDREDS) >> _16) & _FOUR_DIGITS
    return size, np.int64((value * _MYRIADS) >> _32)


@tight
def before_quote(word):
    """How many of eight bytes stand before the first quote; 8 where there is none."""
    quotes = _zeros(word ^ _QUOTES)
    return np.int64(8) if quotes == np.uint64(0) else np.int64(trailing_zeros(quotes) >> _THREE)
