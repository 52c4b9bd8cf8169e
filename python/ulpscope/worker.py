"""The process that runs functions of a Python file for ulpscope: `python3 -m ulpscope.worker FILE.py[:FUNCTION]`.

It speaks src/worker/protocol.h, where every layout and answer below is described.  FILE.py alone means each function that
`@ulpscope.method` declares; a FUNCTION that is not declared is a sum of binary32.
"""

import ctypes
import faulthandler
import gc
import importlib.util
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
from ulpscope import arrays, environment

SOCKET, PACKET_MOST = 3, 64 * 1024
REQUEST, REPLY = struct.Struct("<2I 7Q 4Q 2I"), struct.Struct("<2I 2Q")
READY, CANNOT, BITS, VALUES, FAILED, BROKEN = range(1, 7)
TEXT_MOST, AWAKE = 4000, 100_000  # characters, nanoseconds
PROCESS = os.getpid()


class Cannot(Exception):
    """Why there are no methods."""


# ---- the file ----


def place(error: BaseException, path: str) -> str:
    """Where an exception comes from: the innermost line that is the file's own; "" when none is."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f" ({os.path.basename(path)}:{error.lineno})"
    lines, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == path:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" ({os.path.basename(path)}:{lines[-1]})" if lines else ""


def what(error: BaseException, path: str) -> str:
    """An exception as the end of a sentence that the function, or the file, begins."""
    if isinstance(error, arrays.Misfit):
        return str(error)
    if isinstance(error, SystemExit):
        return f"called sys.exit({'' if error.code is None else repr(error.code)}){place(error, path)}"
    words = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    kind = "ran out of memory: MemoryError" if isinstance(error, MemoryError) else f"raised {type(error).__name__}"
    return kind + (f": {words}" if words else "") + place(error, path)


def load(path: str) -> types.ModuleType:
    """The file as a module, compiled anew, that imports what `python3 FILE.py` would."""
    name = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(name)
    module.__file__, sys.path[0], sys.modules[name] = path, os.path.dirname(path), module
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise Cannot(f"expected a file of Python, found no {path}: {error.strerror}") from None
    try:
        exec(compile(source, path, "exec"), vars(module))
    except BaseException as error:
        raise Cannot(f"{os.path.basename(path)} {what(error, path)} when it was imported") from None
    return module


def declared(module: types.ModuleType, function_name: str) -> typing.List[typing.Tuple[str, ulpscope.Declaration]]:
    """Methods and their names: those of the variables that hold the functions, or else their own."""
    path, names = str(module.__file__), {id(value): name for name, value in reversed(vars(module).items())}
    if not function_name:
        found = [(names.get(id(one.function)) or one.function.__name__, one) for one in ulpscope.declarations
                 if id(one.function) in names or getattr(one.function, "__module__", None) == module.__name__]
        if not found:
            raise Cannot(f"expected functions behind @ulpscope.method in {path}, found none; name one, "
                         f"{os.path.basename(path)}:FUNCTION")
        return found
    function = getattr(module, function_name, None)
    if not callable(function):
        own = [name for name, value in vars(module).items() if isinstance(value, types.FunctionType)]
        raise Cannot(f"expected a function {function_name} in {path}, found "
                     f"{', '.join(own) or 'none' if function is None else repr(function)}")
    found = [(function_name, one) for one in ulpscope.declarations if one.function is function]
    kind = "numpy" if importlib.util.find_spec("numpy") else "list"
    return found or [(function_name, ulpscope.declare(function, arrays=kind))]


def version(module: types.ModuleType, frameworks: typing.Iterable[typing.Optional[str]]) -> str:
    """Those of the file, of what it imports and of Python: "1.0, numpy 1.24.2, Python 3.11.2"."""
    names = {value.__name__ for value in vars(module).values() if isinstance(value, types.ModuleType)}
    names = names.union(filter(None, frameworks)).difference(getattr(sys, "stdlib_module_names", ()))
    own = [str(module.__version__)] if hasattr(module, "__version__") else []
    named = [f"{name} {sys.modules[name].__version__}" for name in sorted(names) if hasattr(sys.modules.get(name), "__version__")]
    return ", ".join([*own, *named, f"Python {platform.python_version()}"])


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
                "bound": of.bound, **({"claim": claim} if claim else {}), **({"lengths": list(of.lengths)} if of.lengths else {})}


# ---- calls ----


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

    def arguments(self) -> typing.List[typing.Any]:
        shapes = [(self.rows, self.terms), (self.terms, self.columns)] if self.columns else 2 * [(self.terms,)]
        view = self.memory.windows[self.window]
        return [self.method.arrays.array(view[offset : offset + size], shape)
                for offset, size, shape in zip(self.input_offset, self.input_bytes, shapes) if size]

    def store(self, result: typing.Any) -> int:
        of = self.method.declaration
        if not self.columns:
            struct.pack_into("<d", self.memory.output, self.output_offset, arrays.number(result, of.result))
            return VALUES
        shape, dtype, data = self.method.arrays.matrix(result, of.result)
        expected = ((self.rows, self.columns), ulpscope.DTYPES[of.result])
        if (shape, dtype) != expected:
            raise arrays.Misfit(f"returned {dtype} of shape {shape}; expected {expected[1]} of shape {expected[0]}")
        self.memory.output[self.output_offset : self.output_offset + len(data)] = data
        return BITS

    def run(self) -> typing.Tuple[int, str]:
        """The answer and its text."""
        of, answer, text, result = self.method, FAILED, "", None
        try:
            given = self.arguments()
            began = time.perf_counter_ns()
            result = of.declaration.function(*given)
            of.arrays.synchronise(result)
            self.nanoseconds = time.perf_counter_ns() - began
        except BaseException as error:
            text = what(error, of.path)
        if os.getpid() != PROCESS:
            os._exit(0)  # the function forked: this is not the process that answers
        try:
            answer = FAILED if text else self.store(result)
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
            if self.method.arrays.was_written() and answer != FAILED:
                return FAILED, "wrote to its input"
            if answer == FAILED:
                self.method.arrays.synchronise(None)
        except Exception as error:  # the GPU is lost to this process
            return BROKEN, text or what(error, self.method.path)
        return answer, text


class Worker:
    """The descriptor and who answers on it."""

    def __init__(self) -> None:
        self.socket = socket.socket(fileno=SOCKET)
        self.memory: typing.Optional[Memory] = None

    def say(self, answer: int, number: int = 0, nanoseconds: int = 0, text: str = "") -> None:
        try:
            self.socket.send(REPLY.pack(answer, 0, number, nanoseconds) + text[:TEXT_MOST].encode(errors="replace"))
        except OSError as error:
            sys.exit(f"cannot answer on descriptor {SOCKET}: {error.strerror}; was it closed?")

    def ready(self, argument: str) -> typing.List[Method]:
        file, _, function_name = argument.rpartition(":") if re.search(r":\w+$", argument) else (argument, "", "")
        path = os.path.abspath(file)
        module = load(path)
        change = environment.changed()
        restored = environment.restore()
        methods = [Method(name, declaration, path) for name, declaration in declared(module, function_name)]
        change = change or environment.changed()
        warnings = [f"importing {os.path.basename(path)} changed {change}; "
                    + ("calls are made without" if restored and environment.restore() else "it stays so")] if change else []
        about = {"name": re.sub(r"\W", "_", module.__name__, flags=re.ASCII), "methods": [one.described() for one in methods],
                 "version": version(module, [one.arrays.framework for one in methods]), "warnings": warnings}
        gc.collect()
        gc.freeze()
        self.socket.send(REPLY.pack(READY, 0, 0, 0) + json.dumps(about).encode())
        return methods

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

    def serve(self, methods: typing.List[Method]) -> None:
        while True:
            packet, descriptors = self.receive()
            if not packet:
                return
            fields = REQUEST.unpack(packet)
            if descriptors:
                self.memory = Memory(*descriptors)
            call = Call(methods[fields[0]], fields, typing.cast(Memory, self.memory))
            answer, text = call.run()
            self.say(answer, fields[2], call.nanoseconds, text)
            if answer == BROKEN:
                return
            del call


def main() -> None:
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ulpscope ends its workers
    worker = Worker()
    try:
        worker.serve(worker.ready(sys.argv[1]))
    except Cannot as error:
        worker.say(CANNOT, text=str(error))
    os._exit(0)  # without waiting for threads that a function left behind


if __name__ == "__main__":
    main()
