"""Arrays of anybody, and numbers, as the library takes them: where the elements are, their format and their strides.

    NumPy, jax, pandas: what has a dtype and __array__      PyTorch, CuPy
    what has the buffer protocol: array.array, memoryview    what has DLPack      lists of numbers, and lists of such lists

Elements are read where they are, strided, transposed or reversed.  Those on a GPU are brought to the host; other copies are
made of lists, of numbers in the other byte order, and of results that are not contiguous.
"""

import array as arrays_of_python
import ctypes
import importlib
import math
import numbers
import sys
import typing
from operator import countOf, index

from ulpscope import DTYPES, arrays, library, named

FORMAT_OF = {dtype: format for format, dtype in DTYPES.items() if format != "tf32"}
EXPECTED = "numbers of " + ", ".join(FORMAT_OF)
DEVICES_OF_HOST = (1, 3, 11)  # of DLPack: the host, and memory of it that CUDA or ROCm pinned
DLPACK_FORMATS = {(2, 64): "binary64", (2, 32): "binary32", (2, 16): "binary16", (4, 16): "bfloat16", (10, 8): "e4m3",
                  (12, 8): "e5m2"}
BUFFER_FORMATS = {"d": "binary64", "f": "binary32", "e": "binary16"}


class Operand(typing.NamedTuple):
    format: str
    address: int
    shape: typing.Tuple[int, ...]
    strides: typing.Tuple[int, ...]  # in bytes
    owner: typing.Any  # what keeps the elements where they are

    def array(self) -> library.Array:
        """For the library: of one or two dimensions."""
        return library.Array(self.address or None, number_of(self.format), len(self.shape), (ctypes.c_uint64 * 2)(*self.shape),
                             (ctypes.c_int64 * 2)(*self.strides))


def usual(format: typing.Optional[str]) -> typing.Optional[str]:
    """Its name here; what is no name is refused by number_of."""
    return named(format) if isinstance(format, str) else format


def number_of(format: typing.Optional[str]) -> int:
    """Of a format's name, in enum ulpscope_format."""
    if format not in library.FORMATS:
        raise ValueError(f"expected a format of {', '.join(library.FORMATS)}, found {format!r}")
    return library.FORMATS.index(format) + 1


def compact(format: str, shape: typing.Sequence[int]) -> typing.Tuple[int, ...]:
    """The strides of elements that lie row after row."""
    return tuple(arrays.SIZES[format] * math.prod(shape[i + 1:]) for i in range(len(shape)))


def wrong(what: str, found: object) -> TypeError:
    return TypeError(f"{what}: expected {EXPECTED}, found {found}")


def format_of(what: str, dtype: str) -> str:
    if dtype not in FORMAT_OF:
        advice = "take x.real or x.imag" if "complex" in dtype else 'convert it, as x.astype("float64") does, where that is exact'
        raise TypeError(f"{what}: expected {EXPECTED}, found {dtype}; {advice}")
    return FORMAT_OF[dtype]


# ---- one function for each kind ----

def of_torch(x: typing.Any, what: str) -> Operand:
    """A tensor, which .cpu() leaves as it is where it is on the host."""
    format = format_of(what, str(x.dtype).replace("torch.", ""))
    if str(x.layout) != "torch.strided":
        raise TypeError(f"{what}: expected a dense tensor, found one of {x.layout}; write .to_dense()")
    x = x.detach().cpu()
    x = x.resolve_neg() if hasattr(x, "resolve_neg") else x
    size = x.element_size()
    return Operand(format, x.data_ptr(), tuple(x.shape), tuple(size * stride for stride in x.stride()), x)


def of_numpy(x: typing.Any, what: str) -> Operand:
    """An array of NumPy, also of ml_dtypes' types; what only makes one gives it by __array__."""
    if hasattr(x, "mask") and hasattr(x, "compressed"):
        raise TypeError(f"{what}: expected {EXPECTED}, found an array with a mask; write .compressed()")
    x = importlib.import_module("numpy").asarray(x)
    format = format_of(what, x.dtype.name)
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return Operand(format, x.__array_interface__["data"][0], x.shape, x.strides, x)


class PyBuffer(ctypes.Structure):
    """Py_buffer of Python's stable ABI."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p)]


def address_of(view: memoryview) -> int:
    """Also of one that cannot be written to, which ctypes' from_buffer refuses.  `view` holds the memory."""
    buffer = PyBuffer()
    flags_full_read_only = 0x011C
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), flags_full_read_only)
    address = buffer.buf or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address


def of_buffer(x: typing.Any, what: str) -> Operand:
    view = memoryview(x)
    order, code = (view.format[0], view.format[1:]) if view.format[:1] in tuple("@=<>!") else ("@", view.format)
    if code not in BUFFER_FORMATS or view.suboffsets:
        raise wrong(what, f"a buffer of {view.format!r}")
    if order in ">!" and sys.byteorder == "little" or order == "<" and sys.byteorder == "big":
        raise wrong(what, f"a buffer of {view.format!r}, in the other byte order")
    return Operand(BUFFER_FORMATS[code], address_of(view), view.shape or (), view.strides or (), view)


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


def of_dlpack(x: typing.Any, what: str) -> Operand:
    """Through a capsule that is not consumed: it is kept, and gives the memory back when it goes."""
    if x.__dlpack_device__()[0] in DEVICES_OF_HOST:
        capsule = x.__dlpack__()
    else:
        try:
            capsule = x.__dlpack__(dl_device=(1, 0), copy=True)
        except (TypeError, BufferError):
            raise TypeError(f"{what}: expected numbers on the host, found an array of {type(x).__name__} on a device that "
                            "DLPack does not bring here; copy it to the host") from None
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
    format = DLPACK_FORMATS.get((tensor.code, tensor.bits))
    if format is None or tensor.lanes != 1:
        raise wrong(what, f"an array of DLPack of type {tensor.code} with {tensor.bits} bits, {tensor.lanes} lanes")
    shape = tuple(tensor.shape[: tensor.ndim])
    size = tensor.bits // 8
    strides = tuple(size * stride for stride in tensor.strides[: tensor.ndim]) if tensor.strides else compact(format, shape)
    return Operand(format, (tensor.data or 0) + tensor.byte_offset, shape, strides, capsule)


def of_list(x: typing.Sequence[typing.Any], what: str) -> Operand:
    """Numbers of binary64; rows of them."""
    shape: typing.Tuple[int, ...] = (len(x),)
    if len(x) and isinstance(x[0], (list, tuple)):
        if any(not isinstance(row, (list, tuple)) or len(row) != len(x[0]) for row in x):
            raise ValueError(f"{what}: expected rows of one length, found others")
        shape, x = (len(x), len(x[0])), [element for row in x for element in row]
    try:
        elements = arrays_of_python.array("d", x)
    except (TypeError, ValueError):
        raise wrong(what, "a list that has others") from None
    except OverflowError:
        raise wrong(what, "a list with a number beyond binary64") from None
    if countOf(map(type, x), float) < len(x):
        for kept, given in zip(elements, x):
            if kept != given and kept == kept:
                raise wrong(what, f"{given!r}, which binary64 does not hold; round it, as float() does, where that is meant")
    return Operand("binary64", elements.buffer_info()[0], shape, compact("binary64", shape), elements)


def operand(x: typing.Any, what: str) -> Operand:
    """Throws TypeError where x has no numbers of a format, ValueError where they have no shape; `what` names x."""
    if hasattr(x, "data_ptr") and hasattr(x, "layout"):
        return of_torch(x, what)
    if hasattr(x, "__cuda_array_interface__") and hasattr(x, "get"):
        return of_numpy(x.get(), what)  # of CuPy
    if hasattr(x, "dtype") and hasattr(x, "__array__"):
        return of_numpy(x, what)
    if isinstance(x, (list, tuple)):
        return of_list(x, what)
    try:
        memoryview(x)
    except TypeError:
        pass
    else:
        return of_buffer(x, what)
    if hasattr(x, "__dlpack__"):
        return of_dlpack(x, what)
    if hasattr(x, "__array__") or hasattr(x, "__array_interface__"):
        return of_numpy(x, what)
    raise wrong(what, type(x).__name__)


# ---- results ----

def contiguous(of: Operand) -> Operand:
    """The same elements row after row.  The last dimensions that lie so are copied at once."""
    strides, size = compact(of.format, of.shape), arrays.SIZES[of.format]
    if of.strides == strides or 0 in of.shape:
        return of
    outer = len(of.shape)
    while outer > 0 and of.strides[outer - 1] == strides[outer - 1]:
        outer -= 1
    offsets, run = [0], size * math.prod(of.shape[outer:])
    for n, stride in zip(of.shape[:outer], of.strides):
        offsets = [offset + i * stride for offset in offsets for i in range(n)]
    elements = bytearray().join(ctypes.string_at(of.address + offset, run) for offset in offsets)
    address = ctypes.addressof((ctypes.c_char * len(elements)).from_buffer(elements))
    return Operand(of.format, address, of.shape, strides, elements)


# ---- axes ----

def axes_of(axis: typing.Any, dimensions: int) -> typing.Tuple[int, ...]:
    """As NumPy has them: None for all, an integer or a tuple of them, from the last on where negative.  Throws TypeError or
    ValueError."""
    if axis is None:
        return tuple(range(dimensions))
    given = [index(one) for one in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    axes = [one + dimensions if one < 0 else one for one in given]
    if any(not 0 <= one < dimensions for one in axes) or len(set(axes)) < len(axes):
        raise ValueError(f"axis: expected different axes of {dimensions} dimensions, found {axis!r}")
    return tuple(axes)


def joined(shape: typing.Sequence[int], strides: typing.Sequence[int]) -> typing.Optional[typing.Tuple[int, int]]:
    """Dimensions as one of n elements so many bytes apart; None where they are none."""
    n, step = 1, 0
    for length, stride in zip(reversed(shape), reversed(strides)):
        if length == 1:
            continue
        if n > 1 and stride != n * step:
            return None
        step = step if n > 1 else stride
        n *= length
    return n, step


def along(of: Operand, axes: typing.Sequence[int]) -> Operand:
    """Of two dimensions: rows of the elements along these axes, one for each place in the others; of one where these are all.
    Where they are, if strides can say so; else a copy."""
    kept = [d for d in range(len(of.shape)) if d not in axes]
    order = [*kept, *axes]
    shape, strides = tuple(of.shape[d] for d in order), tuple(of.strides[d] for d in order)
    rows, n = math.prod(shape[:len(kept)]), math.prod(shape[len(kept):])
    whole = (rows, n) if kept else (n,)
    first, second = joined(shape[:len(kept)], strides[:len(kept)]), joined(shape[len(kept):], strides[len(kept):])
    if 0 in shape or (first is not None and second is not None):
        steps = (first[1], second[1]) if first is not None and second is not None else (0, 0)
        return Operand(of.format, of.address, whole, steps[-len(whole):], of.owner)
    copy = contiguous(Operand(of.format, of.address, shape, strides, of.owner))
    return Operand(of.format, copy.address, whole, compact(of.format, whole), copy.owner)


# ---- numbers ----

def of_number(x: typing.Any, format: str) -> Operand:
    """A number of Python is one of `format` if it can be, and else of binary64."""
    try:
        value = float(x)
    except OverflowError:
        value = math.inf
    if value == value and value != x:
        raise TypeError(f"result: expected a number of binary64 or less, found {x!r}; round it")
    data = arrays.encode(format, value)
    if value == value and arrays.decode(format, memoryview(data))[0] != value:
        format, data = "binary64", arrays.encode("binary64", value)
    kept = ctypes.create_string_buffer(data, len(data))
    return Operand(format, ctypes.addressof(kept), (), (), kept)


def results(x: typing.Any, format: str, shape: typing.Tuple[int, ...]) -> Operand:
    """What was computed, in its own format; numbers of Python in `format` (see of_number).  Throws TypeError, or ValueError
    where there are not as many results as `shape` says."""
    if isinstance(x, numbers.Real) and not hasattr(x, "dtype") and not isinstance(x, bool):
        found = of_number(x, "binary32" if format in ("e4m3", "e5m2") else format)
    else:
        found = operand(x, "result")
    if found.format in ("e4m3", "e5m2"):
        raise TypeError(f"result: expected a result of float64, float32, float16 or bfloat16, found {DTYPES[found.format]}")
    if found.shape != shape and not (shape == () and math.prod(found.shape) == 1):
        raise ValueError(f"result: expected shape {shape}, found {found.shape}")
    return contiguous(found)
