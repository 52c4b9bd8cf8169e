"""Softmax and prefix sums as NumPy makes them, right and with a fault: test_row_plugins.py says what each is called."""

import numpy
import ulpscope


def of(operation):
    return ulpscope.method(operation=operation, deterministic=True)


@of("scan")
def cumsum(x):
    return numpy.cumsum(x, dtype=x.dtype)


@of("scan")
def exclusive(x):
    return numpy.concatenate([numpy.zeros(1, x.dtype), numpy.cumsum(x, dtype=x.dtype)[:-1]])


@of("rolling")
def again(x, window):
    return numpy.array([numpy.cumsum(x[max(0, j - window + 1) : j + 1], dtype=x.dtype)[-1] for j in range(len(x))])


@of("rolling")
def window_longer(x, window):
    return again(x, window + 1)


@of("softmax")
def fp8(x):
    e = numpy.exp((x - x.max()).astype("f8")).astype("f4")
    f, k = numpy.frexp(e)
    p = numpy.where(k < -5, numpy.ldexp(numpy.rint(numpy.ldexp(e, 9)), -9), numpy.ldexp(numpy.rint(numpy.ldexp(f, 4)), k - 4))
    return p.astype("f4") / numpy.cumsum(e, dtype="f4")[-1]


@of("log_softmax")
def log_lacks_max(x):
    d = numpy.cumsum(numpy.exp((x - x.max()).astype("f8")).astype("f4"), dtype="f4")[-1]
    return x - numpy.float32(numpy.log(numpy.float64(d)))
