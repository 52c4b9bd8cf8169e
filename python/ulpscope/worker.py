"""The process that runs functions of a Python file for ulpscope: `python3 ulpscope/worker.py FILE.py[:FUNCTION]`.

It speaks src/worker/protocol.h, where every layout and answer below is described.  FILE.py alone means each function that
`@ulpscope.method` declares; a FUNCTION that is not declared is a sum of binary32.
"""

import contextlib
import ctypes
import faulthandler
import gc
import json
import mmap
import os
import platform
import re
import signal
import socket
import struct
import sys
import time
import types
import typing
import weakref

import ulpscope
from ulpscope import arrays, busy, environment
from ulpscope.source import Cannot, declared, load, version, what

SOCKET, PACKET_MOST = 3, 64 * 1024
REQUEST, REPLY = struct.Struct("<2I 7Q 4Q 4I 2Q"), struct.Struct("<2I 2Q")
READY, CANNOT, BITS, VALUES, FAILED, BROKEN, UNABLE, REFUSED = range(1, 9)
OTHER_STREAM, IS_BUSY, PER_NUMBER = 1, 2, 32
AWAKE = 100_000  # nanoseconds


class Gone(SystemExit):
    """There is nobody to answer, which ends a worker."""


class Method:
    """A declared function, its arrays and its name."""

    def __init__(self, name: str, declaration: ulpscope.Declaration, path: str) -> None:
        self.name, self.declaration, self.path = name, declaration, path
        try:
            self.arrays = arrays.arrays_of(declaration.arrays, declaration.stored)
        except Exception as error:
            raise Cannot(f"{name}: expected arrays of {declaration.arrays} in {declaration.stored}, found "
                         f"{type(error).__name__}: {error}") from None

    def described(self) -> typing.Dict[str, typing.Any]:
        """Its part of READY."""
        of = self.declaration
        description = (of.function.__doc__ or "").strip() if isinstance(of.function, types.FunctionType) else ""
        claim = of.claim or description.partition("\n")[0]
        return {"name": self.name, "operation": of.operation, "format": of.format, "deterministic": of.deterministic,
                "bound": of.bound, **({"rows": True} if of.rows else {}),
                **({"on_device": True} if self.arrays.is_on_device else {}), **({"claim": claim} if claim else {}), **({"lengths": list(of.lengths)} if of.lengths else {})}


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
MAP_FIXED, NOWHERE = 0x10, ctypes.c_void_p(-1).value


def between_guards(descriptor: int) -> memoryview:
    """The descriptor's memory, which can only be read, between pages that cannot even be read.  Unmapped with its last view."""
    size = os.fstat(descriptor).st_size
    whole = size + 2 * mmap.PAGESIZE
    start = LIBC.mmap(None, whole, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    if start == NOWHERE or LIBC.mmap(start + mmap.PAGESIZE, size, mmap.PROT_READ, mmap.MAP_SHARED | MAP_FIXED, descriptor,
                                     0) == NOWHERE:
        raise MemoryError(os.strerror(ctypes.get_errno()))
    pages = (ctypes.c_char * size).from_address(start + mmap.PAGESIZE)
    weakref.finalize(pages, LIBC.munmap, start, whole)
    return memoryview(pages).cast("B").toreadonly()


class Memory:
    """What both processes map: inputs twice, the output once."""

    def __init__(self, inputs: int, output: int) -> None:
        self.windows = [between_guards(inputs) for _ in range(2)]
        self.output = mmap.mmap(output, os.fstat(output).st_size)
        os.close(inputs)
        os.close(output)


class Call:
    """One request: data in, the result in the output or a text out."""

    def __init__(self, method: Method, fields: typing.Tuple[int, ...], memory: Memory) -> None:
        self.method, self.memory, self.nanoseconds = method, memory, 0
        self.window, (self.rows, self.terms, self.columns) = fields[1], fields[3:6]
        self.input_bytes, self.output_bytes = fields[6:8], fields[8]
        self.input_offset, self.output_offset = fields[9:11], fields[11]
        self.offset, self.circumstances = fields[15:17]
        self.window_of_sums = 0
        if self.circumstances & PER_NUMBER:
            self.columns, self.window_of_sums = 0, self.columns

    def shape_of_x(self) -> typing.Tuple[int, ...]:
        return (self.rows, self.terms) if self.columns or self.method.declaration.rows else (self.terms,)

    def arguments(self) -> typing.List[typing.Any]:
        x = self.shape_of_x()
        shapes = [x, (self.terms, self.columns) if self.columns else x]
        view = self.memory.windows[self.window]
        given = [self.method.arrays.array(view[offset : offset + size], shape, self.offset)
                for offset, size, shape in zip(self.input_offset, self.input_bytes, shapes) if size]
        return given + [self.window_of_sums] * (self.window_of_sums > 0)

    def store(self, result: typing.Any) -> int:
        of = self.method.declaration
        is_per_number = self.circumstances & PER_NUMBER
        if not self.columns and not of.rows and not is_per_number:
            struct.pack_into("<d", self.memory.output, self.output_offset, arrays.number(result, of.result))
            return VALUES
        shape_expected = self.shape_of_x() if is_per_number else (self.rows, self.columns) if self.columns else (self.rows,)
        expected = (shape_expected, ulpscope.DTYPES[of.result])
        shape, dtype, data = self.method.arrays.elements(result, of.result, len(expected[0]))
        if (shape, dtype) != expected:
            raise arrays.Misfit(f"returned {dtype} of shape {shape}; expected {expected[1]} of shape {expected[0]}")
        self.memory.output[self.output_offset : self.output_offset + len(data)] = data
        return BITS

    def run(self) -> typing.Tuple[int, str]:
        """The answer and its text."""
        of, process, answer, text, result = self.method, os.getpid(), FAILED, "", None
        try:
            given = self.arguments()
            is_busy = of.arrays.is_on_device and self.circumstances & IS_BUSY
            other_stream = self.circumstances & OTHER_STREAM
            with of.arrays.other_stream() if other_stream else contextlib.nullcontext(), busy.kernel() if is_busy else contextlib.nullcontext():
                began = time.perf_counter_ns()
                result = of.declaration.function(*given)
                of.arrays.synchronise(result)
                self.nanoseconds = time.perf_counter_ns() - began
        except arrays.Unable as error:
            return UNABLE, str(error)
        except BaseException as error:
            text = what(error, of.path)
        if os.getpid() != process:
            os._exit(0)  # the function forked: this is not the process that answers
        try:
            answer = REFUSED if text else self.store(result)
        except arrays.Misfit as error:
            text = str(error)
        except Exception as error:
            text = f"returned {type(result).__name__}, not a result: {error}"
        return self.judge(answer, text)

    def judge(self, answer: int, text: str) -> typing.Tuple[int, str]:
        """What the call did beside its result."""
        change = environment.changed()
        if change:
            return FAILED if environment.restore() else BROKEN, f"changed {change}"
        try:
            if self.method.arrays.was_written() and answer not in (FAILED, REFUSED):
                return FAILED, "wrote to its input"
            if answer in (FAILED, REFUSED):
                self.method.arrays.synchronise(None)
        except Exception as error:  # the GPU is lost to this process
            return BROKEN, text or what(error, self.method.path)
        return answer, text


class Worker:
    """The descriptor and who answers on it."""

    def __init__(self, descriptor: int = SOCKET) -> None:
        self.socket = socket.socket(fileno=descriptor)
        self.memory: typing.Optional[Memory] = None
        self.methods: typing.List[Method] = []
        self.answered = READY  # last

    def say(self, answer: int, number: int = 0, nanoseconds: int = 0, text: str = "") -> None:
        packet = REPLY.pack(answer, 0, number, nanoseconds) + text.encode(errors="replace")
        try:
            self.socket.send(packet[:PACKET_MOST])
        except OSError as error:
            raise Gone(f"cannot answer on descriptor {SOCKET}: {error.strerror}; was it closed?") from None

    def load(self, argument: str) -> None:
        """Imports the file and says what it declares."""
        file, _, function_name = argument.rpartition(":") if re.search(r":\w+$", argument) else (argument, "", "")
        path = os.path.abspath(file)
        module = load(path)
        change = environment.changed()
        restored = environment.restore()
        methods = [Method(name, declaration, path) for name, declaration in declared(module, function_name)]
        change = change or environment.changed()
        warnings = [f"importing {os.path.basename(path)} changed {change}; "
                    + ("calls are made without" if restored and environment.restore() else "it stays so")] if change else []
        gc.collect()
        gc.freeze()
        self.ready(module.__name__, methods, version(module, [one.arrays.framework for one in methods]), warnings)

    def ready(self, name: str, methods: typing.List[Method], of: str, warnings: typing.Sequence[str] = ()) -> None:
        """Says which methods there are, and of which version."""
        about = {"name": re.sub(r"\W", "_", name, flags=re.ASCII), "methods": [one.described() for one in methods], "version": of, "warnings": warnings}
        text = json.dumps(about)
        if len(text) > PACKET_MOST - REPLY.size:
            raise Cannot(f"declares {len(methods)} methods, more than fit into a message; name one, {name}.py:FUNCTION")
        self.methods = methods
        self.say(READY, text=text)

    def receive(self) -> typing.Tuple[bytes, typing.List[int]]:
        """The next packet and its descriptors.  Being woken takes longer than the next request often does to come, so this
        stays awake for a while."""
        began = time.perf_counter_ns()
        while time.perf_counter_ns() - began < AWAKE:
            try:
                return socket.recv_fds(self.socket, PACKET_MOST, 2, socket.MSG_DONTWAIT)[:2]
            except BlockingIOError:
                os.sched_yield()
        return socket.recv_fds(self.socket, PACKET_MOST, 2)[:2]

    def answer(self) -> bool:
        """Answers the next request.  False where it is the last, or there is none."""
        packet, descriptors = self.receive()
        if not packet:
            return False
        fields = REQUEST.unpack(packet)
        if descriptors:
            self.memory = Memory(*descriptors)
        call = Call(self.methods[fields[0]], fields, typing.cast(Memory, self.memory))
        answer, text = call.run()
        self.answered = answer
        self.say(answer, fields[2], call.nanoseconds, text)
        return answer != BROKEN


def main() -> None:
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ulpscope ends its workers
    worker = Worker()
    try:
        if sys.version_info < (3, 9):
            raise Cannot(f"expected Python 3.9 or newer, found {platform.python_version()}; name another in ULPSCOPE_PYTHON")
        worker.load(sys.argv[1])
        while worker.answer():
            pass
    except Cannot as error:
        worker.say(CANNOT, text=str(error))
    os._exit(0)  # without waiting for threads that a function left behind


if __name__ == "__main__":
    main()
