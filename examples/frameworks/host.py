"""How libraries on a CPU sum.  What is not installed is not declared.

    ULPSCOPE_PYTHON=venv/bin/python ulpscope run host.yaml -o out
"""

import importlib
import importlib.util
import math

import ulpscope


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


numpy, pandas, polars, numba, bottleneck = map(installed, ("numpy", "pandas", "polars", "numba", "bottleneck"))
pyarrow = installed("pyarrow.compute") and installed("pyarrow") if installed("pyarrow") else None

CORRECTLY_ROUNDED = {"of_sum": 1, "of_abs": 0}


def every(*formats, **declared):
    """One method of each format."""

    def declare(function):
        for format in formats:
            ulpscope.method(format=format, deterministic=True, **declared)(function)
        return function

    return declare


# ---- Python ----


@every("binary64", arrays="list")
def builtin_sum(x):
    """sum(): from left to right; since Python 3.12 with Neumaier's correction."""
    return sum(x)


@every("binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def fsum(x):
    """math.fsum: Shewchuk's partial sums, rounded once."""
    return math.fsum(x)


if hasattr(math, "sumprod"):

    @every("binary64", arrays="list")
    def sumprod(x):
        """math.sumprod with ones: three numbers of binary64 as one."""
        return math.sumprod(x, [1.0] * len(x))


# ---- NumPy ----

if numpy:

    @every("binary32", "binary64", "binary16")
    def numpy_sum(x):
        return numpy.sum(x)

    @every("binary32", "binary64", "binary16_in_binary16")
    def numpy_axis0(x):
        """numpy.add.reduce down a column of two."""
        return numpy.add.reduce(numpy.column_stack((x, x)), axis=0)[0]

    @every("binary32", "binary64", "binary16_in_binary16")
    def numpy_cumsum(x):
        """The last of numpy.cumsum."""
        return numpy.cumsum(x)[-1]

    @every("binary32", "binary64", "binary16")
    def numpy_dot(x):
        """numpy.dot with ones: the BLAS that NumPy comes with, but for binary16."""
        return numpy.dot(x, numpy.ones_like(x))

    @every("binary32", "binary64")
    def numpy_einsum(x):
        return numpy.einsum("i->", x)


# ---- tables ----

if pandas:

    @every("binary32", "binary64")
    def pandas_sum(x):
        return pandas.Series(x).sum()

    @every("binary32", "binary64")
    def pandas_groupby(x):
        """pandas.Series.groupby.sum, of one group."""
        return pandas.Series(x).groupby(numpy.zeros(len(x), int)).sum().iloc[0]


if bottleneck:

    @every("binary32", "binary64")
    def bottleneck_nansum(x):
        return bottleneck.nansum(x)


if polars:

    @every("binary32", "binary64")
    def polars_sum(x):
        return polars.Series(x).sum()


if pyarrow:

    @every("binary32_to_binary64", "binary64")
    def arrow_sum(x):
        """pyarrow.compute.sum: the result is binary64."""
        return pyarrow.compute.sum(pyarrow.array(x)).as_py()


# ---- loops that are compiled ----


def loop(x):
    total = x[0]
    for i in range(1, len(x)):
        total += x[i]
    return total


if numba:
    numba_loop = numba.njit(loop)
    numba_fastmath = numba.njit(fastmath=True)(loop)
    every("binary32", "binary64", claim="A loop, compiled by numba.njit")(numba_loop)
    every("binary32", "binary64", claim="The same loop with fastmath=True")(numba_fastmath)
