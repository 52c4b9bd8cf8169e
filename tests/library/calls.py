"""libulpscope by ctypes, and what it says, once more, in Python's integers and fractions."""

import ctypes
import math
from fractions import Fraction

SUM, DOT, ROWS, MATMUL, MEAN, MEAN_SQUARE, RMS, VARIANCE, STD, MEAN_WEIGHTED, COSINE, LAYER_NORM, RMS_NORM, SOFTMAX, LOG_SOFTMAX, LOGSUMEXP, SCAN = range(1, 18)
OK, BAD_ARGUMENT, OUT_OF_MEMORY, FAILED = range(4)


class Format:
    """Precision, least exponent, first power of two out of range."""

    def __init__(self, code, name, size, precision, least, overflow, has_infinity=True):
        self.code, self.name, self.size = code, name, size
        self.precision, self.least, self.overflow, self.has_infinity = precision, least, overflow, has_infinity
        self.sign = 1 << (8 * size - 1)
        least_normal = least + precision - 1
        self.infinity = (overflow - least_normal + 1) << (precision - 1) if has_infinity else self.sign - 2

    def value(self, bits):
        """A Fraction, or a float that is infinite or NaN; and whether it is negative."""
        negative, magnitude = bits & self.sign != 0, bits & (self.sign - 1)
        if magnitude > self.infinity:
            return math.nan, negative
        if magnitude == self.infinity and self.has_infinity:
            return (-math.inf if negative else math.inf), negative
        field, last = magnitude >> (self.precision - 1), self.precision - 1
        above = max(field - 1, 0)
        value = Fraction(magnitude - (above << last)) * power(self.least + above)
        return (-value if negative else value), negative

    def ulp_exponent(self, s):
        return max(floor_log2(s) - self.precision + 1, self.least) if s else self.least

    def nearest(self, s):
        """Of a Fraction; a float."""
        unit = power(self.ulp_exponent(s))
        rounded = round(s / unit) * unit  # ties to even
        if abs(rounded) >= power(self.overflow):
            return -math.inf if s < 0 else math.inf
        return math.copysign(float(rounded), -1 if s < 0 else 1)

    def encode(self, value):
        """Of a float that is a number of the format."""
        if math.isnan(value):
            return self.infinity | 1 << (self.precision - 2)
        sign = self.sign if math.copysign(1, value) < 0 else 0
        if math.isinf(value):
            return sign | self.infinity
        magnitude = abs(Fraction(value))
        exponent = self.ulp_exponent(magnitude)
        return sign | ((exponent - self.least) << (self.precision - 1)) + int(magnitude / power(exponent))


FORMATS = [
    None,
    Format(1, "binary64", 8, 53, -1074, 1024),
    Format(2, "binary32", 4, 24, -149, 128),
    Format(3, "binary16", 2, 11, -24, 16),
    Format(4, "bfloat16", 2, 8, -133, 128),
    Format(5, "e4m3", 1, 4, -9, 9, False),
    Format(6, "e5m2", 1, 3, -16, 16),
]
BINARY64, BINARY32 = FORMATS[1], FORMATS[2]


def power(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def floor_log2(s):
    n, d = abs(s).numerator, abs(s).denominator
    e = n.bit_length() - d.bit_length()
    return e if power(e) <= abs(s) else e - 1


def rounded_up(s):
    """The least binary64 that is no less than s >= 0."""
    if s == 0:
        return 0.0
    unit = power(BINARY64.ulp_exponent(s))
    above = -(-s // unit) * unit
    return math.inf if above >= power(1024) else float(above)


# ---- the interface ----


class Array(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("format", ctypes.c_int),
        ("dimensions", ctypes.c_uint),
        ("shape", ctypes.c_uint64 * 2),
        ("strides", ctypes.c_int64 * 2),
    ]


class Problem(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("operation", ctypes.c_int),
        ("x", Array),
        ("y", Array),
        ("result", ctypes.c_int),
        ("added", ctypes.c_int),
        ("ddof", ctypes.c_uint64),
        ("eps", ctypes.c_double),
        ("window", ctypes.c_uint64),
    ]


class Value(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [
        (name, ctypes.c_double) for name in ("nearest", "ulp", "abs_above", "sum_abs_above", "condition")
    ]


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("exact", Value)] + [
        (name, ctypes.c_double)
        for name in ("computed", "error", "ulp_error", "relative_error", "backward_error", "bound")
    ]


class Verdict(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("passed", ctypes.c_int),
        ("count", ctypes.c_uint64),
        ("failed", ctypes.c_uint64),
        ("row", ctypes.c_uint64),
        ("column", ctypes.c_uint64),
        ("worst", Error),
        ("zeros_pass", ctypes.c_int),
        ("last_dropped_passes", ctypes.c_int),
        ("words", ctypes.c_char * 1024),
        ("cause", ctypes.c_char * 256),
    ]


def load(path):
    library = ctypes.CDLL(path)
    library.ulpscope_result_count.restype = ctypes.c_uint64
    library.ulpscope_why.restype = ctypes.c_char_p
    library.ulpscope_version.restype = ctypes.c_char_p
    library.ulpscope_bound.restype = library.ulpscope_bound_any_order.restype = ctypes.c_double
    library.ulpscope_bound.argtypes = [
        ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p
    ]
    library.ulpscope_bound_any_order.argtypes = [
        ctypes.c_int, ctypes.c_uint64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p
    ]
    return library


# ---- exact values ----


class Exact:
    """The sum of terms (value, negative) of one result, by the rules of IEEE 754 where one is no number."""

    def __init__(self, terms, result):
        self.result = result
        specials = [v for v, _ in terms if isinstance(v, float)]
        self.special = None
        self.s = self.sum_abs = Fraction(0)
        if specials:
            self.special = sum(specials)  # nan, or inf and -inf
            self.nearest = self.special
            return
        self.s = sum((v for v, _ in terms), Fraction(0))
        self.sum_abs = sum((abs(v) for v, _ in terms), Fraction(0))
        self.nearest = result.nearest(self.s)
        if self.s == 0 and terms and all(v == 0 and negative for v, negative in terms):
            self.nearest = -0.0

    def ulp(self):
        e = self.result.ulp_exponent(self.s)
        return power(e)


def product(x, y):
    (a, a_negative), (b, b_negative) = x, y
    negative = a_negative != b_negative
    if isinstance(a, float) or isinstance(b, float):
        if a == 0 or b == 0:
            return math.nan, negative
        if (isinstance(a, float) and math.isnan(a)) or (isinstance(b, float) and math.isnan(b)):
            return math.nan, negative
        return (-math.inf if negative else math.inf), negative
    return a * b, negative
