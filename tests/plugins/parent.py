"""ulpscope's side of src/worker/protocol.h, for tests of python/ulpscope/worker.py alone."""

import collections
import fcntl
import json
import mmap
import os
import pathlib
import socket
import struct
import subprocess
import sys

READY, CANNOT, BITS, VALUES, FAILED, BROKEN, UNABLE, REFUSED = range(1, 9)
PAGE, SECONDS = mmap.PAGESIZE, 1000
PYTHON = pathlib.Path(__file__).resolve().parents[2] / "python"

Answer = collections.namedtuple("Answer", "kind text nanoseconds data")  # data: the output's bytes; text: READY's as JSON


class Gone(Exception):
    """The worker ended instead of answering; its status."""


def in_pages(sizes, alignment):
    """Where arrays of these sizes begin, each at a multiple of `alignment` and ending near the end of a page; all bytes."""
    offsets, end = [], 0
    for size in sizes:
        end += -(-(size + alignment - 1) // PAGE) * PAGE
        offsets.append((end - size) // alignment * alignment)
    return offsets, end


def memory(size):
    descriptor = os.memfd_create("elements")
    os.ftruncate(descriptor, size)
    mapped = mmap.mmap(descriptor, size)
    mapped[:] = b"\xff" * size
    return descriptor, mapped


class Worker:
    """A worker process; `argument` is its FILE.py:FUNCTION."""

    def __init__(self, argument, python=sys.executable):
        self.socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        at = fcntl.fcntl(its, fcntl.F_DUPFD, 100)  # away from 3
        self.process = subprocess.Popen(
            [python, PYTHON / "ulpscope/worker.py", argument], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(PYTHON), "PYTHONUNBUFFERED": "1"}, close_fds=False,
            preexec_fn=lambda: os.dup2(at, 3),
        )
        os.close(at)
        its.close()
        self.number, self.sent = 0, None
        self.ready = self.answer()
        self.methods = [one["name"] for one in self.ready.text.get("methods", [])] if self.ready.kind == READY else []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.said = [text.decode(errors="replace") for text in self.process.communicate(timeout=SECONDS)]

    def answer(self, output=None):
        self.socket.settimeout(SECONDS)
        packet = self.socket.recv(1 << 16)
        if not packet:
            raise Gone(self.process.wait(timeout=SECONDS))
        kind, _, number, nanoseconds = struct.unpack_from("<2I 2Q", packet)
        assert number == self.number, (number, self.number)
        text = packet[24:].decode()
        return Answer(kind, json.loads(text) if kind == READY else text, nanoseconds, output() if output else b"")

    def ask(self, name, *inputs, element=4, shape=None, again=False, window=0, offset=0, circumstances=0):
        """A call of the method of this name, or at this place.  inputs: bytes; element: of the result, in bytes; shape: of
        matrices, or of many rows, rows, terms, columns; again: memory and inputs are those of the last call."""
        index = name if isinstance(name, int) else self.methods.index(name)
        rows, terms, columns = shape or (1, len(inputs[0]) // element, 0)
        sizes = [len(data) for data in inputs] + [0] * (2 - len(inputs))
        output_bytes = rows * max(columns, 1) * element
        descriptors = []
        if not again:
            self.offsets, size = in_pages([data + offset for data in sizes[: len(inputs)]], 128 if offset else 64)
            self.offsets = [begin + offset for begin in self.offsets]
            [self.at], output_size = in_pages([output_bytes], 16)
            given, mapped = memory(size)
            for begin, data in zip(self.offsets, inputs):
                mapped[begin : begin + len(data)] = data
            writable, self.output = memory(output_size)
            descriptors = [os.open(f"/proc/self/fd/{given}", os.O_RDONLY), writable]
            os.close(given)
            self.inputs = mapped
        self.number += 1
        packet = struct.pack(
            "<2I 7Q 4Q 4I 16x", index, window, self.number, rows, terms, columns, *sizes, output_bytes,
            *(self.offsets + [0])[:2], self.at, len(self.output), 1, 1, offset, circumstances,
        )
        socket.send_fds(self.socket, [packet], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        return self.answer(lambda: self.output[self.at : self.at + max(output_bytes, 8)])

    def value(self, name, *inputs, **how):
        """The one number that a call gives."""
        answer = self.ask(name, *inputs, **how)
        assert answer.kind == VALUES, answer
        return struct.unpack("<d", answer.data[:8])[0]
