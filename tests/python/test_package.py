"""The package over libulpscope: arrays of every kind, exceptions, warnings, cases.

    test_package.py SOURCE_DIRECTORY    ULPSCOPE_LIBRARY names the library

What is not installed (NumPy, ml_dtypes, PyTorch, jax) is said, and left out.
"""

import array
import ctypes
import decimal
import fractions
import importlib
import importlib.util
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import warnings

from exactly import Fake

import ulpscope

SOURCE = pathlib.Path(sys.argv[1]).resolve()
failures = 0
warnings.simplefilter("ignore")
folder = tempfile.TemporaryDirectory(prefix="ulpscope_package.")
os.chdir(folder.name)


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except BaseException as error:
        found = f"{type(error).__name__}: {error}"
        say(type(error) is kind and re.search(words, str(error), re.S), f"{kind.__name__}: {words}", found)
        return str(error)
    say(False, f"{kind.__name__}: {words}", "nothing was raised")
    return ""


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print("     ", name, "is not installed")
        return None


def told(function, *arguments, **named):
    """The warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        function(*arguments, **named)
    return caught


# ---- values ----
random.seed(1)
for n in (0, 1, 2, 10, 1000, 100_000):
    x = [random.uniform(-1, 1) * 2.0 ** random.randint(-60, 60) for _ in range(n)]
    say(ulpscope.exact_sum(x) == math.fsum(x), f"exact_sum of {n} numbers is math.fsum's")
y = [random.random() for _ in range(100)]
exact = sum(fractions.Fraction(a) * fractions.Fraction(b) for a, b in zip(y, y[::-1]))
say(ulpscope.exact_dot(y, y[::-1]) == float(exact), "exact_dot")
say(ulpscope.exact_sum([2**24, 1], format="binary32") == 2**24, "exact_sum rounded to binary32")
say(ulpscope.ulp_error(1.0 + 2**-51, [1.0]) == 2, "ulp_error")
say(ulpscope.ulp_error([1.0, 3.0], [[0.5, 0.5], [1, 2]]) == [0, 0], "ulp_error of rows")
say(ulpscope.ulp_error([[1.0, 2.0]], [[1, 0]], [[1, 2], [3, 4]]) == [[0, 0]], "ulp_error of a product")
say(ulpscope.bound([math.nan, 1.0]) == ulpscope.bound([math.inf, 1.0], accumulator="plain") == math.inf, "no bound of what is no number")
say(ulpscope.condition([3.0, -1.0]) == 2 and ulpscope.condition([1.0, -1.0]) == math.inf, "condition")
say(ulpscope.bound(y, accumulator="kahan") < ulpscope.bound(y), "kahan's bound is less than plain addition's")
say(ulpscope.bound(y, accumulator="plain", height=7) < ulpscope.bound(y), "so is that of a tree")
for n in (2, 3, 10):
    tie = [1.0] + [2.0**-53] * (n - 1)
    error = float(abs(fractions.Fraction(sum(tie)) - sum(map(fractions.Fraction, tie))))
    say(0 < error <= ulpscope.bound(tie, accumulator="plain"), f"a loop over {n} numbers keeps the bound without a height", error)
    say(error > ulpscope.bound(tie, accumulator="plain", height=n - 2) if n > 3 else True, "and not that of a lower tree")
verdict = ulpscope.judge(sum(y), y)
say(verdict.passed and verdict.exact == math.fsum(y) and verdict.ulp_error <= 50 and verdict.words, "judge", verdict)
found = ulpscope.judge([3.0, 2.0], [[3.0, -1.0], [1.0, 1.0]])
say((found.failed, found.count, found.where, found.computed, found.exact, found.error, found.ulp_error, found.relative_error, found.backward_error,
     found.condition, found.zeros_pass, found.last_dropped_passes) == (1, 2, (0, 0), 3.0, 2.0, 1.0, 2.0**51, 0.5, 0.25, 2.0, False, False),
    "each number of a verdict has its name", found)
found = ulpscope.judge([[1.0, 2.0, 4.0], [1.0, 2.0, 3.0]], [[1.0], [1.0]], [[1.0, 2.0, 3.0]])
say((found.failed, found.count, found.where, found.computed, found.exact) == (1, 6, (0, 2), 4.0, 3.0), "row and column of the worst", found)
for wrong, limit in ((0.0, ()), (math.nan, ()), (3.5, ("exact",))):
    say(not ulpscope.judge(wrong, [1.0, 2.0], None, *limit).passed, f"judge of {wrong}: the limit is auto, as that of assertions")
    say(ulpscope.judge(wrong, [1.0, 2.0], limit=None).passed, "without a limit everything passes")

# ---- defaults ----
tie, ones = [1.0] + [2.0**-53] * 9, [1.0] * 10  # 1.0 is 4.5 ulp off, which is its bound
for check, computed, zero, arguments in ((ulpscope.assert_sum, 1.0, 0.0, (tie,)), (ulpscope.assert_dot, 1.0, 0.0, (tie, ones)),
                                         (ulpscope.assert_rows, [1.0], [0.0], ([tie],)),
                                         (ulpscope.assert_matmul, [[1.0]], [[0.0]], ([tie], [[1.0]] * 10))):
    check(computed, *arguments)
    raises(AssertionError, "4.5 ulp, limit 4 ulp", check, computed, *arguments, "4ulp")
    raises(AssertionError, "limit .* bound", check, zero, *arguments)
third = [1.0, 2.0**-30]
say([ulpscope.exact_sum(third), ulpscope.exact_dot(third, [1.0, 1.0])] == [1 + 2.0**-30] * 2, "exact sums are rounded to binary64 unless another format is named")

# ---- arrays ----
x32 = array.array("f", [0.1, 0.2, 0.3, 0.4])
total32 = float(sum(fractions.Fraction(number) for number in x32))
say(ulpscope.exact_sum(x32) == total32, "array.array")
say(ulpscope.exact_sum(memoryview(x32)[::-2]) == float(fractions.Fraction(x32[3]) + fractions.Fraction(x32[1])), "a reversed memoryview")
say(ulpscope.exact_sum(memoryview(x32.tobytes()).cast("f")) == total32, "a buffer that cannot be written to")
say(ulpscope.exact_sum((ctypes.c_double * 3)(1, 2, 3)) == 6, "an array of ctypes")
say(ulpscope.exact_sum(memoryview(struct.pack("<2e", 1, 2)).cast("e") if sys.version_info >= (3, 12) else [1, 2]) == 3, "binary16 of a buffer")
other = "__ctype_be__" if sys.byteorder == "little" else "__ctype_le__"
raises(TypeError, "in the other byte order", ulpscope.exact_sum, (getattr(ctypes.c_double, other) * 2)(1, 2))
data = struct.pack("<4f", 1, 2, 3, 4)
say(ulpscope.ulp_error(Fake("binary32", data, (2,), (2,)), [[1.0, 0.0], [1.0, 2.0]]) == [0, 0], "results with strides")
say(ulpscope.ulp_error(Fake("binary32", data, (2, 2), (1, 2)), [[1.0, 0.0], [0.0, 1.0]], [[1.0, 3.0], [2.0, 4.0]]) == [[0, 0]] * 2, "results column after column")
say(ulpscope.exact_sum(Fake("binary32", data, (4,))) == 10, "DLPack without strides")
say(ulpscope.exact_sum(Fake("binary32", data, (2,), (2,), 4)) == 6, "DLPack with strides and an offset")
say(ulpscope.exact_sum(Fake("binary32", data, (4,), (-1,), 12)) == 10, "DLPack, reversed")
say(ulpscope.exact_sum(Fake("bfloat16", bytes.fromhex("803f0040"), (2,))) == 3, "DLPack, bfloat16")
say(ulpscope.exact_sum(Fake("e4m3", bytes.fromhex("3840"), (2,))) == 3, "DLPack, e4m3")
say(ulpscope.exact_sum(Fake("e5m2", bytes.fromhex("3c40"), (2,))) == 3, "DLPack, e5m2")
say(ulpscope.ulp_error([3.0, 7.0], Fake("binary32", data, (2, 2))) == [0, 0], "DLPack, rows")
say(ulpscope.ulp_error([4.0, 6.0], Fake("binary32", data, (2, 2), (1, 2))) == [0, 0], "DLPack, columns")
raises(TypeError, "on a device", ulpscope.exact_sum, Fake("binary32", data, (4,), device=2))
raises(TypeError, "type 0 with 32 bits", ulpscope.exact_sum, Fake("binary32", data, (4,), code=(0, 32)))
raises(TypeError, "2 lanes", ulpscope.exact_sum, Fake("binary32", data, (2,), lanes=2))

numpy, ml_dtypes, torch, jax = map(installed, ("numpy", "ml_dtypes", "torch", "jax"))
if numpy:
    for dtype in ("float64", "float32", "float16"):
        x = numpy.arange(24, dtype=dtype).reshape(4, 6)
        say(ulpscope.exact_sum(x[1, ::-2]) == 27, f"{dtype} of NumPy, with strides")
        say(ulpscope.ulp_error(x.sum(axis=0), x.T) == [0] * 6, f"{dtype} of NumPy, transposed")
        ulpscope.assert_matmul(x @ x.T, x, x.T)
        ulpscope.assert_matmul((x @ x.T).T, x, x.T)  # the result is not contiguous, and symmetric
        ulpscope.assert_sum(x[1].sum(), x[1])
        ulpscope.assert_sum(float(x[1].sum()), x[1])
        ulpscope.assert_rows(x.sum(axis=1), x)
        ulpscope.assert_dot(numpy.dot(x[0], x[1]), x[0], x[1])
    say(ulpscope.exact_sum(numpy.arange(4, dtype=">f4")) == 6, "the other byte order")
    say(ulpscope.exact_sum(numpy.broadcast_to(numpy.float32(0.5), (6,))) == 3, "a stride of 0")
    say(ulpscope.exact_sum(numpy.empty(0, "float32")) == 0, "no elements")
    say(ulpscope.exact_sum(numpy.frombuffer(bytes(9), "uint8")[1:].view("float64")) == 0, "misaligned")
    for dtype in ("int64", "bool", "complex64", "longdouble", "object", "str"):
        raises(TypeError, f"x: expected numbers of float64.*found {numpy.dtype(dtype).name}", ulpscope.exact_sum, numpy.zeros(3, dtype))
    raises(TypeError, "found complex64; take x.real or x.imag$", ulpscope.exact_sum, numpy.zeros(3, "complex64"))
    raises(TypeError, "a mask", ulpscope.exact_sum, numpy.ma.array([1.0, 2.0], mask=[0, 1]))
    raises(ValueError, "x: expected 1 dimension for a sum, found shape \\(2, 2\\)", ulpscope.exact_sum, numpy.zeros((2, 2)))
    raises(ValueError, "x: expected 1 dimension for a sum, found shape \\(\\)", ulpscope.exact_sum, numpy.zeros(()))
    raises(ValueError, "result: expected shape \\(3,\\), found \\(2,\\)", ulpscope.assert_rows, numpy.zeros(2), numpy.zeros((3, 2)))
    raises(TypeError, "result: expected .* found int64", ulpscope.assert_sum, numpy.int64(3), numpy.zeros(3))
    say(ulpscope.ulp_error(numpy.float32(1), [1.0, 2**-60]) < 1e-9, "a result has a format of its own")
if ml_dtypes:
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        x = numpy.array([1, 2, 4, 8], getattr(ml_dtypes, name))
        say(ulpscope.exact_sum(x[::2]) == 5, f"{name} of ml_dtypes")
    x = numpy.full(1000, 0.1, ml_dtypes.bfloat16)
    ulpscope.assert_sum(x.astype("float32").sum().astype(ml_dtypes.bfloat16), x)
    stagnated = ml_dtypes.bfloat16(0)
    for number in x:
        stagnated = stagnated + number
    raises(AssertionError, "ulp", ulpscope.assert_sum, stagnated, x)
    ulpscope.assert_sum(stagnated, x, added="bfloat16")
    raises(TypeError, "result: .*found float8_e5m2", ulpscope.assert_sum, ml_dtypes.float8_e5m2(1), x)
    raises(TypeError, "x: .*found float8_e4m3b11fnuz", ulpscope.exact_sum, numpy.zeros(3, ml_dtypes.float8_e4m3b11fnuz))
if torch:
    for name in ("float64", "float32", "float16", "bfloat16"):
        x = torch.arange(12).reshape(3, 4).to(getattr(torch, name))
        say(ulpscope.exact_sum(x[1, ::2]) == 10, f"{name} of torch")
        ulpscope.assert_rows(x.double().sum(dim=0).to(x.dtype), x.T)
        ulpscope.assert_sum(x[1].double().sum().to(x.dtype), x[1])
    x = torch.rand(100, requires_grad=True)
    ulpscope.assert_sum(x.sum(), x)
    raises(TypeError, "x: .*found int64", ulpscope.exact_sum, torch.arange(3))
    raises(TypeError, "dense", ulpscope.exact_sum, torch.eye(3).to_sparse())
if jax:
    x = jax.numpy.arange(12, dtype="float32").reshape(3, 4)
    ulpscope.assert_matmul(x @ x.T, x, x.T)
    x = jax.numpy.full(100, 0.1, "bfloat16")
    ulpscope.assert_sum(x.sum(), x)

# ---- exceptions ----
raises(TypeError, "x: expected .* found NoneType", ulpscope.exact_sum, None)
raises(TypeError, "x: .*a list that has others", ulpscope.exact_sum, ["1"])
raises(TypeError, "x: .*a buffer of 'i'", ulpscope.exact_sum, array.array("i", [1]))
raises(TypeError, "x: .*a buffer of 'B'", ulpscope.exact_sum, b"12345678")
raises(TypeError, "result: .*found str", ulpscope.assert_sum, "1", [1.0])
raises(TypeError, "result: .*found bool", ulpscope.assert_sum, True, [1.0])
raises(TypeError, "result: .*Fraction", ulpscope.assert_sum, fractions.Fraction(1, 3), [1.0])
raises(ValueError, "rows of one length", ulpscope.assert_rows, [1.0, 2.0], [[1.0], [2.0, 3.0]])
raises(ValueError, "expected 2 dimensions", ulpscope.assert_rows, [1.0], [1.0])
raises(ValueError, "expected", ulpscope.exact_dot, [1.0, 2.0], [1.0])
raises(ValueError, "expected", ulpscope.assert_matmul, [[1.0]], [[1.0, 2.0]], [[1.0]])
raises(ValueError, "expected a format of binary64", ulpscope.exact_sum, [1.0], "float31")
raises(ValueError, "expected a format of binary64", ulpscope.assert_sum, 1.0, [1.0], added="halt")
raises(ValueError, "expected", ulpscope.assert_sum, 1.0, [1.0], "two ulp")
raises(TypeError, "expected a limit", ulpscope.assert_sum, 1.0, [1.0], None)
raises(ValueError, "expected an accumulator", ulpscope.bound, [1.0], accumulator="none_such")
raises(ValueError, "expected an accumulator", ulpscope.bound, [1.0], height=1)
endless = Fake("binary32", data, (1, 2**41), (0, 0)), Fake("binary32", data, (2**41, 1), (0, 0))
raises(MemoryError, "out of memory", ulpscope.condition, *endless)
raises(TypeError, "expected the text of an accumulator, found 7", ulpscope.bound, [1.0], accumulator=7)
raises(ValueError, "expected the text of an accumulator", ulpscope.bound, [1.0], accumulator="plain\0kahan")
raises(ValueError, "expected the text of a limit", ulpscope.judge, 1.0, [1.0], limit="2ulp\0")
for height in (-1, 3, 11, 2**64 - 1, 2**64):
    raises(ValueError, f"expected a height from 4 to 10, as trees of 10 elements have, found {height}", ulpscope.bound, [1.0] * 10, accumulator="plain", height=height)
say([ulpscope.bound([1.0] * n, accumulator="plain") > 0 for n in (0, 1, 2)] == [False, False, True], "the bound of no addition is 0")
raises(ValueError, "is of sums", ulpscope.bound, [1.0], [1.0], accumulator="plain")
raises(ValueError, "is of sums", ulpscope.bound, [1.0], accumulator="plain", added="binary32")
say(ulpscope.bound(x32, accumulator="plain", added="binary64") > 0, "what is added in a wider format has a bound")
for function, arguments in ((ulpscope.exact_sum, ()), (ulpscope.exact_dot, ([1.0, 1.0],)), (ulpscope.condition, ()), (ulpscope.bound, ())):
    for number in (2**53 + 1, decimal.Decimal("0.1"), fractions.Fraction(1, 3)):
        raises(TypeError, f"found {re.escape(repr(number))}, which binary64 does not hold; round it", function, [number, -(2**53)], *arguments)
        function([decimal.Decimal("0.5"), -(2**53)], *arguments)
for function in (ulpscope.judge, ulpscope.ulp_error, ulpscope.assert_sum):
    raises(TypeError, "found 9007199254740993, which binary64 does not hold", function, 1.0, [2**53 + 1, -(2**53)])
    raises(TypeError, "found 9007199254740993; round it", function, 2**53 + 1, [2.0**53])
    function(2**53 + 2, [2.0**53, 2])
raises(TypeError, "found Decimal\\('0.1'\\), which binary64 does not hold", ulpscope.exact_sum, [0.25, decimal.Decimal("0.1")])
raises(TypeError, "found Fraction\\(1, 3\\), which", ulpscope.exact_dot, [1.0], [fractions.Fraction(1, 3)])
raises(TypeError, "result: .*found 9007199254740993, which", ulpscope.assert_rows, [2**53 + 1], [[1.0]])
raises(TypeError, "a number beyond binary64", ulpscope.exact_sum, [10**400])
raises(TypeError, "result: expected a number of binary64 or less", ulpscope.assert_sum, 10**400, [1.0])
say(ulpscope.exact_sum([2**60, True, decimal.Decimal("0.5"), fractions.Fraction(1, 4)]) == 2.0**60, "integers, Decimals and Fractions that binary64 holds are added")
say(ulpscope.exact_sum([1, math.nan]) != ulpscope.exact_sum([1, math.nan]), "a NaN beside an integer is no other number")
raises(AttributeError, "no attribute 'none_such'", lambda: ulpscope.none_such)

# ---- assertions ----
x = [1.0, 2.0, 4.0, 8.0, 0.125]
ulpscope.assert_sum(15.125, x, "exact")
ulpscope.assert_sum(math.fsum(x), x, 1e-15)
ulpscope.assert_dot(sum(a * a for a in x), x, x, "2ulp")
ulpscope.assert_matmul([[5.0]], [[1.0, 2.0]], [[1.0], [2.0]])
raises(AssertionError, "", ulpscope.assert_sum, math.nan, x)
raises(AssertionError, "", ulpscope.assert_sum, math.inf, x)
raises(AssertionError, "", ulpscope.assert_dot, 1.0, x, x)
large, ones = Fake("binary16", bytes.fromhex("ff7b") * 3, (3,)), Fake("binary16", bytes.fromhex("003c") * 3, (3,))
row, column = Fake("binary16", bytes.fromhex("ff7b") * 3, (1, 3)), Fake("binary16", bytes.fromhex("003c") * 3, (3, 1))
for kind, arguments in (("sum", (large,)), ("dot", (large, ones)), ("rows", (row,)), ("matmul", (row, column))):
    shape = {"rows": (1,), "matmul": (1, 1)}.get(kind, (1,))
    getattr(ulpscope, "assert_" + kind)(Fake("binary16", bytes.fromhex("007c"), shape), *arguments)
    for wrong in ("0045", "ff7b", "00fc", "007e"):  # 5, the largest number, -inf, NaN
        raises(AssertionError, "expected inf", getattr(ulpscope, "assert_" + kind), Fake("binary16", bytes.fromhex(wrong), shape), *arguments)
raises(AssertionError, "", ulpscope.assert_rows, [15.125, 1.0], [x, x])
raises(AssertionError, "last element.*case: ulpscope-cases/test_package.py-\\d+; open it with: ulpscope", ulpscope.assert_sum, math.fsum(y[:-1]), y)
say(any(os.scandir("ulpscope-cases")), "a case was written")
os.environ["ULPSCOPE_CASES"] = "elsewhere"
raises(AssertionError, "case: elsewhere/", ulpscope.assert_sum, 15.0, x)
os.environ["ULPSCOPE_CASES"] = "/proc/none"
raises(AssertionError, "case not written: ", ulpscope.assert_sum, 15.0, x)
del os.environ["ULPSCOPE_CASES"]
os.environ["PYTEST_CURRENT_TEST"] = "test_" + 200 * "x" + ".py::test[second] (call)"
raises(AssertionError, "case: ulpscope-cases/x{80,}.py_test_second_; open", ulpscope.assert_sum, 15.0, x)  # the end of a long name tells
del os.environ["PYTEST_CURRENT_TEST"]

# ---- means and variances ----
by_fractions = [[1.0, 2.0, 4.0], [1e308, 1e308, -1e308], [0.1, 0.1, 0.1]]
means = [sum(map(fractions.Fraction, row)) / 3 for row in by_fractions]
say(ulpscope.exact_mean(by_fractions, axis=1) == [float(mean) for mean in means], "exact means, also where the sum is out of range")
say(ulpscope.exact_var(by_fractions, axis=-1) == [14 / 9, math.inf, 0.0] and ulpscope.exact_std([1.0, 2.0, 4.0], ddof=1) == math.sqrt(7 / 3),
    "exact variances and standard deviations")
say(math.isnan(ulpscope.exact_mean([])) and math.isnan(ulpscope.exact_var([1.0], ddof=1)) and ulpscope.exact_var([1.0]) == 0, "what is not defined is nan")
ulpscope.assert_mean(7 / 3, [1.0, 2.0, 4.0])
ulpscope.assert_var([14 / 9, 0.0], [[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]], "1ulp", axis=1)
ulpscope.assert_var([[14 / 9], [0.0]], [[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]], "1ulp", axis=1, keepdims=True)
ulpscope.assert_mean(1.5, [1.0, 3.0], "exact", weights=[3.0, 1.0])
ulpscope.assert_var(math.nan, [1.0], ddof=2**70)
raises(AssertionError, "expected nan", ulpscope.assert_var, 0.0, [1.0], ddof=1)
raises(AssertionError, "expected nan", ulpscope.assert_mean, 0.0, [1.0, 3.0], "1e300", weights=[1.0, -1.0])
raises(AssertionError, "Likely: divided by n, not n - 1.*--operation sample_variance", ulpscope.assert_var, 14 / 9, [1.0, 2.0, 4.0], ddof=1)
raises(AssertionError, "Likely: it is the variance.*--operation std", ulpscope.assert_std, 14 / 9, [1.0, 2.0, 4.0])
raises(AssertionError, "Likely: it is the sum", ulpscope.assert_mean, 7.0, [1.0, 2.0, 4.0])
for kind in (ulpscope.assert_mean, ulpscope.assert_var, ulpscope.assert_std):
    raises(ValueError, "axis: expected different axes of 1 dimensions, found 1", kind, 1.0, [1.0, 2.0], axis=1)
    raises(ValueError, "axis: .*found \\(0, 0\\)", kind, 1.0, [1.0, 2.0], axis=(0, 0))
    raises(TypeError, "integer", kind, 1.0, [1.0, 2.0], axis=0.5)
    raises(ValueError, "result: expected shape \\(1, 2\\), found \\(2,\\)", kind, [1.0, 2.0], [[1.0, 2.0]], axis=0, keepdims=True)
raises(ValueError, "ddof: expected 0 or more", ulpscope.assert_var, 1.0, [1.0, 2.0], ddof=-1)
ulpscope.assert_mean(5 / 3, [1.0, 2.0], weights=[1.0, 2.0])
raises(AssertionError, "limit .*, the bound of plain addition, divided by that of the weights", ulpscope.assert_mean, 1.5, [1.0, 2.0], weights=[1.0, 2.0])
raises(ValueError, "no bound is known of a weighted mean added in a narrower format", ulpscope.assert_mean, 1.0, [1.0, 2.0], weights=[1.0, 2.0],
       added="binary32")
raises(ValueError, "weights: expected the shape of x", ulpscope.assert_mean, 1.0, [1.0, 2.0], weights=[1.0])
if numpy:
    random_numbers, compared = numpy.random.default_rng(47), 0
    for dtype in ("float64", "float32", "float16"):
        whole = (random_numbers.standard_normal((4, 5, 6)) + 2).astype(dtype)
        for x in (whole, whole.T, whole[::-1, ::2, 1:], numpy.asfortranarray(whole), numpy.broadcast_to(whole[0], (2, 5, 6))):
            for axis in (None, 0, 1, 2, -1, (0, 1), (0, 2), (2, 1), (0, 1, 2)):
                for keepdims in (False, True):
                    ulpscope.assert_mean(x.mean(axis=axis, keepdims=keepdims), x, axis=axis, keepdims=keepdims)
                    for ddof in (0, 1):
                        how = {"ddof": ddof, "axis": axis, "keepdims": keepdims}
                        added = "binary16" if dtype == "float16" else None  # in which NumPy subtracts and squares, but not in a mean
                        ulpscope.assert_var(x.var(**how), x, added=added, **how)
                        ulpscope.assert_std(x.std(**how), x, added=added, **how)
                        compared += 1
                exact = ulpscope.exact_mean(x, axis=axis)
                say(numpy.array_equal(numpy.asarray(exact), x.astype("longdouble").mean(axis=axis).astype("float64")) or dtype == "float64",
                    f"exact means of {dtype}, axis {axis}, have the shape of NumPy's", exact)
    say(compared == 3 * 5 * 9 * 4, "NumPy's means and variances keep their bounds", compared)
    x = (random_numbers.standard_normal((3, 500)) + 1e4).astype("float32")
    ulpscope.assert_var(x.var(axis=1), x, axis=1)
    textbook = (x * x).mean(axis=1) - x.mean(axis=1) ** 2  # the twins
    raises(AssertionError, "E\\[x\\^2\\] - E\\[x\\]\\^2", ulpscope.assert_var, textbook, x, axis=1)
    raises(AssertionError, "Likely: divided by n, not", ulpscope.assert_var, x.var(axis=1), x, "1e-4", axis=1, ddof=1)
    raises(AssertionError, "index: \\[1, 2\\]", ulpscope.assert_mean, numpy.array([[0, 0, 0], [0, 0, 1]], "float32"), numpy.zeros((2, 3, 4), "float32"), axis=2)
if torch:
    x = torch.rand(4, 50) + 3
    ulpscope.assert_var(x.var(dim=1), x, ddof=1, axis=1)
    ulpscope.assert_mean(x.mean(dim=0, keepdim=True), x, axis=0, keepdims=True)
    raises(AssertionError, "Likely: divided by n - 1", ulpscope.assert_var, x.var(dim=1), x, axis=1)

# ---- norms: a result for each number ----
norms = [[1.0, 3.0], [5.0, 5.0]]
ulpscope.assert_layer_norm([[-1.0, 1.0], [0.0, 0.0]], norms, "1e-9", eps=1e-12)
ulpscope.assert_layer_norm([[-1.0, 1.0], [math.nan, math.nan]], norms, "exact", eps=0)
ulpscope.assert_rms_norm([1.0, -1.0, 1.0], [3.0, -3.0, 3.0], "exact", eps=0)
ulpscope.assert_rms_norm([math.nan] * 3, [3.0, math.inf, -3.0], eps=1e-6)
raises(AssertionError, "2 of 3 results fail; the worst is 0 in element 0, expected nan", ulpscope.assert_rms_norm, [0.0, math.nan, 0.0], [3.0, math.inf, -3.0], eps=1e-6)
ulpscope.assert_layer_norm([], [])
raises(AssertionError, "2 of 4 results fail; the worst is 0 in row 1, element 0, expected nan", ulpscope.assert_layer_norm,
       [[-1.0, 1.0], [0.0, 0.0]], norms, "1e300", eps=0)
raises(AssertionError, "element 0, expected 0.*index: \\[0, 1\\]", ulpscope.assert_layer_norm, [[-1.0, 0.5], [1.0, 0.0]], [[1.0, 5.0], [3.0, 5.0]], eps=0.1, axis=0)
raises(AssertionError, "of a layer norm with eps 0x1p-1 was computed as", ulpscope.assert_layer_norm, [1.0, 2.0], [1.0, 2.0], eps=0.5)
raises(AssertionError, "Likely: the mean is not subtracted", ulpscope.assert_layer_norm, [1 / math.sqrt(5), 3 / math.sqrt(5)], [1.0, 3.0], "1e-3", eps=0)
raises(ValueError, "an eps of 0 or more, found -1", ulpscope.assert_rms_norm, [1.0], [1.0], eps=-1)
raises(ValueError, "axis: expected different axes of 1 dimensions, found 1", ulpscope.assert_rms_norm, [1.0], [1.0], eps=1, axis=1)
raises(ValueError, "result: expected shape \\(2,\\), found \\(1,\\)", ulpscope.assert_layer_norm, [1.0], [1.0, 2.0])
raises(TypeError, "eps", ulpscope.assert_rms_norm, [1.0], [1.0])
if numpy:
    compared = 0
    for dtype in ("float64", "float32", "float16"):
        whole = (random_numbers.standard_normal((4, 5, 6)) + 2).astype(dtype)
        for x in (whole, whole.T, whole[::-1, ::2, 1:], numpy.asfortranarray(whole)):
            for axis in (-1, 0, 1, (1, 2), (2, 0), None):
                wide = x.astype("float64") if dtype == "float16" else x  # NumPy's float16 adds squares in its own way
                v = wide.var(axis=axis, keepdims=True)
                layer = (wide - wide.mean(axis=axis, keepdims=True)) / numpy.sqrt(v + v.dtype.type(1e-3))
                rms = wide / numpy.sqrt((wide * wide).mean(axis=axis, keepdims=True) + v.dtype.type(1e-3))
                ulpscope.assert_layer_norm(layer.astype(dtype), x, eps=1e-3, axis=axis)
                ulpscope.assert_rms_norm(rms.astype(dtype), x, eps=1e-3, axis=axis)
                layer = layer.astype(dtype)
                layer[1, 2, 3] *= dtype == "float16" and 0.99 or 1 + 1e-4  # the twin
                place = "\\[1, 2, 3\\]"
                raises(AssertionError, f"1 of {x.size} results fail.*index: {place}", ulpscope.assert_layer_norm, layer, x, eps=1e-3, axis=axis)
                compared += 1
    say(compared == 3 * 4 * 6, "norms by NumPy keep their bounds, along every axis", compared)
if torch:
    x = torch.randn(3, 4, 50) + 3
    ulpscope.assert_layer_norm(torch.nn.functional.layer_norm(x, (50,)), x, "1e-5abs")
    ulpscope.assert_layer_norm(torch.nn.functional.layer_norm(x, (4, 50)), x, "1e-5abs", axis=(-2, -1))
    raises(AssertionError, "results fail", ulpscope.assert_layer_norm, torch.nn.functional.layer_norm(x, (50,)), x, "1e-5abs", axis=(-2, -1))

# ---- exponentials ----
logits = [[0.0, math.log(3.0)], [5.0, -math.inf]]
ulpscope.assert_softmax([[0.25, 0.75], [1.0, 0.0]], logits, "2ulp")
ulpscope.assert_softmax([[0.5, 0.5, math.nan], [0.5, 0.5, math.nan]], [[1.0, 7.0, math.nan], [1.0, 7.0, 2.0]], "exact", axis=0)
ulpscope.assert_softmax([math.nan] * 2, [-math.inf] * 2, "exact")
ulpscope.assert_softmax([math.nan] * 2, [1.0, math.inf], "exact")
ulpscope.assert_softmax([], [], "exact")
ulpscope.assert_log_softmax([[-math.log(4.0), math.log(0.75)], [0.0, -math.inf]], logits, "2ulp")
ulpscope.assert_logsumexp([math.log(4.0), 5.0], logits, "1ulp", axis=1)
ulpscope.assert_logsumexp([[math.log(4.0)], [5.0]], logits, "1ulp", axis=1, keepdims=True)
ulpscope.assert_logsumexp(math.nan, [], "exact")
raises(AssertionError, "4 of 4 results fail.*a row does not sum to 1.*rows sum to 1\\+1, divergence -0.693", ulpscope.assert_softmax,
       [0.5] * 4, [1.0] * 4, "2ulp")
raises(AssertionError, "1 of 2 results fail; the worst is 0.5 in element 1, expected 0.75.*rows sum to 1-0.25, divergence 0.304",
       ulpscope.assert_softmax, [0.25, 0.5], logits[0], "2ulp")
raises(AssertionError, "expected nan", ulpscope.assert_softmax, [0.5, 0.5], [-math.inf] * 2, "1e300")
raises(AssertionError, "2 of 2 results fail.*the maximum is not subtracted", ulpscope.assert_softmax, [math.nan] * 2, [1000.0, 1000.0], "1e-3")
raises(AssertionError, "expected -inf", ulpscope.assert_log_softmax, [0.0, -1e300], logits[1], "1e300")
raises(AssertionError, "expected 5.*--operation logsumexp", ulpscope.assert_logsumexp, 5.1, logits[1], "1e-6abs")
raises(ValueError, "the bound of a softmax depends on its algorithm", ulpscope.assert_softmax, [1.0], [1.0], "auto")
raises(TypeError, "limit", ulpscope.assert_softmax, [1.0], [1.0])
if numpy:
    compared = 0
    for dtype, limit in (("float64", "1e-12"), ("float32", "1e-4")):
        for axis in (-1, 0, 1, (1, 2), (2, 0)):
            x = (4 * random_numbers.standard_normal((4, 5, 6))).astype(dtype)
            e = numpy.exp(x - x.max(axis=axis, keepdims=True))
            softmax = e / e.sum(axis=axis, keepdims=True)
            lse = numpy.log(numpy.exp(x).sum(axis=axis, keepdims=True))
            ulpscope.assert_softmax(softmax, x, limit, axis=axis)
            ulpscope.assert_log_softmax(x - lse, x, limit + "abs", axis=axis)
            ulpscope.assert_logsumexp(lse, x, limit + "abs", axis=axis, keepdims=True)
            softmax[1, 2, 3] *= 1 + 1e-3  # the twins
            raises(AssertionError, "1 of 120 results fail.*index: \\[1, 2, 3\\]", ulpscope.assert_softmax, softmax, x, limit, axis=axis)
            raises(AssertionError, "results fail", ulpscope.assert_logsumexp, lse + dtype.count("f"), x, limit + "abs", axis=axis, keepdims=True)
            compared += 1
    say(compared == 10, "exponentials by NumPy are near enough, along every axis", compared)

# ---- scans ----
ulpscope.assert_cumsum([1.0, 3.0, 7.0], [1.0, 2.0, 4.0])
ulpscope.assert_cumsum([[1.0, 2.0], [4.0, 6.0]], [[1.0, 2.0], [3.0, 4.0]], "exact", axis=0)
ulpscope.assert_cumsum([[1.0, 3.0], [6.0, 10.0]], [[1.0, 2.0], [3.0, 4.0]], "exact", axis=None)
ulpscope.assert_cumsum([1.0, math.inf, math.nan], [1.0, math.inf, -math.inf])
ulpscope.assert_rolling([1.0, math.inf, math.inf, 6.0], [1.0, math.inf, 2.0, 4.0], 2, "exact")
ulpscope.assert_rolling([1.0, 3.0], [1.0, 2.0], 10 ** 30, "exact")
ulpscope.assert_cumsum([], [])
raises(AssertionError, "3 of 3 results fail.*Likely: the scan is exclusive.*case: .*ulpscope exact .*--compare=", ulpscope.assert_cumsum, [0.0, 1.0, 3.0], [1.0, 2.0, 4.0])
raises(AssertionError, "2 of 3 results fail; the first and worst is 1 in element 1, expected 3: (?!.*exclusive)", ulpscope.assert_cumsum, [1.0, 1.0, 3.0], [1.0, 2.0, 4.0])
raises(AssertionError, "1 of 4 results fail; .*index: \\[1, 0\\]", ulpscope.assert_cumsum, [[1.0, 2.0], [1.0, 6.0]], [[1.0, 2.0], [3.0, 4.0]], axis=0)
raises(AssertionError, "2 of 3 results fail; the first and worst is 0 in element 1, expected 1: ", ulpscope.assert_rolling, [1e16, 0.0, 1.0], [1e16, 1.0, 2.0], 1)  # by add and subtract
raises(ValueError, "window: expected 1 or more, found 0", ulpscope.assert_rolling, [1.0], [1.0], 0)
raises(TypeError, "window|integer", ulpscope.assert_rolling, [1.0], [1.0], 1.5)
raises(ValueError, "shape", ulpscope.assert_cumsum, [1.0, 3.0], [1.0, 2.0, 4.0])
if numpy:
    x = random_numbers.standard_normal((4, 5, 6)).astype("float32")
    for axis in (0, 1, 2):
        ulpscope.assert_cumsum(numpy.cumsum(x, axis=axis), x, axis=axis)
        raises(AssertionError, "of 120 results fail", ulpscope.assert_cumsum, numpy.cumsum(x, axis=axis), x, axis=axis - 1)  # the twin

x = [1.0, 2.0, 4.0, 8.0, 0.125]
# ---- a test that can hardly fail ----
vacuous = [1.0, -1.0, 2.0**-60]
caught = told(lambda: [ulpscope.assert_sum(2.0**-60, vacuous, "1abs") for _ in range(3)])
say([warning.category for warning in caught] == [ulpscope.VacuousTestWarning], "a vacuous test is warned of once", caught)
say(caught and caught[0].filename == __file__ and "assert_sum can hardly fail: zeros" in str(caught[0].message), "where it stands", caught and caught[0])
caught = told(lambda: ulpscope.assert_sum(15.125, x))
say(not caught, "a test that can fail is not told", caught)
caught = told(lambda: (ulpscope.assert_sum(math.inf, [math.inf, 1.0]), ulpscope.assert_sum(math.nan, [math.inf, -math.inf])))
say(not caught, "nor is one of an infinite sum, or of one that is NaN", caught)
caught = told(lambda: ulpscope.assert_sum(8.0 + 2**-40, [8.0, 2**-40], "1e-6"))
say(len(caught) == 1 and "without the last element" in str(caught[0].message), "that a dropped element would pass is said", caught)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    raises(ulpscope.VacuousTestWarning, "hardly fail", ulpscope.assert_sum, 2.0**-60, vacuous, "1abs")

# ---- the library ----
header = (SOURCE / "include/ulpscope/ulpscope.h").read_text()
say(f'ULPSCOPE_VERSION "{ulpscope.__version__}"' in header, "the package has the version of the library")


def in_new_process(library, version=None):
    code = (f"import ulpscope; ulpscope.__version__ = {version!r} or ulpscope.__version__\n"
            "try: print(ulpscope.exact_sum([1.0]))\nexcept ImportError as error: print(error)")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE / "python"), "ULPSCOPE_LIBRARY": library}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True).stdout


say(in_new_process(os.environ["ULPSCOPE_LIBRARY"]) == "1.0\n", "in a new process")
say("correct ULPSCOPE_LIBRARY" in in_new_process("/none/such.so"), "a library that is missing")
say("found another library" in in_new_process("libc.so.6"), "a library that is another")
say(re.search("expected libulpscope 9.9.9.*found 0.1.0", in_new_process(os.environ["ULPSCOPE_LIBRARY"], "9.9.9")), "another version")

# ---- names ----
say(set(dir(ulpscope)) >= set(ulpscope.__all__) and "importlib" not in dir(ulpscope) and all(hasattr(ulpscope, name) for name in dir(ulpscope)),
    "completion shows the public names, and what is there", dir(ulpscope))
pairs = re.findall(r'\{"(\w+)", "(\w+)"\}', (SOURCE / "src/base/format.c").read_text())
say(len(pairs) == 20 and dict(pairs) == ulpscope.ALIASES, "formats have the names that they have in the program", pairs)
for alias, name in (*pairs, ("half_to_float", "binary16_to_binary32"), ("BF16_in_bf16", "bfloat16_in_bfloat16"), ("binary32", "binary32")):
    declared = ulpscope.declare(len, format=alias)
    say(declared.format == name, f"{alias} is {name}", declared)
    if name in ulpscope.DTYPES and name[0] == "b":
        say(ulpscope.exact_sum([1.0, 2.0**-9], format=alias) == ulpscope.exact_sum([1.0, 2.0**-9], format=name) and
            ulpscope.bound([1.0, 2.0], added=alias) == ulpscope.bound([1.0, 2.0], added=name), f"sums in {alias} are those in {name}")
for alias in ("floot", "float33", "half_in", 32):
    try:
        ulpscope.exact_sum([1.0], format=alias)
        say(False, f"the twin, {alias!r} is refused")
    except (TypeError, ValueError) as error:
        say("expected a format of binary64" in str(error), f"the twin, {alias!r} is refused", error)

# ---- types ----
# Of what needs PyTorch, without it: classes of its are Any then.
with_torch = ["--ignore-missing-imports", "--allow-subclassing-any", "--allow-untyped-decorators"] if importlib.util.find_spec("torch") is None else ["--exclude", "ulpscope/torch/"]
mypy = subprocess.run([sys.executable, "-m", "mypy", "--strict", *with_torch, "--cache-dir", os.devnull, str(SOURCE / "python/ulpscope")], capture_output=True, text=True)
if "No module named mypy" in mypy.stderr:
    print("      mypy is not installed")
else:
    say(mypy.returncode == 0, "mypy --strict", mypy.stdout)
    for name, wrong in (("assert_sum", 0), ("asert_sum", 1)):
        command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "-c", f"import ulpscope\nulpscope.{name}(1.0, [1.0])"]
        mypy = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
        say(mypy.returncode == wrong and mypy.stdout.count('has no attribute "asert_sum"') == wrong, f"mypy on ulpscope.{name}", mypy.stdout)

print(f"{failures} failures")
sys.exit(failures > 0)
