"""Means, variances and standard deviations of libraries on a CPU.  What is not installed is not declared.

    ULPSCOPE_PYTHON=venv/bin/python ulpscope run host_means.yaml -o out --speed 0
    ULPSCOPE_PYTHON=venv/bin/python ulpscope run host_means.yaml -m "mean:host_means/*" -d uniform:n=4096 --trials 20 --speed 0

A variance divides by n, a sample's by n - 1, a std is a root; which of these a function computes is what it declares.
"""

import importlib
import importlib.util
import os
import statistics

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import ulpscope


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


numpy, pandas, polars, numba, bottleneck, torch, jax = map(
    installed, ("numpy", "pandas", "polars", "numba", "bottleneck", "torch", "jax"))
pyarrow = installed("pyarrow.compute") and installed("pyarrow") if installed("pyarrow") else None

CORRECTLY_ROUNDED = {"of_sum": 1, "of_abs": 0}
BOTH = ("binary32", "binary64")


def every(operation, *formats, **declared):
    """One method of each format."""

    def declare(function):
        for format in formats:
            ulpscope.method(operation, format=format, deterministic=True, **declared)(function)
        return function

    return declare


# ---- Python ----


@every("mean", "binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def statistics_mean(x):
    return statistics.mean(x)


@every("mean", "binary64", arrays="list")
def statistics_fmean(x):
    """statistics.fmean: math.fsum, divided."""
    return statistics.fmean(x)


@every("variance", "binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def statistics_pvariance(x):
    """statistics.pvariance: a fraction, rounded once."""
    return statistics.pvariance(x)


@every("sample_variance", "binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def statistics_variance(x):
    return statistics.variance(x)


@every("std", "binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def statistics_pstdev(x):
    return statistics.pstdev(x)


@every("sample_std", "binary64", arrays="list", bound=CORRECTLY_ROUNDED)
def statistics_stdev(x):
    return statistics.stdev(x)


# ---- NumPy ----

if numpy:

    @every("mean", *BOTH, "binary16")
    def numpy_mean(x):
        return numpy.mean(x)

    @every("mean", *BOTH)
    def numpy_mean_axis0(x):
        """numpy.mean down a column of two."""
        return numpy.mean(numpy.column_stack((x, x)), axis=0)[0]

    @every("mean_weighted", *BOTH)
    def numpy_average(x, w):
        """numpy.average with weights."""
        return numpy.average(x, weights=w)

    @every("variance", *BOTH, "binary16")
    def numpy_var(x):
        return numpy.var(x)

    @every("variance", *BOTH)
    def numpy_var_axis0(x):
        """numpy.var down a column of two."""
        return numpy.var(numpy.column_stack((x, x)), axis=0)[0]

    @every("sample_variance", *BOTH)
    def numpy_var_ddof1(x):
        return numpy.var(x, ddof=1)

    @every("std", *BOTH)
    def numpy_std(x):
        return numpy.std(x)


# ---- tables ----

if pandas:
    pandas.set_option("compute.use_bottleneck", False)

    @every("mean", *BOTH)
    def pandas_mean(x):
        return pandas.Series(x).mean()

    @every("mean", *BOTH)
    def pandas_groupby_mean(x):
        """pandas.Series.groupby.mean, of one group."""
        return pandas.Series(x).groupby(numpy.zeros(len(x), int)).mean().iloc[0]

    @every("variance", *BOTH)
    def pandas_var(x):
        """pandas.Series.var(ddof=0), without Bottleneck."""
        return pandas.Series(x).var(ddof=0)

    @every("variance", *BOTH)
    def pandas_groupby_var(x):
        """pandas.Series.groupby.var(ddof=0), of one group."""
        return pandas.Series(x).groupby(numpy.zeros(len(x), int)).var(ddof=0).iloc[0]

    @every("variance", "binary64")
    def pandas_rolling_var(x):
        """pandas.Series.rolling(n).var(ddof=0), one window."""
        return pandas.Series(x).rolling(len(x)).var(ddof=0).iloc[-1]

    @every("sample_std", *BOTH)
    def pandas_std(x):
        """pandas.Series.std, without Bottleneck."""
        return pandas.Series(x).std()


if bottleneck:

    @every("mean", *BOTH)
    def bottleneck_nanmean(x):
        return bottleneck.nanmean(x)

    @every("variance", *BOTH)
    def bottleneck_nanvar(x):
        """bottleneck.nanvar, which pandas takes where it is installed."""
        return bottleneck.nanvar(x)


if polars:

    @every("mean", *BOTH)
    def polars_mean(x):
        return polars.Series(x).mean()

    @every("variance", *BOTH)
    def polars_var(x):
        """polars.Series.var(ddof=0)."""
        return polars.Series(x).var(ddof=0)

    @every("sample_std", *BOTH)
    def polars_std(x):
        return polars.Series(x).std()


if pyarrow:

    @every("mean", "binary32_to_binary64", "binary64")
    def arrow_mean(x):
        """pyarrow.compute.mean: the result is binary64."""
        return pyarrow.compute.mean(pyarrow.array(x)).as_py()

    @every("variance", "binary32_to_binary64", "binary64")
    def arrow_variance(x):
        """pyarrow.compute.variance: the result is binary64."""
        return pyarrow.compute.variance(pyarrow.array(x)).as_py()


# ---- frameworks ----

if torch:

    @every("mean", *BOTH, "bfloat16", "binary16", arrays="torch")
    def torch_mean(x):
        return torch.mean(x)

    @every("variance", *BOTH, "bfloat16", "binary16", arrays="torch")
    def torch_var(x):
        """torch.var(correction=0) of all elements."""
        return torch.var(x, correction=0)

    @every("variance", *BOTH, arrays="torch")
    def torch_var_row(x):
        """torch.var(dim=-1, correction=0), one of two rows."""
        return torch.var(x.repeat(2, 1), dim=-1, correction=0)[1]

    @every("variance", *BOTH, arrays="torch")
    def torch_var_mean(x):
        """torch.var_mean(correction=0)[0]."""
        return torch.var_mean(x, correction=0)[0]

    @every("sample_std", *BOTH, arrays="torch")
    def torch_std(x):
        return torch.std(x)


if jax:

    @every("mean", *BOTH, "bfloat16", arrays="jax")
    @jax.jit
    def jax_mean(x):
        """jax.jit of jax.numpy.mean."""
        return jax.numpy.mean(x)

    @every("variance", *BOTH, "bfloat16", arrays="jax")
    @jax.jit
    def jax_var(x):
        """jax.jit of jax.numpy.var."""
        return jax.numpy.var(x)


# ---- loops that are compiled ----

if numba:
    numba_var = numba.njit(lambda x: x.var())
    every("variance", *BOTH, claim="x.var() in numba.njit")(numba_var)
    numba_mean = numba.njit(lambda x: x.mean())
    every("mean", *BOTH, claim="x.mean() in numba.njit")(numba_mean)
