"""Elements of every format, anywhere in memory, and what Python's fractions say of them."""

import ctypes
import fractions
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from ulpscope import arrays, operands

PRECISION = {format: row[0] for format, row in arrays.ROUNDING.items()}


def last_place(s, format):
    """The exponent of the last place of the format at s."""
    precision, least, _ = arrays.ROUNDING[format]
    if s == 0:
        return least
    s = abs(s)
    exponent = s.numerator.bit_length() - s.denominator.bit_length()
    exponent -= s < fractions.Fraction(2) ** exponent
    return max(exponent - precision + 1, least)


def rounded(s, format):
    """The nearest number of the format, ties to even."""
    last = fractions.Fraction(2) ** last_place(s, format)
    near = round(s / last) * last
    if abs(near) >= fractions.Fraction(2) ** arrays.ROUNDING[format][2]:
        return math.inf if near > 0 else -math.inf
    return float(near)


class Fake:
    """An array that has DLPack alone."""

    CODES = {format: key for key, format in operands.DLPACK_FORMATS.items()}

    def __init__(self, format, data, shape, strides=None, offset=0, device=1, code=None, lanes=1):
        self.device, self.memory = device, ctypes.create_string_buffer(data, len(data) or 1)
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        code = code or self.CODES[format]
        self.tensor = operands.DLTensor(ctypes.addressof(self.memory), device, 0, len(shape), code[0], code[1], lanes, self.shape,
                                        self.strides, offset)

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def element_bytes(format, wide):
    """A finite element, of all sizes where `wide`, or else near 1, often equal to others but for its sign."""
    while True:
        size = arrays.SIZES[format]
        if wide or format in ("e4m3", "e5m2"):
            data = random.randbytes(size)
        else:
            data = arrays.encode(format, random.choice((1, -1)) * random.choice((1.0, 1.5, random.random(), random.random() * 1e3)))
        if math.isfinite(arrays.decode(format, memoryview(data))[0]):
            return data


def random_array(format, shape):
    """An array with strides of its own, misaligned by any number of bytes, and its values, row after row."""
    size, wide = arrays.SIZES[format], random.random() < 0.3
    strides, room, start = [0] * len(shape), 1, 0
    for i in random.sample(range(len(shape)), len(shape)):
        strides[i] = room * random.randint(1, 2)
        room = strides[i] * shape[i]
        if random.random() < 0.3:
            start += strides[i] * (shape[i] - 1)
            strides[i] = -strides[i]
    shift = random.randint(0, 7)
    memory = bytearray(shift) + b"".join(element_bytes(format, wide) for _ in range(room))
    indices = [start]
    for n, stride in zip(shape, strides):
        indices = [index + i * stride for index in indices for i in range(n)]
    elements = b"".join(memory[shift + index * size : shift + (index + 1) * size] for index in indices)
    values = [fractions.Fraction(value) for value in arrays.decode(format, memoryview(elements))]
    return Fake(format, bytes(memory), shape, strides, shift + start * size), values
