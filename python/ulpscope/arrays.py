"""Elements in shared memory as what a function takes, and what it returned as a number or as elements again.

Each kind of arrays has a class: array() makes one of bytes, which begins `offset` bytes beyond the usual alignment,
was_written() says whether the function wrote to one, synchronise() waits for a GPU, other_stream() is another stream to call
it on, elements() gives a result's shape, its dtype's name and its bytes.
"""

import contextlib
import ctypes
import fractions
import importlib
import math
import struct
import typing

from ulpscope import DTYPES

Shape = typing.Tuple[int, ...]
SIZES = {"binary64": 8, "binary32": 4, "binary16": 2, "bfloat16": 2, "e4m3": 1, "e5m2": 1, "tf32": 4}

# p; the exponents of the least subnormal and of the first power of two that is out of range.
ROUNDING = {"binary64": (53, -1074, 1024), "binary32": (24, -149, 128), "binary16": (11, -24, 16), "bfloat16": (8, -133, 128),
            "e4m3": (4, -9, 9), "e5m2": (3, -16, 16)}


class Misfit(Exception):
    """What is wrong with a result: the end of a sentence that the function begins."""


class Unable(Exception):
    """Why arrays of this kind cannot be given so: a sentence without its subject."""


class Lists:
    """Floats of Python; of a matrix a list of its rows."""

    framework, is_on_device = None, False

    def __init__(self, stored: str) -> None:
        self.stored = stored
        self.kept: typing.List[typing.Any] = []

    def array(self, data: memoryview, shape: Shape, offset: int = 0) -> typing.List[typing.Any]:
        if offset:
            raise Unable("takes lists of Python, which lie anywhere")
        x: typing.List[typing.Any] = decode(self.stored, data)
        if len(shape) == 2:
            x = [x[i : i + shape[1]] for i in range(0, len(x), shape[1])]
        self.kept.append((x, [row[:] for row in x] if len(shape) == 2 else x[:]))
        return x

    def was_written(self) -> bool:
        kept, self.kept = self.kept, []
        return any(x != copy for x, copy in kept)

    def synchronise(self, result: object) -> None:
        pass

    def other_stream(self) -> typing.Any:
        return contextlib.nullcontext()

    def elements(self, result: typing.Any, format: str, dimensions: int) -> typing.Tuple[Shape, str, bytes]:
        if dimensions == 1:
            return (len(result),), DTYPES[format], b"".join(encode(format, number(x, format)) for x in result)
        rows = [[number(element, format) for element in row] for row in result]
        if len(set(map(len, rows))) != 1:
            raise Misfit("returned no rows, or rows of several lengths")
        return (len(rows), len(rows[0])), DTYPES[format], b"".join(encode(format, x) for row in rows for x in row)


class NumPy:
    """Arrays on the shared memory itself, which cannot be written to."""

    framework, is_on_device = "numpy", False

    def __init__(self, stored: str) -> None:
        self.numpy = importlib.import_module("numpy")
        self.dtype = self.numpy.dtype(getattr(self.numpy, DTYPES[stored], None) or
                                      getattr(importlib.import_module("ml_dtypes"), DTYPES[stored]))

    def array(self, data: memoryview, shape: Shape, offset: int = 0) -> typing.Any:
        """`data` lie with the offset."""
        return self.numpy.frombuffer(data, self.dtype).reshape(shape)

    def was_written(self) -> bool:
        return False

    def synchronise(self, result: object) -> None:
        pass

    def other_stream(self) -> typing.Any:
        return contextlib.nullcontext()

    def elements(self, result: typing.Any, format: str, dimensions: int) -> typing.Tuple[Shape, str, bytes]:
        x = self.numpy.asarray(result)
        return x.shape, str(x.dtype), x.tobytes()


class Copies:
    """Arrays that can be written to: each is a copy of bytes `kept` on the same device, and compared with them afterwards."""

    def __init__(self) -> None:
        self.kept: typing.List[typing.Any] = []

    def was_written(self) -> bool:
        kept, self.kept = self.kept, []
        return any(not bool((x == copy).all()) for x, copy in kept)


class Torch(Copies):
    framework = "torch"

    def __init__(self, stored: str, device: str) -> None:
        super().__init__()
        self.torch, self.device, self.is_on_device = importlib.import_module("torch"), device, device == "cuda"
        self.dtype = getattr(self.torch, DTYPES[stored])

    def array(self, data: memoryview, shape: Shape, offset: int = 0) -> typing.Any:
        copy = self.torch.frombuffer(bytearray(data), dtype=self.torch.uint8).to(self.device)
        x = self.torch.empty(offset + len(data), dtype=self.torch.uint8, device=self.device)[offset:].copy_(copy)
        self.kept.append((x, copy))
        return x.view(self.dtype).reshape(shape)

    def synchronise(self, result: object) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def other_stream(self) -> typing.Any:
        self.synchronise(None)
        return self.torch.cuda.stream(self.torch.cuda.Stream())

    def elements(self, result: typing.Any, format: str, dimensions: int) -> typing.Tuple[Shape, str, bytes]:
        x = self.torch.as_tensor(result).detach().cpu().contiguous()
        size = x.numel() * x.element_size()
        return tuple(x.shape), str(x.dtype).replace("torch.", ""), ctypes.string_at(x.data_ptr(), size) if size else b""


class CuPy(Copies):
    framework, is_on_device = "cupy", True

    def __init__(self, stored: str) -> None:
        super().__init__()
        self.cupy, self.numpy = importlib.import_module("cupy"), NumPy(stored)

    def array(self, data: memoryview, shape: Shape, offset: int = 0) -> typing.Any:
        copy = self.cupy.asarray(self.numpy.numpy.frombuffer(data, "uint8"))
        x = self.cupy.empty(offset + len(data), "uint8")[offset:]
        x[:] = copy
        self.kept.append((x, copy))
        return x.view(self.numpy.dtype).reshape(shape)

    def synchronise(self, result: object) -> None:
        self.cupy.cuda.Device().synchronize()

    def other_stream(self) -> typing.Any:
        self.synchronise(None)
        return self.cupy.cuda.Stream(non_blocking=True)

    def elements(self, result: typing.Any, format: str, dimensions: int) -> typing.Tuple[Shape, str, bytes]:
        return self.numpy.elements(self.cupy.asnumpy(result), format, dimensions)


class Jax(NumPy):
    """Arrays of jax cannot be written to."""

    framework = "jax"

    def __init__(self, stored: str) -> None:
        super().__init__(stored)
        self.jax = importlib.import_module("jax")
        self.is_on_device = self.jax.default_backend() == "gpu"

    def array(self, data: memoryview, shape: Shape, offset: int = 0) -> typing.Any:
        if offset:
            raise Unable("takes arrays of jax, which chooses where they lie")
        x = self.jax.numpy.array(super().array(data, shape))
        if x.dtype != self.dtype:
            raise Misfit(f'expected {self.dtype} of jax, found {x.dtype}; write jax.config.update("jax_enable_x64", True)')
        return x

    def synchronise(self, result: object) -> None:
        self.jax.block_until_ready(result)

    def other_stream(self) -> typing.Any:
        raise Unable("runs on the streams that jax chooses")


def arrays_of(kind: str, stored: str) -> typing.Any:
    """The arrays of this kind, which have been tried: what is missing is said here."""
    makers: typing.Dict[str, typing.Callable[[str], typing.Any]] = {"list": Lists, "numpy": NumPy, "cupy": CuPy, "jax": Jax}
    arrays = Torch(stored, kind.partition(":")[2] or "cpu") if kind.startswith("torch") else makers[kind](stored)
    arrays.array(memoryview(bytes(SIZES[stored])), (1,))
    arrays.was_written()
    return arrays


def number(result: typing.Any, format: str) -> float:
    """One number as a binary64 that rounds to `format` as the number itself does."""
    value = result
    if hasattr(value, "shape") and hasattr(value, "item"):
        if math.prod(value.shape) != 1:
            raise Misfit(f"returned an array of shape {tuple(value.shape)}; expected one number")
        value = value.item()
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (bool, complex)) or not hasattr(value, "__float__"):
        shown = repr(result)
        raise Misfit(f"returned {shown if len(shown) < 60 else shown[:56] + ' ...'}; expected one number")
    try:
        exact = fractions.Fraction(*value.as_integer_ratio())
    except (AttributeError, OverflowError, ValueError):  # a float of another kind, infinite, or NaN
        return float(value)
    try:
        near = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    if near == exact or format == "binary64":
        return near
    # the neighbour with an odd last bit: rounded again, it goes where the number would
    is_odd = struct.unpack("<Q", struct.pack("<d", near))[0] & 1
    return near if is_odd else math.nextafter(near, math.inf if exact > near else -math.inf)


def decode(stored: str, data: memoryview) -> typing.List[typing.Any]:
    """Elements as floats, which hold all of them."""
    if stored == "binary64":
        return data.cast("d").tolist()
    if stored in ("binary32", "tf32"):
        return data.cast("f").tolist()
    if stored == "binary16":
        return list(struct.unpack(f"<{len(data) // 2}e", data))
    if stored == "e4m3":
        return [E4M3[byte] for byte in data]
    half = bytearray(2 * len(data))  # the upper half of a binary32, or of a binary16
    if stored == "e5m2":
        half[1::2] = data
        return decode("binary16", memoryview(half))
    half[2::4], half[3::4] = data[0::2], data[1::2]
    return decode("binary32", memoryview(half))


def e4m3(byte: int) -> float:
    exponent, significand = byte >> 3 & 15, byte & 7
    size = math.ldexp(significand + 8 * (exponent > 0), max(exponent, 1) - 10)
    return math.copysign(math.nan if byte & 127 == 127 else size, -1 if byte & 128 else 1)


E4M3 = [e4m3(byte) for byte in range(256)]


def encode(format: str, x: float) -> bytes:
    """A binary64 rounded to an element of the format, ties to even."""
    precision, least, overflow = ROUNDING[format]
    if x and math.isfinite(x):
        last = max(math.frexp(x)[1] - precision, least)
        near = math.ldexp(round(math.ldexp(x, -last)), last)
        x = math.copysign(near if abs(near) < 2**overflow else math.inf, x)
    if format == "bfloat16":
        return struct.pack("<f", x)[2:]
    if format == "e5m2":
        return struct.pack("<e", x)[1:]
    if format == "e4m3":  # which has no infinity, and NaN in place of 480
        return bytes([(E4M3.index(abs(x)) if abs(x) <= 448 else 127) | (128 if math.copysign(1, x) < 0 else 0)])
    return struct.pack({"binary64": "<d", "binary32": "<f", "binary16": "<e"}[format], x)
