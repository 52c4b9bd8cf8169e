"""libulpscope: where it is, and include/ulpscope/ulpscope.h for ctypes.

ULPSCOPE_LIBRARY names the file.  Without it the library of a wheel is taken, whose prefix is the package; or that of the
build folder or the prefix in which the package lies; or that beside the program `ulpscope` of the PATH; or the system's.
"""

import ctypes
import functools
import os
import platform
import shutil
import typing

import ulpscope
from ulpscope import launcher

FORMATS = tuple(ulpscope.DTYPES)  # in the order of enum ulpscope_format, which begins with 1
(SUM, DOT, ROWS, MATMUL, MEAN, MEAN_SQUARE, RMS, VARIANCE, STD, MEAN_WEIGHTED, COSINE, LAYER_NORM, RMS_NORM, SOFTMAX, LOG_SOFTMAX,
 LOGSUMEXP, SCAN) = range(1, 18)
OK, BAD_ARGUMENT, OUT_OF_MEMORY, FAILED = 0, 1, 2, 3
NAMES = ("libulpscope.so", "libulpscope.so.0", "libulpscope.dylib")


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("format", ctypes.c_int), ("dimensions", ctypes.c_uint),
                ("shape", ctypes.c_uint64 * 2), ("strides", ctypes.c_int64 * 2)]


class Sized(ctypes.Structure):
    """What begins with the size that the caller knows it to have."""

    def __init__(self, *fields: typing.Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), *fields)


class Problem(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("operation", ctypes.c_int), ("x", Array), ("y", Array), ("result", ctypes.c_int),
                ("added", ctypes.c_int), ("ddof", ctypes.c_uint64), ("eps", ctypes.c_double), ("window", ctypes.c_uint64)]


class Value(Sized):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_double) for name in (
        "nearest", "ulp", "abs_above", "sum_abs_above", "condition")]


class Error(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("exact", Value)] + [(name, ctypes.c_double) for name in (
        "computed", "error", "ulp_error", "relative_error", "backward_error", "bound")]


class Verdict(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("passed", ctypes.c_int)] + [(name, ctypes.c_uint64) for name in (
        "count", "failed", "row", "column")] + [("worst", Error), ("zeros_pass", ctypes.c_int), (
        "last_dropped_passes", ctypes.c_int), ("words", ctypes.c_char * 1024), ("cause", ctypes.c_char * 256), (
        "row_sum", ctypes.c_double), ("divergence", ctypes.c_double)]


PROBLEM, VALUE = ctypes.POINTER(Problem), ctypes.POINTER(Value)
FUNCTIONS: typing.Dict[str, typing.Tuple[typing.Any, typing.List[typing.Any]]] = {
    "result_count": (ctypes.c_uint64, [PROBLEM]),
    "exact": (ctypes.c_int, [PROBLEM, VALUE]),
    "errors": (ctypes.c_int, [PROBLEM, ctypes.c_void_p, ctypes.POINTER(Error)]),
    "judge": (ctypes.c_int, [PROBLEM, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Verdict)]),
    "bound": (ctypes.c_double, [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int, ctypes.c_int, VALUE]),
    "write_case": (ctypes.c_int, [PROBLEM, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]),
    "why": (ctypes.c_char_p, []),
    "version": (ctypes.c_char_p, []),
}


def places(subfolder: str) -> typing.List[str]:
    """Folders: that of the package, which in a wheel is a prefix; what it is in, which may be a build folder; the build in a checkout;
    prefix/subfolder where this is prefix/share/ulpscope/python/ulpscope."""
    package = os.path.dirname(os.path.abspath(__file__))
    above = [os.path.normpath(os.path.join(package, *[os.pardir] * steps)) for steps in range(5)]
    return [os.path.join(package, subfolder), above[2], os.path.join(above[2], "build", "default"), os.path.join(above[4], subfolder)]


def candidates() -> typing.Iterator[str]:
    """Paths, and at last names for the system's loader."""
    program = shutil.which("ulpscope")
    beside = os.path.dirname(os.path.realpath(program)) if program else ""
    folders = [*places("lib"), *([beside, os.path.join(os.path.dirname(beside), "lib")] if beside else [])]
    for folder in folders:
        yield from (os.path.join(folder, part, name) for part in ("", f"{platform.machine()}-linux-gnu") for name in NAMES)
    yield from NAMES


def find() -> ctypes.CDLL:
    """The library, wherever it is.  Throws ImportError, which names what to do."""
    given = os.environ.get("ULPSCOPE_LIBRARY")
    problems = []
    for path in [given] if given else candidates():
        if os.sep in path and not given and not os.path.exists(path):
            continue
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            problems.append(str(error))
    raise ImportError(launcher.unfit() or f"expected libulpscope, found none ({problems[0]}); "
                      + ("correct" if given else "install ulpscope, or name the file in") + " ULPSCOPE_LIBRARY")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """Its functions with their types, looked for at the first call.  Throws ImportError."""
    found = find()
    try:
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(found, "ulpscope_" + name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise ImportError(f"expected libulpscope {ulpscope.__version__}, found another library: {error}") from None
    version = found.ulpscope_version().decode()
    if version.split(".")[:2] != ulpscope.__version__.split(".")[:2]:
        raise ImportError(f"expected libulpscope {ulpscope.__version__}, as this package is, found {version} in {found._name}; "
                          "install both from one version, or name the other library in ULPSCOPE_LIBRARY")
    return found


def check(status: int) -> None:
    """Throws what a status of the library means in Python."""
    if status != OK:
        kind = {BAD_ARGUMENT: ValueError, OUT_OF_MEMORY: MemoryError}.get(status, RuntimeError)
        raise kind(library().ulpscope_why().decode(errors="replace"))
