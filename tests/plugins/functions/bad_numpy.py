"""bad_NAME and good_NAME of bad.py, with NumPy."""

import ctypes

import numpy

import ulpscope

method = ulpscope.method()
matmul = ulpscope.method("matmul")


@method
def bad_two(x):
    return numpy.array([x.sum(), 0])


@method
def good_two(x):
    return numpy.array([[x.sum()]])


@method
def bad_write(x):
    x[0] = 0
    return x.sum()


@method
def good_write(x):
    x = x.copy()
    x[0] *= 1
    return x.sum()


@method
def bad_write_behind(x):
    ctypes.c_float.from_address(x.ctypes.data).value = 0
    return x.sum()


@method
def good_write_behind(x):
    x = x.copy()
    ctypes.c_float.from_address(x.ctypes.data).value += 0
    return x.sum()


@method
def bad_read_behind(x):
    return x.sum() + ctypes.c_float.from_address(x.ctypes.data + x.nbytes + 4096).value


@method
def good_read_behind(x):
    return x[:-1].sum() + numpy.float32(ctypes.c_float.from_address(x.ctypes.data + x.nbytes - 4).value)


@matmul
def bad_type(a, b):
    return a.astype(numpy.float64) @ b


@matmul
def good_type(a, b):
    return (a.astype(numpy.float64) @ b).astype(numpy.float32)


@matmul
def bad_shape(a, b):
    return (a @ b).T[:1]


@matmul
def good_shape(a, b):
    return numpy.asfortranarray(a @ b)


@matmul
def bad_number(a, b):
    return a[0] @ b[:, 0]


@matmul
def good_number(a, b):
    return numpy.array([[row @ column for column in b.T] for row in a])
