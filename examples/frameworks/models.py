"""Variances of libraries that mix two formats, which no name of ulpscope's says: written down as loops, and compared.

    venv/bin/python models.py          exit status 1: a library that is here computes something else
"""

import importlib
import importlib.util
import sys

import numpy

f64 = numpy.float64


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


torch, numba = map(installed, ("torch", "numba"))


def one_after_another(x):
    return numpy.cumsum(x)[-1]


def torch_var(x):
    """The mean in the format of the data; the rest in binary64, one after another."""
    off = x.astype(f64) - f64(torch.mean(torch.from_numpy(x)).item())
    return x.dtype.type(one_after_another(off * off) / len(x))


def torch_var_row(x):
    """Welford's steps in binary64."""
    mean = squares = f64(0)
    for k, number in enumerate(x.astype(f64), 1):
        off = number - mean
        mean += off / k
        squares += off * (number - mean)
    return x.dtype.type(squares / len(x))


def numba_var(x):
    """Mean, offsets and squares in the format of the data; squares are added in binary64; all one after another."""
    off = x - one_after_another(x) / x.dtype.type(len(x))
    return x.dtype.type(one_after_another((off * off).astype(f64)) / len(x))


LIBRARIES = []
if torch:
    LIBRARIES += [("torch.var(x, correction=0)", torch_var, lambda x: torch.var(torch.from_numpy(x), correction=0).numpy()[()]),
                  ("torch.var(rows, dim=-1, correction=0)", torch_var_row,
                   lambda x: torch.var(torch.from_numpy(x).repeat(2, 1), dim=-1, correction=0).numpy()[1])]
if numba:
    LIBRARIES += [("x.var() in numba.njit", numba_var, numba.njit(lambda x: x.var()))]

DATA = [(dtype, n, offset) for dtype in (numpy.float32, f64) for n in (100, 1000) for offset in (0, 1, 1e2, 1e4, 1e6)]
differ = 0
for name, model, library in LIBRARIES:
    random = numpy.random.default_rng(1)
    same = []
    for dtype, n, offset in DATA * 2:
        x = (random.standard_normal(n) + offset).astype(dtype)
        same.append(model(x) == dtype(library(x)))
    differ += not all(same)
    print(f"{name}: {model.__doc__} Bit for bit on {sum(same)} of {len(same)}")
if not LIBRARIES:
    print("neither torch nor numba is here")
sys.exit(differ > 0)
