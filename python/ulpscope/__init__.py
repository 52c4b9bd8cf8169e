"""How far is a computed sum from the exact one?  In a test of your own:

    import ulpscope

    def test_my_sum():
        x = ulpscope.data("gensum:n=4096,cond=1e6")
        ulpscope.assert_sum(my_sum(x), x)

docs/python.md says what else is here.  And a sum, dot product or matrix product of your own for ulpscope to measure:
`ulpscope run --python mine.py`.

    import numpy
    import ulpscope

    @ulpscope.method(format="bfloat16")
    def my_sum(x):
        return numpy.sum(x, dtype=numpy.float32)

    @ulpscope.method(operation="matmul", arrays="torch:cuda")
    def product(a, b):
        return a @ b

    @ulpscope.method(rows=True)
    def row_sums(x):
        return x.sum(axis=1)

The methods are mine/my_sum@bfloat16, matmul:mine/product and mine/row_sums.  A function stays what it was.  Two declarations of one
function, of two formats, are two methods.  docs/plugins.md says what a function is given and may return.
"""

import importlib
import math
import re
import typing

if typing.TYPE_CHECKING:
    from ulpscope.accuracy import (VacuousTestWarning, Verdict, assert_cumsum, assert_dot, assert_layer_norm, assert_log_softmax, assert_logsumexp, assert_matmul,
                                   assert_mean, assert_rms_norm, assert_rolling, assert_rows, assert_softmax, assert_std, assert_sum, assert_var, bound, condition, exact_dot, exact_mean, exact_std, exact_sum, exact_var, judge, ulp_error)
    from ulpscope.answers import (Answer, Attack, Blame, Check, Determinism, Exact, Explain, Histogram, Lesson, Probe, Run, Svg, attack, blame, determinism, exact,
                                  explain, lesson, probe, run)
    from ulpscope.families import ProgramMissing, Tolerance, data, tolerance

__version__ = "0.1.0"
ANSWERS = ("Answer", "Attack", "Blame", "Check", "Determinism", "Exact", "Explain", "Histogram", "Lesson", "Probe", "Run", "Svg", "attack", "blame", "determinism", "exact", "explain", "lesson", "probe", "run")
__all__ = ["Answer", "Attack", "Blame", "Check", "Determinism", "Exact", "Explain", "Histogram", "Lesson", "Probe", "ProgramMissing", "Run", "Svg", "Tolerance",
           "VacuousTestWarning", "Verdict", "assert_cumsum", "assert_dot", "assert_layer_norm",
           "assert_log_softmax", "assert_logsumexp", "assert_matmul", "assert_mean", "assert_rms_norm", "assert_rolling", "assert_rows", "assert_softmax", "assert_std",
           "assert_sum", "assert_var", "attack", "blame", "bound", "condition", "data", "determinism", "exact", "exact_dot", "exact_mean", "exact_std",
           "exact_sum", "exact_var", "explain", "judge", "lesson", "method", "probe", "run", "tolerance", "ulp_error"]


if not typing.TYPE_CHECKING:  # which would take every name for one that is here
    def __getattr__(name: str) -> typing.Any:
        """What a worker, which has no library, does without is imported when it is asked for."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = "answers" if name in ANSWERS else "families" if name in ("ProgramMissing", "Tolerance", "data", "tolerance") else "accuracy"
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)


def __dir__() -> typing.List[str]:
    """What completion shows."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


ARRAYS = ("list", "numpy", "torch", "torch:cuda", "cupy", "jax")

# What a format stores elements in, as arrays call it.
DTYPES = {
    "binary64": "float64",
    "binary32": "float32",
    "binary16": "float16",
    "bfloat16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "tf32": "float32",
}

# What NumPy, PyTorch, C and CUDA call formats; src/base/format.c has the same.
ALIASES = {
    "float64": "binary64", "double": "binary64", "fp64": "binary64", "f64": "binary64", "float32": "binary32", "float": "binary32",
    "single": "binary32", "fp32": "binary32", "f32": "binary32", "float16": "binary16", "half": "binary16", "fp16": "binary16",
    "f16": "binary16", "bf16": "bfloat16", "float8_e4m3fn": "e4m3", "fp8_e4m3": "e4m3", "float8_e4m3": "e4m3", "e4m3fn": "e4m3",
    "float8_e5m2": "e5m2", "fp8_e5m2": "e5m2",
}


def named(format: str) -> str:
    """A format by ulpscope's name: binary32 of float32, binary16_to_binary32 of half_to_float."""
    return "".join(ALIASES.get(part.lower(), part) for part in re.split("(_in_|_to_)", format))


Function = typing.Callable[..., typing.Any]
Bound = typing.Union[str, typing.Dict[str, float]]


class Declaration(typing.NamedTuple):
    """What `method` says of a function."""

    function: Function
    operation: str
    format: str
    arrays: str
    deterministic: bool
    bound: Bound
    lengths: typing.Optional[typing.Sequence[int]]
    claim: typing.Optional[str]
    rows: bool

    @property
    def stored(self) -> str:
        """The format of the elements: binary16 of binary16_to_binary32."""
        return self.format.replace("_in_", "_to_").partition("_to_")[0]

    @property
    def result(self) -> str:
        """The format of the result: binary32 of binary16_to_binary32, and of fp8 that is added in no other."""
        result = self.format.replace("_in_", "_to_").partition("_to_")[2]
        return result or ("binary32" if self.format in ("e4m3", "e5m2") else self.format)


declarations: typing.List[Declaration] = []


def expect(fine: bool, expected: str, found: object) -> None:
    if not fine:
        raise ValueError(f"expected {expected}, found {found!r}")


def declare(function: Function, operation: str = "sum", format: str = "binary32", arrays: str = "numpy",
            deterministic: bool = False, bound: Bound = "any_order", lengths: typing.Optional[typing.Sequence[int]] = None,
            claim: typing.Optional[str] = None, rows: bool = False) -> Declaration:
    """What is known here is checked here; the names of operations and formats are ulpscope's to know."""
    expect(callable(function), "a function", function)
    expect(isinstance(operation, str), "an operation of `ulpscope list operations`", operation)
    expect(isinstance(format, str), "a format of `ulpscope list formats`", format)
    expect(claim is None or isinstance(claim, str), "a claim in words", claim)
    expect(arrays in ARRAYS, f"arrays of {', '.join(ARRAYS)}", arrays)
    expect(isinstance(bound, str) and re.fullmatch("[a-z0-9_]+(=[0-9x]+)?", bound) is not None or
           isinstance(bound, dict) and set(bound) == {"of_sum", "of_abs"} and
           all(isinstance(share, (int, float)) and 0 <= share < math.inf for share in bound.values()),
           'a bound "height=20", "pairwise", "blocked=128", "chains=8" or another order of `ulpscope list orders`, "any_order", '
           '"none", "kahan" or another accumulator, or {"of_sum": 1, "of_abs": 0}', bound)
    expect(lengths is None or isinstance(lengths, (list, tuple, range)) and all(isinstance(n, int) and n > 0 for n in lengths),
           "lengths from 1 on", lengths)
    declaration = Declaration(function, operation, named(format), arrays, bool(deterministic), bound, lengths, claim, bool(rows))
    expect(declaration.stored in DTYPES, f"a format of {', '.join(DTYPES)}", format)
    expect(declaration.result in DTYPES, "a format of `ulpscope list formats`", format)
    return declaration


def method(operation: typing.Any = "sum", format: str = "binary32", arrays: str = "numpy", deterministic: bool = False,
           bound: Bound = "any_order", lengths: typing.Optional[typing.Sequence[int]] = None,
           claim: typing.Optional[str] = None, rows: bool = False) -> Function:
    """Declares a function to be a method; see `ulpscope list operations` and `ulpscope list formats`.

    arrays         what it takes: "list" (of floats; of matrices, of lists), "numpy", "torch", "torch:cuda", "cupy", "jax"
    deterministic  whether the same data have the same result: each case is then computed twice, and compared
    bound          claimed of |result - exact|: "any_order": n - 1 additions in any order; "none"; "kahan" or another
                   accumulator: its bound; "pairwise", "height=20" or another tree of limits: that of plain additions in
                   it; or u (of_sum |exact| + of_abs sum |x|), u = 2^-24 of a binary32 result: {"of_sum": 1, "of_abs": 0}
                   of one correctly rounded
    lengths        the only n that it takes
    claim          one line for lists; without it the first of the function's own description
    rows           whether its arrays have two dimensions, and it returns a result for each row; not of matmul

    Of layer_norm and rms_norm, with eps = 1e-5 and without weights, and of rolling, which is given the window behind its array,
    it returns an array of the shape of its argument.
    """

    def declared(function: Function) -> Function:
        declarations.append(declare(function, operation, format, arrays, deterministic, bound, lengths, claim, rows))
        return function

    if callable(operation):  # @ulpscope.method, without brackets
        return typing.cast(Function, method()(operation))
    return declared
