"""Hostile arguments of every public function: each call returns, or throws what docs/python.md says.

    test_hostile.py CALLS PROGRAM    each function so often, `data` a tenth of it; ULPSCOPE_LIBRARY names the library
"""

import array
import ctypes
import decimal
import fractions
import inspect
import os
import random
import sys
import tempfile
import warnings

from exactly import Fake

import ulpscope

CALLS, os.environ["ULPSCOPE_PROGRAM"] = int(sys.argv[1]), os.path.abspath(sys.argv[2])
NAN, INF = float("nan"), float("inf")
warnings.simplefilter("ignore")

itself = []
itself.append(itself)
released = memoryview(bytearray(8))
released.release()
four = b"\0\0\x80?" * 4
HOSTILE = [
    None, True, False, ..., NotImplemented, object(), Exception, len, lambda x: x,
    0, 1, -1, 2, 3, 7, 2**31, 2**32, 2**53 + 1, -(2**63), 2**63, 2**64 - 1, 2**64, 10**400, -(10**400),
    0.0, -0.0, 0.5, 1.5, 5e-324, 1e308, NAN, INF, -INF, 1j, fractions.Fraction(1, 3), fractions.Fraction(10**400),
    decimal.Decimal("0.1"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), decimal.Decimal("1e999"),
    "", "x", "auto", "2ulp", "exact", "1e-6abs", "2ulp\0", "\0", "\ud800", "ü", "plain", "kahan", "plain\0", "binary64", "binary32",
    "binary16", "bfloat16", "e4m3", "binary32 ", "--help", "-", "uniform", "uniform:n=4", "uniform:n=3::normal", "x" * 200_000,
    b"", b"auto", bytes(16), bytearray(16), memoryview(bytes(16)), released, memoryview(array.array("d", range(12))).cast("B").cast("d", (2, 3, 2)),
    array.array("d", [1, 2]), array.array("f"), array.array("i", [1]), (ctypes.c_double * 2)(1, 2), (ctypes.c_int * 2)(), (ctypes.c_double * 2 * 2)(),
    [], [[]], [[], []], [1], [1.0], [[1.0]], [[1.0, 2.0], [3.0]], [1.0, [2.0]], [[1.0], 2.0], [None], ["1"], [1j], [10**400], [2**53 + 1],
    [decimal.Decimal("0.1")], [fractions.Fraction(1, 3)], [True], [NAN, INF], [1e308, 1e308], [[1e308] * 3] * 3, itself, (), (1.0, 2.0), {}, {1: 2},
    {"of_sum": 1, "of_abs": 0}, {"of_sum": "1", "of_abs": NAN}, set(), {1.0}, range(3), iter([1.0]), (n for n in (1, 2)),
    Fake("binary32", four, ()), Fake("binary32", four, (4,)), Fake("binary32", four, (1, 2, 2)), Fake("binary32", four, (-1,)),
    Fake("binary32", four, (-1, -1)), Fake("binary32", four, (2, 2), (-1, 1), 4), Fake("e4m3", four, (4, 4)), Fake("binary32", four, (4,), device=2),
    Fake("binary32", four, (4,), code=(7, 99)), Fake("binary32", four, (4,), lanes=0),
]
SANE = {
    "x": [[1.0, 2.0, 3.0], [[1.0, 2.0], [3.0, 4.0]]], "y": [[1.0, 2.0, 3.0], [[1.0], [2.0]]], "a": [[[1.0, 2.0]]], "b": [[[1.0], [2.0]]],
    "c": [[[5.0]]], "result": [6.0, 14.0, 2.0, 1.0, [3.0, 7.0]], "results": [[3.0, 7.0]], "limit": ["auto", "2ulp", 1e-6], "added": ["binary32"],
    "format": ["binary32"], "accumulator": ["plain", "kahan"], "height": [2, 3], "spec": ["uniform:n=3"], "seed": [1], "trial": [0],
    "matrix": [False], "operation": ["sum", "dot"], "arrays": ["list"], "bound": ["none"], "lengths": [[3]], "deterministic": [True], "claim": ["mine"],
    "weights": [None, [1.0, 2.0, 3.0]], "axis": [None, 0, -1, (0, 1)], "keepdims": [False, True], "ddof": [0, 1], "eps": [1e-5],
    "methods": ["naive", ["kahan/serial", "naive"]], "window": [1, 2], "rows": [False], "data": ["uniform:n=3", [1.0, 2.0]],
    "assert_var result": [1.0, 2 / 3], "assert_std result": [1.0, (2 / 3) ** 0.5],
    "assert_layer_norm result": [[-1.2247356859083902, 0.0, 1.2247356859083902]],
    "assert_cumsum result": [[1.0, 3.0, 6.0]], "assert_rolling result": [[1.0, 3.0, 5.0]],
    "assert_softmax result": [[0.09003057317038046, 0.24472847105479767, 0.6652409557748219]],
    "assert_log_softmax result": [[-2.40760596444438, -1.4076059644443804, -0.4076059644443803]],
    "assert_logsumexp result": [3.40760596444438],
    "assert_rms_norm result": [[0.4629095539120194, 0.9258191078240388, 1.3887286617360581]],
}
BY_PROGRAM = ("data", "tolerance")
THROWN = {**dict.fromkeys(BY_PROGRAM, (TypeError, ValueError, ImportError)), "method": (TypeError, ValueError), "run": (TypeError, ValueError, RuntimeError)}
NAMES = [name for name in ulpscope.__all__ if name not in ("ProgramMissing", "Tolerance", "VacuousTestWarning", "Verdict", *ulpscope.ANSWERS)]


def drawn(function, parameter):
    if random.random() < 0.6:
        return random.choice(SANE.get(f"{function} {parameter.name}") or SANE[parameter.name])
    return random.choice(HOSTILE)


def call(name, function):
    """"returned", the name of what docs/python.md allows, or a description of what it does not."""
    thrown = THROWN.get(name, (TypeError, ValueError) + ((AssertionError,) if name.startswith("assert_") else ()))
    given = {parameter.name: drawn(name, parameter) for parameter in inspect.signature(function).parameters.values()
             if parameter.kind != parameter.VAR_KEYWORD and (parameter.default is inspect.Parameter.empty or random.random() < 0.5)}
    try:
        made = function(**given)
        if name == "method" and callable(made) and made is not given.get("operation"):
            made(random.choice([len, random.choice(HOSTILE)]))
    except thrown as error:
        return next(kind.__name__ for kind in thrown if isinstance(error, kind))
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]} of {str(given)[:300]}"
    return "returned"


def calls_of(name, function, count):
    """How often each of them."""
    found = {}
    for _ in range(count):
        outcome = call(name, function)
        found[outcome] = found.get(outcome, 0) + 1
    return found


# What stands in docs/python.md and docs/plugins.md.
DEFAULTS = {
    **{name: {"limit": "auto", "added": None} for name in ("assert_dot", "assert_matmul", "assert_rows", "assert_sum")},
    "assert_mean": {"limit": "auto", "weights": None, "axis": None, "keepdims": False, "added": None},
    **{name: {"limit": "auto", "ddof": 0, "axis": None, "keepdims": False, "added": None} for name in ("assert_var", "assert_std")},
    "assert_layer_norm": {"limit": "auto", "eps": 1e-5, "axis": -1, "added": None},
    **dict.fromkeys(("assert_rms_norm", "assert_cumsum", "assert_rolling"), {"limit": "auto", "axis": -1, "added": None}),
    **dict.fromkeys(("assert_softmax", "assert_log_softmax"), {"axis": -1}), "assert_logsumexp": {"axis": None, "keepdims": False},
    "exact_mean": {"axis": None, "format": "binary64"},
    **{name: {"ddof": 0, "axis": None, "format": "binary64"} for name in ("exact_var", "exact_std")},
    "bound": dict.fromkeys(("y", "accumulator", "height", "added", "format")), "condition": {"y": None}, "ulp_error": {"y": None},
    "data": {"seed": 1, "trial": 0, "format": None, "matrix": False}, "exact_dot": {"format": "binary64"}, "exact_sum": {"format": "binary64"},
    "judge": {"y": None, "limit": "auto", "added": None},
    "method": {"operation": "sum", "format": "binary32", "arrays": "numpy", "deterministic": False, "bound": "any_order", "lengths": None,
               "claim": None, "rows": False},
    "tolerance": {"data": None},
}


def few(methods, data):
    return ulpscope.run(methods, data, quiet=True, trials=1, speed=0, permutations=0)


random.seed(39)
failures = calls = 0
for name in NAMES:
    found = {key: one.default for key, one in inspect.signature(getattr(ulpscope, name)).parameters.items() if one.default is not one.empty}
    failures += found != DEFAULTS[name]
    print("ok   " if found == DEFAULTS[name] else "FAIL ", "the defaults of", name, found)
with tempfile.TemporaryDirectory(prefix="ulpscope_hostile.") as folder:
    os.chdir(folder)
    for name in NAMES:
        found = calls_of(name, getattr(ulpscope, name), CALLS // 10 if name in BY_PROGRAM else CALLS)
        calls += sum(found.values())
        strange = [outcome for outcome in found if ":" in outcome]
        returned, refused = found.get("returned", 0), found.get("TypeError", 0) + found.get("ValueError", 0)
        fine = not strange and min(returned, refused) >= CALLS // 200
        failures += not fine
        print("ok   " if fine else "FAIL ", name, {outcome: count for outcome, count in found.items() if outcome not in strange})
        print(*(f"       {outcome}\n" for outcome in strange[:5]), sep="", end="")
    found = calls_of("run", few, CALLS // 20)
    fine = {"returned", "TypeError", "ValueError"} <= set(found) <= {"returned", "TypeError", "ValueError", "RuntimeError"}
    failures += not fine
    print("ok   " if fine else "FAIL ", "run", found)
    os.chdir("/")

expected = CALLS * (len(NAMES) - 2) + CALLS // 10 * 2
print(f"{calls} calls of {len(NAMES)} functions, {failures} failures")


def overflowing(x):
    return float(10**400 if x is None else 0)


# The twin: a function that lets an OverflowError through is found.
twin = calls_of("exact_sum", overflowing, 1000)
sys.exit(failures > 0 or calls != expected or len(NAMES) != 26 or not any(outcome.startswith("OverflowError") for outcome in twin))
