"""Layer norms as NumPy makes them, right and with a fault: test_norm_plugins.py says what each is called."""

import numpy
import ulpscope

EPS = numpy.float32(1e-5)


def norm(ending):
    return ulpscope.method(operation="layer_norm", deterministic=True)(ending)


@norm
def right(x):
    return (x - x.mean()) / numpy.sqrt(x.var() + EPS)


@norm
def multiplied(x):
    return (x - x.mean()) * (numpy.float32(1) / numpy.sqrt(x.var() + EPS))


@ulpscope.method(operation="layer_norm", deterministic=True, rows=True)
def of_rows(x):
    return (x - x.mean(axis=1, keepdims=True)) / numpy.sqrt(x.var(axis=1, keepdims=True) + EPS)


@norm
def eps_outside(x):
    return (x - x.mean()) / (numpy.sqrt(x.var()) + EPS)


@norm
def of_sample(x):
    return (x - x.mean()) / numpy.sqrt(x.var(ddof=1) + EPS)


@norm
def eps_left_out(x):
    return (x - x.mean()) / numpy.sqrt(x.var())

