"""How far results are from the exact ones, and assertions: ulpscope.h for arrays of Python.  docs/python.md

x of one dimension is a sum, x and y a dot product; x of two is the sums of its rows, x and y a matrix product; means and
variances are of x of any shape, along an axis.  Every function throws TypeError where there are no numbers of a format,
ValueError for a shape, format or limit that is none, and ImportError where the library is missing.
"""

import ctypes
import dataclasses
import math
import operator
import os
import re
import sys
import typing
import warnings

from ulpscope import library, operands

ArrayLike = typing.Any  # what operands.operand takes
Limit = typing.Union[str, float]
Axis = typing.Union[None, int, typing.Sequence[int]]
Numbers = typing.Any  # a float, of rows a list of them, of a product a list of its rows
OPERATIONS = {(1, False): library.SUM, (1, True): library.DOT, (2, False): library.ROWS, (2, True): library.MATMUL}
HOLDING = {"binary64": ("binary64",), "e4m3": library.FORMATS, "e5m2": library.FORMATS}  # formats that have all numbers of one
NAMES = {library.SUM: "a sum", library.DOT: "a dot product", library.ROWS: "sums of rows", library.MATMUL: "a product"}


class VacuousTestWarning(UserWarning):
    """An assertion that passes, and would pass results that are obviously wrong."""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Results held to a limit.  Numbers are those of the worst result; docs/metrics.md says what each is."""

    passed: bool
    count: int
    failed: int
    where: typing.Tuple[int, int]  # row and column of the worst
    computed: float
    exact: float  # correctly rounded to the format of the results
    error: float
    ulp_error: float
    relative_error: float
    backward_error: float
    condition: float
    bound: float  # of plain addition in any order, which is the limit "auto"
    zeros_pass: bool  # whether zeros would pass as well,
    last_dropped_passes: bool  # or the results of all but the last element
    words: str
    cause: str


class Problem:
    """Operands, the format of results and their shape, as the library takes them.  operation: 0 for what x and y are by their
    dimensions."""

    def __init__(self, operation: int, x: ArrayLike, y: ArrayLike = None, added: typing.Optional[str] = None,
                 format: typing.Optional[str] = None) -> None:
        given = [(x, "x")] if y is None else [(x, "x"), (y, "y")]
        self.operands = [operands.operand(array, name) for array, name in given]
        operation = operation or OPERATIONS.get((len(self.operands[0].shape), y is not None), library.SUM)
        dimensions = next(key[0] for key, value in OPERATIONS.items() if value == operation)
        for of, name in zip(self.operands, "xy"):
            if len(of.shape) != dimensions:
                raise ValueError(f"{name}: expected {dimensions} {'dimension' if dimensions == 1 else 'dimensions'} for "
                                 f"{NAMES[operation]}, found shape {of.shape}")
        self.shape: typing.Tuple[int, ...] = ()
        if dimensions == 2:
            self.shape = (self.operands[0].shape[0], *(of.shape[1] for of in self.operands[1:]))
        self.set(operation, added, format)

    def set(self, operation: int, added: typing.Optional[str], format: typing.Optional[str]) -> None:
        """What the library takes, of operands and their formats."""
        stored = self.operands[0].format
        usual = ("binary32" if stored in ("e4m3", "e5m2") else stored) if format is None else operands.usual(format)
        self.format: str = typing.cast(str, usual)  # which number_of refuses otherwise
        y = self.operands[1].array() if len(self.operands) > 1 else library.Array()
        self.of = library.Problem(operation, self.operands[0].array(), y, operands.number_of(self.format),
                                  0 if added is None else operands.number_of(operands.usual(added)))

    def results(self, computed: ArrayLike) -> operands.Operand:
        """What was computed; its format is that of the results from here on."""
        found = operands.results(computed, self.format, self.shape)
        self.format, self.of.result = found.format, operands.number_of(found.format)
        return found

    def shaped(self, numbers: typing.List[float]) -> Numbers:
        """As lists of lists."""
        nested: typing.List[Numbers] = list(numbers)
        for d in range(len(self.shape) - 1, 0, -1):
            n = self.shape[d]
            nested = [nested[i * n:(i + 1) * n] for i in range(math.prod(self.shape[:d]))]
        return nested if self.shape else nested[0]

    def place(self, row: int, column: int) -> str:
        """The index of a result, where row and column do not say it."""
        return ""

    def count(self) -> int:
        return math.prod(self.shape)

    def values(self) -> typing.Sequence[library.Value]:
        values = (library.Value * max(self.count(), 1))()
        values[0].size = ctypes.sizeof(library.Value)
        library.check(library.library().ulpscope_exact(self.of, values))
        return values[: self.count()]

    def errors(self, computed: operands.Operand) -> typing.Sequence[library.Error]:
        errors = (library.Error * max(self.count(), 1))()
        errors[0].size, errors[0].exact.size = ctypes.sizeof(library.Error), ctypes.sizeof(library.Value)
        library.check(library.library().ulpscope_errors(self.of, computed.address, errors))
        return errors[: self.count()]

    def judge(self, computed: operands.Operand, limit: typing.Optional[Limit]) -> library.Verdict:
        verdict = library.Verdict()
        text = None if limit is None else text_of(str(limit), "a limit")
        library.check(library.library().ulpscope_judge(self.of, computed.address, text, verdict))
        return verdict


class Statistic(Problem):
    """Of all of x, or along an axis as NumPy has it; y has the shape of x."""

    def __init__(self, operation: int, x: ArrayLike, y: ArrayLike = None, added: typing.Optional[str] = None,
                 format: typing.Optional[str] = None, ddof: int = 0, axis: Axis = None, keepdims: bool = False) -> None:
        given = [operands.operand(array, name) for array, name in ([(x, "x")] if y is None else [(x, "x"), (y, "weights")])]
        shape = given[0].shape
        if given[-1].shape != shape:
            raise ValueError(f"weights: expected the shape of x, {shape}, found {given[-1].shape}")
        divisor = operator.index(ddof)
        if divisor < 0:
            raise ValueError(f"ddof: expected 0 or more, found {ddof!r}")
        axes = operands.axes_of(axis, len(shape))
        self.operands = [operands.along(of, axes) for of in given]
        self.shape = tuple(1 if d in axes else n for d, n in enumerate(shape) if keepdims or d not in axes)
        self.set(operation, added, format)
        self.of.ddof = min(divisor, 2 ** 64 - 1)  # as many elements no array has

    def place(self, row: int, column: int) -> str:
        return f"\n  index: {index_of(row, self.shape)}" if len(self.shape) > 1 else ""


class PerNumber(Problem):
    """With a result for each number of x: its rows lie along an axis, or several, as PyTorch's normalized_shape is of the last."""

    def __init__(self, operation: int, x: ArrayLike, added: typing.Optional[str], axis: Axis) -> None:
        given = operands.operand(x, "x")
        self.shape = given.shape
        self.axes = operands.axes_of(axis, len(self.shape))
        self.operands = [operands.along(given, self.axes)]
        self.set(operation, added, None)

    def results(self, computed: ArrayLike) -> operands.Operand:
        """In the order of rows."""
        return operands.contiguous(operands.along(super().results(computed), self.axes))

    def place(self, row: int, column: int) -> str:
        kept = [d for d in range(len(self.shape)) if d not in self.axes]
        along = dict(zip(self.axes, index_of(column, [self.shape[d] for d in self.axes])))
        along.update(zip(kept, index_of(row, [self.shape[d] for d in kept])))
        return f"\n  index: {[along[d] for d in range(len(self.shape))]}" if len(self.shape) > 1 else ""


def index_of(place: int, shape: typing.Sequence[int]) -> typing.List[int]:
    return [place // math.prod(shape[d + 1:]) % n for d, n in enumerate(shape)]


def text_of(text: str, what: str) -> bytes:
    """For C, which would take what stands before a NUL for the whole."""
    if not isinstance(text, str):
        raise TypeError(f"expected the text of {what}, found {text!r}")
    if not text.isprintable():
        raise ValueError(f"expected the text of {what}, found {text!r}")
    return text.encode()


# ---- numbers ----

def exact_sum(x: ArrayLike, format: str = "binary64") -> float:
    """The exact sum, rounded once to the format: math.fsum, of any array."""
    return float(Problem(library.SUM, x, format=format).values()[0].nearest)


def exact_dot(x: ArrayLike, y: ArrayLike, format: str = "binary64") -> float:
    """The exact dot product, rounded once to the format."""
    return float(Problem(library.DOT, x, y, format=format).values()[0].nearest)


def exact_mean(x: ArrayLike, axis: Axis = None, format: str = "binary64") -> Numbers:
    """The exact mean, rounded once to the format, also where the sum is out of range; along an axis lists of them.  nan of no
    number."""
    return nearest(Statistic(library.MEAN, x, format=format, axis=axis))


def exact_var(x: ArrayLike, ddof: int = 0, axis: Axis = None, format: str = "binary64") -> Numbers:
    """The exact sum of (x - mean)^2, divided by n - ddof, rounded once to the format.  nan where n <= ddof."""
    return nearest(Statistic(library.VARIANCE, x, format=format, ddof=ddof, axis=axis))


def exact_std(x: ArrayLike, ddof: int = 0, axis: Axis = None, format: str = "binary64") -> Numbers:
    """The root of that, rounded once."""
    return nearest(Statistic(library.STD, x, format=format, ddof=ddof, axis=axis))


def nearest(problem: Problem) -> Numbers:
    return problem.shaped([value.nearest for value in problem.values()])


def ulp_error(result: ArrayLike, x: ArrayLike, y: ArrayLike = None) -> Numbers:
    """|result - exact| in units of the last place of the result's format; of rows and products one for each result."""
    problem = Problem(0, x, y)
    return problem.shaped([error.ulp_error for error in problem.errors(problem.results(result))])


def condition(x: ArrayLike, y: ArrayLike = None) -> Numbers:
    """sum |x_i| / |sum x_i|, rounded up: how much the numbers cancel; inf for an exact sum of 0."""
    problem = Problem(0, x, y)
    return problem.shaped([value.condition for value in problem.values()])


def bound(x: ArrayLike, y: ArrayLike = None, accumulator: typing.Optional[str] = None, height: typing.Optional[int] = None,
          added: typing.Optional[str] = None, format: typing.Optional[str] = None) -> Numbers:
    """The bound of |result - exact| of plain addition in any order, for a finite result; or, of sums alone, of an accumulator
    (`ulpscope list methods`) in a tree of a height, the most additions between an element and the result: n - 1 without one.
    docs/bounds.md"""
    problem = Problem(0, x, y, added, format)
    if accumulator is None:
        if height is not None:
            raise ValueError("expected an accumulator beside a height, found none: the bound of any order has the highest tree")
        zeros = ctypes.create_string_buffer(8 * max(problem.count(), 1))
        of = operands.Operand(problem.format, ctypes.addressof(zeros), problem.shape, (), zeros)
        return problem.shaped([error.bound for error in problem.errors(of)])
    n = problem.operands[0].shape[-1]
    stored = {problem.format, *(of.format for of in problem.operands)}
    added = operands.usual(added) or ("binary64" if "binary64" in stored else "binary32")
    x_format = problem.operands[0].format
    if y is not None or added not in HOLDING.get(x_format, (x_format, "binary32", "binary64")):
        raise ValueError("expected one array of numbers that the format `added` holds: the bound of an accumulator is of sums; "
                         "leave out the accumulator")
    highest, height = max(n - 1, 0), max(n - 1, 0) if height is None else operator.index(height)
    if not highest.bit_length() <= height <= n:
        raise ValueError(f"expected a height from {highest.bit_length()} to {n}, as trees of {n} elements have, found {height}")
    bounds = [library.library().ulpscope_bound(text_of(accumulator, "an accumulator"), n, height, operands.number_of(added),
                                               problem.of.result, value) for value in problem.values()]
    if any(number != number for number in bounds):
        raise ValueError(f"expected an accumulator of `ulpscope list methods`, found {accumulator!r}")
    return problem.shaped(bounds)


def judge(result: ArrayLike, x: ArrayLike, y: ArrayLike = None, limit: typing.Optional[Limit] = "auto", *,
          added: typing.Optional[str] = None) -> Verdict:
    """All that is known of a result, and whether it keeps a limit; nothing is thrown for one that does not.  limit=None: there is
    none, and everything passes."""
    problem = Problem(0, x, y, added)
    return verdict_of(problem.judge(problem.results(result), limit))


def verdict_of(found: library.Verdict) -> Verdict:
    worst = found.worst
    return Verdict(bool(found.passed), found.count, found.failed, (found.row, found.column), worst.computed, worst.exact.nearest,
                   worst.error, worst.ulp_error, worst.relative_error, worst.backward_error, worst.exact.condition, worst.bound,
                   bool(found.zeros_pass), bool(found.last_dropped_passes), found.words.decode(errors="replace"),
                   found.cause.decode(errors="replace"))


# ---- assertions ----

def assert_sum(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless the result is the sum of x within the limit.

        "auto"    the bound of plain addition in any order, in the format `added`: binary32, or binary64 where x or result is
        "2ulp"    of the result's format        "exact"   correctly rounded
        "1e-6"    relative to |sum x_i|         "1e-6abs" relative to sum |x_i|

    What failed is written to the folder ULPSCOPE_CASES, or else ulpscope-cases/, for `ulpscope blame` and `explain`.  A test that
    can hardly fail gets a VacuousTestWarning.
    """
    __tracebackhide__ = True
    hold(Problem(library.SUM, x, None, added), result, limit)


def assert_dot(result: ArrayLike, x: ArrayLike, y: ArrayLike, limit: Limit = "auto", *,
               added: typing.Optional[str] = None) -> None:
    """The same of the dot product of x and y."""
    __tracebackhide__ = True
    hold(Problem(library.DOT, x, y, added), result, limit)


def assert_rows(results: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, added: typing.Optional[str] = None) -> None:
    """The same of the sums of the rows of x[rows, n]; of columns, give x.T."""
    __tracebackhide__ = True
    hold(Problem(library.ROWS, x, None, added), results, limit)


def assert_matmul(c: ArrayLike, a: ArrayLike, b: ArrayLike, limit: Limit = "auto", *,
                  added: typing.Optional[str] = None) -> None:
    """The same of each element of the product c[rows, columns] of a[rows, n] and b[n, columns]."""
    __tracebackhide__ = True
    hold(Problem(library.MATMUL, a, b, added), c, limit)


def assert_mean(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, weights: ArrayLike = None, axis: Axis = None,
                keepdims: bool = False, added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless the result is the mean of x within the limit (see assert_sum): of all of x, or along an axis.
    axis and keepdims are those of numpy.mean, and say what shape the result has.

        "auto"    the bound of a sum of plain additions in any order, and its division by n
        "1e-6abs" relative to the mean of |x|

    weights: of the shape of x; "auto" is then of the sum of products, divided by that of the weights, which claims nothing where
    weights nearly cancel.  A mean of no number, or whose weights sum to 0, has to be nan.
    """
    __tracebackhide__ = True
    operation = library.MEAN if weights is None else library.MEAN_WEIGHTED
    hold(Statistic(operation, x, weights, added, axis=axis, keepdims=keepdims), result, limit)


def assert_var(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, ddof: int = 0, axis: Axis = None, keepdims: bool = False,
               added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless the result is the variance of x, the sum of (x - mean)^2 divided by n - ddof, within the limit;
    ddof=1 is that of a sample, and PyTorch's default.  Of the unit of x, squared.

        "auto"    the bound of two passes of plain additions in any order, or of Welford's steps: E[x^2] - E[x]^2 is beyond it
                  where the mean is large beside the deviations
        "1e-6abs" relative to the sum of x^2 divided by n - ddof

    The variance of n <= ddof numbers has to be nan.
    """
    __tracebackhide__ = True
    hold(Statistic(library.VARIANCE, x, None, added, ddof=ddof, axis=axis, keepdims=keepdims), result, limit)


def assert_std(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, ddof: int = 0, axis: Axis = None, keepdims: bool = False,
               added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless the result is the standard deviation of x, the root of that variance, within the limit; in the
    unit of x."""
    __tracebackhide__ = True
    hold(Statistic(library.STD, x, None, added, ddof=ddof, axis=axis, keepdims=keepdims), result, limit)


def assert_layer_norm(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, eps: float = 1e-5, axis: Axis = -1,
                      added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless each number of the result is (x - mean) / root(variance + eps) within the limit: of the shape of
    x, mean and variance (ddof=0) along the last axis, or another, or several, as torch.nn.functional.layer_norm has normalized_shape;
    before any weight and bias, which are no part of it: leave them out, or judge what they are done to.

        "auto"    the bound of two passes of plain additions in any order, or of Welford's steps, and of x - mean divided by the
                  root or times its reciprocal, each rounded once: not of E[x^2] - E[x]^2, nor of an rsqrt that approximates
        "1e-6abs" relative to (|x| + mean of |x|) / root(variance + eps)
        "2ulp"    of each element, which one near the mean does not keep

    The worst element is named, and how many are beyond the limit.  All of a row have to be nan where it has a nan or an infinity, or
    where variance + eps is 0.
    """
    __tracebackhide__ = True
    hold(norm(library.LAYER_NORM, x, eps, axis, added), result, limit)


def assert_rms_norm(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, eps: float, axis: Axis = -1,
                    added: typing.Optional[str] = None) -> None:
    """The same of x / root(mean of x^2 + eps).  Libraries differ in the usual eps: say which yours is.  "1e-6abs" is relative to the
    result."""
    __tracebackhide__ = True
    hold(norm(library.RMS_NORM, x, eps, axis, added), result, limit)


def assert_softmax(result: ArrayLike, x: ArrayLike, limit: Limit, *, axis: Axis = -1) -> None:
    """Throws AssertionError unless each number of the result is e^x / sum e^x within the limit: of the shape of x, sums along the last
    axis, or another, or several.

        "4ulp"    of each element        "1e-6"    relative to it
        "exact"   correctly rounded      "auto"    is refused: its bound depends on the algorithm

    The worst element is named, how many are beyond the limit, what its rows sum to, and their largest divergence, sum p ln(p / result)
    over the exact p that do not round to 0.  Where x is -inf, masked, the result has to be 0; all of a row nan where it has a nan or
    inf, or nothing but -inf.
    """
    __tracebackhide__ = True
    hold(PerNumber(library.SOFTMAX, x, None, axis), result, limit)


def assert_log_softmax(result: ArrayLike, x: ArrayLike, limit: Limit, *, axis: Axis = -1) -> None:
    """The same of its logarithm: -inf of a masked x.  "1e-6abs" is relative to max(|exact|, 1)."""
    __tracebackhide__ = True
    hold(PerNumber(library.LOG_SOFTMAX, x, None, axis), result, limit)


def assert_logsumexp(result: ArrayLike, x: ArrayLike, limit: Limit, *, axis: Axis = None, keepdims: bool = False) -> None:
    """Throws AssertionError unless the result is ln sum e^x within the limit: of all of x, or along an axis, with axis and keepdims as
    numpy.sum has them.  "1e-6abs" is relative to max(|M| + ln sum e^(x - M), 1), M being the largest x."""
    __tracebackhide__ = True
    hold(Statistic(library.LOGSUMEXP, x, axis=axis, keepdims=keepdims), result, limit)


def assert_cumsum(result: ArrayLike, x: ArrayLike, limit: Limit = "auto", *, axis: Axis = -1,
                  added: typing.Optional[str] = None) -> None:
    """Throws AssertionError unless each number of the result is the sum of x up to it within the limit (see assert_sum): of the shape
    of x, along the last axis, or another, as numpy.cumsum and torch.cumsum have it.

        "auto"    the bound of plain additions of so many numbers in any order, which every inclusive scan keeps
        "1e-6abs" relative to the sum of |x| up to it

    The first result that is beyond the limit is named, for what is wrong there is carried into all behind it; so is the worst.  Of an
    exclusive scan give result[1:] and x[:-1].
    """
    __tracebackhide__ = True
    hold(PerNumber(library.SCAN, x, added, axis), result, limit)


def assert_rolling(result: ArrayLike, x: ArrayLike, window: int, limit: Limit = "auto", *, axis: Axis = -1,
                   added: typing.Optional[str] = None) -> None:
    """The same of the last `window` numbers up to each, of the first ones fewer: pandas' rolling(window, min_periods=1).sum().  "auto"
    is the bound of a window that is added anew: one that adds the next and subtracts the last number does not keep it."""
    __tracebackhide__ = True
    problem = PerNumber(library.SCAN, x, added, axis)
    problem.of.window = min(operator.index(window), 2 ** 64 - 1)
    if operator.index(window) < 1:
        raise ValueError(f"window: expected 1 or more, found {window!r}")
    hold(problem, result, limit)


def norm(operation: int, x: ArrayLike, eps: float, axis: Axis, added: typing.Optional[str]) -> PerNumber:
    problem = PerNumber(operation, x, added, axis)
    try:
        problem.of.eps = float(eps)
    except OverflowError:
        raise ValueError(f"eps: expected a number of binary64, found {eps!r}") from None
    return problem


def hold(problem: Problem, computed: ArrayLike, limit: Limit) -> None:
    """What every assertion does, which its caller called."""
    __tracebackhide__ = True
    if limit is None:
        raise TypeError('expected a limit such as "2ulp" or "auto", found None')
    results = problem.results(computed)
    verdict = verdict_of(problem.judge(results, limit))
    if not verdict.passed:
        raise AssertionError(f"{verdict.words}{problem.place(*verdict.where)}\n{written_case(problem, results, sys._getframe(2))}")
    if verdict.zeros_pass or verdict.last_dropped_passes:
        obvious = "zeros" if verdict.zeros_pass else "a result without the last element"
        warnings.warn(f"{sys._getframe(1).f_code.co_name} can hardly fail: {obvious} would pass, too; use data on which it fails, or a lower limit",
                      VacuousTestWarning, stacklevel=3)


def written_case(problem: Problem, results: operands.Operand, caller: typing.Any) -> str:
    """Writes the case, and tells where it is and what opens it."""
    folder = os.environ.get("ULPSCOPE_CASES") or "ulpscope-cases"
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    place = test or f"{os.path.basename(caller.f_code.co_filename)}-{caller.f_lineno}"
    path = os.path.join(folder, re.sub(r"[^\w.-]+", "_", place)[-100:])
    try:
        os.makedirs(folder, exist_ok=True)
        return f"  case: {path}; open it with: {write_case(problem, results, path)}"
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        return f"  case not written: {error}"


def write_case(problem: Problem, results: operands.Operand, path: str) -> str:
    """Writes PATH.npy and others, and returns the commands that open them."""
    command = ctypes.create_string_buffer(4096)
    library.check(library.library().ulpscope_write_case(problem.of, results.address, os.fsencode(path), command, len(command)))
    return command.value.decode(errors="replace")
