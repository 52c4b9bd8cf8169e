"""Which sum does my framework do?  The sums of what is installed here, on the host and on a GPU; see frameworks.yaml.

    ulpscope plugin check frameworks.py          which there are, and whether they keep their promises
    ulpscope run frameworks.yaml -o out          on data of several conditions
    ulpscope tree --probe frameworks/numpy_sum   in which order it adds
"""

import importlib.util
import math

import ulpscope

EXACT = {"of_sum": 1, "of_abs": 0}


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


# ---- Python ----


@ulpscope.method(arrays="list", format="binary64")
@ulpscope.method(arrays="list")
def builtin(x):
    """sum() of floats, which are binary64; compensated from Python 3.12 on"""
    return sum(x)


@ulpscope.method(arrays="list", format="binary64", bound=EXACT)
@ulpscope.method(arrays="list", bound=EXACT)
def fsum(x):
    """math.fsum, which is exact"""
    return math.fsum(x)


# ---- on the host ----

if has("numpy"):
    import numpy

    @ulpscope.method(format="binary64")
    @ulpscope.method()
    def numpy_sum(x):
        """numpy.sum: pairwise, of blocks of 128 that 8 accumulators add up"""
        return numpy.sum(x)

    @ulpscope.method(format="binary64")
    @ulpscope.method()
    def numpy_cumsum(x):
        """the last of numpy.cumsum"""
        return numpy.cumsum(x)[-1]

    @ulpscope.method()
    def numpy_columns(x):
        """numpy.sum over the first axis of a matrix of two columns"""
        return numpy.sum(numpy.stack([x, x], axis=1), axis=0)[0]

    @ulpscope.method()
    def numpy_dot(x):
        """x @ ones, by the BLAS of numpy"""
        return x @ numpy.ones_like(x)

    @ulpscope.method()
    def numpy_einsum(x):
        return numpy.einsum("i->", x)

    @ulpscope.method()
    def builtin_of_array(x):
        """sum() of an array of numpy"""
        return sum(x)


if has("numpy", "pandas"):
    import pandas

    @ulpscope.method(format="binary64")
    @ulpscope.method()
    def pandas_sum(x):
        return pandas.Series(x).sum()

    @ulpscope.method()
    def pandas_groupby(x):
        """the sum of one group"""
        return pandas.Series(x).groupby(numpy.zeros(len(x), int)).sum().iloc[0]


if has("numpy", "polars"):
    import polars

    @ulpscope.method(format="binary64")
    @ulpscope.method()
    def polars_sum(x):
        return polars.Series(x).sum()


if has("numpy", "pyarrow"):
    import pyarrow
    import pyarrow.compute

    @ulpscope.method(format="binary64")
    @ulpscope.method()
    def arrow_sum(x):
        return pyarrow.compute.sum(pyarrow.array(x)).as_py()


# ---- on the host and on a GPU ----

if has("torch"):
    import torch

    DEVICES = ["torch", "torch:cuda"] if torch.cuda.is_available() else ["torch"]
    FORMATS = ["binary32", "binary16", "bfloat16"]

    def torch_on(arrays):
        """The same functions for each device, named after it."""

        def total(x):
            return x.sum()

        def last_of_cumsum(x):
            return torch.cumsum(x, 0)[-1]

        def of_a_row(x):
            return x.reshape(1, -1).sum(dim=-1)

        for format in FORMATS:
            ulpscope.method(arrays=arrays, format=format, claim="torch.sum")(total)
        ulpscope.method(arrays=arrays, claim="the last of torch.cumsum")(last_of_cumsum)
        ulpscope.method(arrays=arrays, claim="torch.sum over dim=-1")(of_a_row)
        name = arrays.replace(":", "_")
        globals().update({f"{name}_sum": total, f"{name}_cumsum": last_of_cumsum, f"{name}_dim": of_a_row})

    for device in DEVICES:
        torch_on(device)

    if "torch:cuda" in DEVICES and has("triton"):
        compiled = torch.compile(lambda x: x.sum())

        @ulpscope.method(arrays="torch:cuda")
        def torch_compiled(x):
            """torch.sum behind torch.compile"""
            return compiled(x)

        import triton
        import triton.language as tl

        @triton.jit
        def add_block(x, result, n, BLOCK: tl.constexpr):
            total = tl.zeros((BLOCK,), tl.float32)
            for start in range(0, n, BLOCK):
                at = start + tl.arange(0, BLOCK)
                total += tl.load(x + at, mask=at < n, other=0.0)
            tl.store(result, tl.sum(total, 0))

        @ulpscope.method(arrays="torch:cuda", deterministic=True)
        def triton_sum(x):
            """one program of 1024 running sums, then tl.sum"""
            result = torch.empty(1, device=x.device)
            add_block[(1,)](x, result, len(x), BLOCK=1024)
            return result


if has("cupy"):

    @ulpscope.method(arrays="cupy", format="binary16")
    @ulpscope.method(arrays="cupy")
    def cupy_sum(x):
        return x.sum()


if has("jax"):
    import jax

    @ulpscope.method(arrays="jax", format="bfloat16")
    @ulpscope.method(arrays="jax")
    def jax_sum(x):
        """jax.numpy.sum"""
        return jax.numpy.sum(x)
