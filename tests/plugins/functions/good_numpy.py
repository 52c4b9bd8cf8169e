"""Sums of NumPy, and what becomes of them beside the result."""

import numpy

import ulpscope

kept = []


@ulpscope.method(deterministic=True)
@ulpscope.method(format="binary64")
@ulpscope.method(format="binary16_in_binary16", bound="none")
def numpy_sum(x):
    return numpy.sum(x)


@ulpscope.method(deterministic=True)
def cumsum(x):
    return numpy.cumsum(x)[-1]


@ulpscope.method("dot")
def dot(x, y):
    return x @ y


@ulpscope.method("matmul")
def product(a, b):
    return a @ b


@ulpscope.method()
def a_view(x):
    kept.append(x)
    total = numpy.empty(3, x.dtype)
    total[1] = x.sum()
    return total[1:2]


@ulpscope.method(bound={"of_sum": 1, "of_abs": 1e-6})
def wide(x):
    return numpy.longdouble(x.astype(numpy.longdouble).sum())


def undeclared(x):
    return x.sum()
