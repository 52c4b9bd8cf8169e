"""Sums of Python itself; nothing is imported that has to be installed."""

import math

import ulpscope

__version__ = "1.0"


@ulpscope.method(arrays="list", deterministic=True)
def builtin(x):
    """Python's sum, of binary64"""
    return sum(x)


@ulpscope.method(arrays="list", deterministic=True, bound={"of_sum": 1, "of_abs": 0}, claim="correctly rounded")
@ulpscope.method(arrays="list", format="binary64", deterministic=True, bound={"of_sum": 1, "of_abs": 0})
@ulpscope.method(arrays="list", format="binary16_to_binary32", bound={"of_sum": 1, "of_abs": 0})
@ulpscope.method(arrays="list", format="bfloat16", bound={"of_sum": 1, "of_abs": 0})
@ulpscope.method(arrays="list", format="e4m3", bound={"of_sum": 1, "of_abs": 0})
def fsum(x):
    return math.fsum(x)


@ulpscope.method(arrays="list", format="binary64")
def pairwise(x):
    half = len(x) // 2
    return pairwise(x[:half]) + pairwise(x[half:]) if half else x[0]


@ulpscope.method("dot", arrays="list", format="binary64")
def products(x, y):
    return sum(a * b for a, b in zip(x, y))


@ulpscope.method(arrays="list", rows=True)
def rows(x):
    return [math.fsum(row) for row in x]


@ulpscope.method("norm2", arrays="list", format="binary64", bound="none")
def length(x):
    return math.hypot(*x)


@ulpscope.method("matmul", arrays="list", format="bfloat16_to_binary32")
@ulpscope.method("matmul", arrays="list")
def product(a, b):
    columns = list(zip(*b))
    return [[math.fsum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


@ulpscope.method(arrays="list", lengths=[4, 1024])
def of_two_lengths(x):
    return sum(x)


undeclared = math.fsum
