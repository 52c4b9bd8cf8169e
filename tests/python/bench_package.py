"""Where the time goes: prints, asserts nothing.

    bench_package.py    ULPSCOPE_LIBRARY names the library

Exit status: 77 without NumPy.
"""

import importlib.util
import math
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import ulpscope

if not importlib.util.find_spec("numpy"):
    print("skipped: no NumPy")
    sys.exit(77)
import numpy


def seconds(function, least=0.3):
    """The least of several calls, for `least` seconds or once."""
    best, began = math.inf, time.perf_counter()
    while best == math.inf or time.perf_counter() - began < least:
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


random.seed(1)
print("exact_sum beside math.fsum, binary64: microseconds")
print(f"{'n':>9} {'fsum(list)':>12} {'fsum(array)':>12} {'exact_sum(list)':>16} {'exact_sum(array)':>17} {'of fsum(list)':>14} {'of fsum(array)':>15}")
for n in (100, 10**4, 10**5, 10**6):
    numbers = [random.uniform(-1, 1) * 2.0 ** random.randint(-60, 60) for _ in range(n)]
    x = numpy.array(numbers)
    assert ulpscope.exact_sum(x) == ulpscope.exact_sum(numbers) == math.fsum(numbers)
    times = [1e6 * seconds(function) for function in (lambda: math.fsum(numbers), lambda: math.fsum(x), lambda: ulpscope.exact_sum(numbers),
                                                      lambda: ulpscope.exact_sum(x))]
    print(f"{n:9} {times[0]:12.1f} {times[1]:12.1f} {times[2]:16.1f} {times[3]:17.1f} {times[2] / times[0]:13.2f}x {times[3] / times[1]:14.3f}x")

print("\nassert_sum beside numpy.sum, n = 10^6: microseconds")
for dtype in ("float32", "float64", "float16"):
    x = numpy.random.default_rng(1).standard_normal(10**6).astype(dtype)
    result = x.sum()
    own, held = 1e6 * seconds(lambda: x.sum()), 1e6 * seconds(lambda: ulpscope.assert_sum(result, x))
    print(f"{dtype:>9}: numpy.sum {own:8.1f}, assert_sum {held:8.1f}: {held / own:.2f}x")

print("\nassert_matmul beside A @ B, binary32: seconds")
for n in (256, 512, 1024):
    a, b = (numpy.random.default_rng(seed).standard_normal((n, n)).astype("float32") for seed in (1, 2))
    c = a @ b
    print(f"{n:9}: A @ B {seconds(lambda: a @ b):8.4f}, assert_matmul {seconds(lambda: ulpscope.assert_matmul(c, a, b), 0):8.4f}")
