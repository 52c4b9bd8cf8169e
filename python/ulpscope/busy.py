"""Another kernel, which occupies half of a GPU's multiprocessors while a function runs; src/worker/busy.c in Python.

CUDA's driver alone is asked, in the primary context, which is the one of every framework.
"""

import contextlib
import ctypes
import os
import time
import typing

MILLISECONDS, THREADS, SECONDS_TO_START = 100, 1024, 1
NON_BLOCKING, MAPPED, MULTIPROCESSORS = 1, 2, 16  # of cuda.h


class Kernel:
    """The kernel, its stream, and words of the host's memory in which both talk: see busy.ptx."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.function, self.stream = ctypes.c_void_p(), ctypes.c_void_p()
        device, count, context, module, memory = ctypes.c_int(), ctypes.c_int(), *(ctypes.c_void_p() for _ in range(3))
        with open(os.path.join(os.path.dirname(__file__), "busy.ptx"), "rb") as file:
            text = ctypes.c_char_p(file.read())
        self.done(self.cuda.cuInit(0))
        self.done(self.cuda.cuDeviceGet(ctypes.byref(device), 0))
        self.done(self.cuda.cuDeviceGetAttribute(ctypes.byref(count), MULTIPROCESSORS, device))
        self.done(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
        self.done(self.cuda.cuCtxSetCurrent(context))
        self.done(self.cuda.cuModuleLoadData(ctypes.byref(module), text))
        self.done(self.cuda.cuModuleGetFunction(ctypes.byref(self.function), module, b"busy"))
        self.done(self.cuda.cuStreamCreate(ctypes.byref(self.stream), NON_BLOCKING))
        self.blocks = (count.value + 1) // 2
        self.done(self.cuda.cuMemHostAlloc(ctypes.byref(memory), ctypes.c_size_t(4 * (1 + self.blocks)), MAPPED))
        self.talk = (ctypes.c_uint32 * (1 + self.blocks)).from_address(typing.cast(int, memory.value))

    def done(self, error: int) -> None:
        if error:
            raise RuntimeError(f"no kernel could run beside it: CUDA's error {error}")

    def start(self) -> None:
        ctypes.memset(self.talk, 0, ctypes.sizeof(self.talk))
        address, nanoseconds = ctypes.c_uint64(ctypes.addressof(self.talk)), ctypes.c_uint64(MILLISECONDS * 1000 * 1000)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(address), ctypes.addressof(nanoseconds))
        self.done(self.cuda.cuLaunchKernel(self.function, self.blocks, 1, 1, THREADS, 1, 1, 0, self.stream, arguments, None))
        until = time.monotonic() + SECONDS_TO_START
        while not all(self.talk[1:]):
            if time.monotonic() > until:
                raise RuntimeError("the kernel that was to run beside it did not start")

    def stop(self) -> None:
        self.talk[0] = 1
        self.done(self.cuda.cuStreamSynchronize(self.stream))


kept: typing.List[Kernel] = []


@contextlib.contextmanager
def kernel() -> typing.Iterator[None]:
    """While it runs: until the end, or for MILLISECONDS, since a function that waits for the whole GPU waits for it."""
    if not kept:
        kept.append(Kernel())
    try:
        kept[0].start()
        yield
    finally:
        kept[0].stop()
