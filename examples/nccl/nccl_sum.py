"""ncclAllReduce as a method of ulpscope: nccl/all_reduce, of one number of each GPU of this machine; and its relatives.

    nccl_sum.py 4                           four GPUs, tensors of four elements, the sum in the first
    nccl_sum.py 4 --count 65536 --place 5   of 65,536 elements, the sum in number 5
    nccl_sum.py 4 --first 1                 GPU 1 has the first number, GPU 2 the second, ..., GPU 0 the last
    nccl_sum.py 4 --symmetric               buffers of a symmetric window: other kernels, which add in binary32
    nccl_sum.py 4 --collective reduce       nccl/reduce, of ncclReduce to GPU 0; reduce_scatter likewise
    nccl_sum.py 4 --average                 ncclAvg instead of ncclSum

NCCL_ALGO and NCCL_PROTO choose the algorithm, as ever.  It needs Python and libnccl.so.2, which PyTorch brings; the
protocol is that of docs/plugins.md.
"""

import argparse
import ctypes
import json
import os
import pathlib
import sys

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # a switch that adds by itself has no order that is documented

# ncclDataType_t, and the bytes of an element
TYPES = {"binary32": (7, 4), "bfloat16": (9, 2), "binary16": (6, 2), "e4m3": (10, 1), "e5m2": (11, 1)}
SUM, AVERAGE, SYMMETRIC, ANY_DIRECTION, ON_HOST = 0, 4, 1, 4, 1
COLLECTIVES = {"all_reduce": "AllReduce", "reduce": "Reduce", "reduce_scatter": "ReduceScatter", "all_gather": "AllGather"}


def library(name):
    """That of the system, or of the packages from which PyTorch has its own."""
    packages = [str(file) for folder in sys.path for file in sorted(pathlib.Path(folder).glob(f"nvidia/*/lib/{name}*"))]
    for candidate in [name, *packages]:
        try:
            return ctypes.CDLL(candidate)
        except OSError as error:
            why = error
    sys.exit(f"nccl_sum: {why}; `pip install torch` brings it, LD_LIBRARY_PATH may name another")


class Ranks:
    """Some GPUs, each with a tensor to send and one to receive, of so many bytes."""

    def __init__(self, ranks, size, is_symmetric=False):
        self.nccl, self.cuda = library("libnccl.so.2"), library("libcudart.so")
        self.nccl.ncclGetErrorString.restype = ctypes.c_char_p
        self.comms, self.ranks = (ctypes.c_void_p * ranks)(), ranks
        self.call("CommInitAll", self.comms, ranks, None)
        self.sent, self.received = ([self.allocate(rank, size) for rank in range(ranks)] for _ in range(2))
        if is_symmetric:
            windows = [ctypes.c_void_p() for _ in range(2 * ranks)]
            self.call("GroupStart")
            for rank, window in enumerate(windows):
                self.cuda.cudaSetDevice(rank % ranks)
                self.call("CommWindowRegister", self.comm(rank % ranks), (self.sent + self.received)[rank], ctypes.c_size_t(size), ctypes.byref(window), SYMMETRIC)
            self.call("GroupEnd")

    def call(self, name, *arguments):
        status = getattr(self.nccl, "nccl" + name)(*arguments)
        if status != 0:
            raise RuntimeError(f"nccl{name}: {self.nccl.ncclGetErrorString(status).decode()}")

    def comm(self, rank):
        return ctypes.c_void_p(self.comms[rank])

    def allocate(self, rank, size):
        pointer = ctypes.c_void_p()
        self.cuda.cudaSetDevice(rank)
        self.call("MemAlloc", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def copy(self, to, of, size, rank):
        self.cuda.cudaSetDevice(rank)
        status = self.cuda.cudaMemcpy(to, of, ctypes.c_size_t(size), ANY_DIRECTION)
        if status != 0:
            raise RuntimeError(f"cudaMemcpy of {size} bytes and GPU {rank}: error {status}")

    def multiplied(self, factor, type):
        """The operation, of each rank, that multiplies by an encoded number before it adds: with 1/P it is ncclAvg."""
        operations = [ctypes.c_int() for _ in range(self.ranks)]
        for rank, operation in enumerate(operations):
            self.call("RedOpCreatePreMulSum", ctypes.byref(operation), factor, TYPES[type][0], ON_HOST, self.comm(rank))
        return operations

    def call_collective(self, collective, rank, count, code, operation, shift=0):
        """Of elements `shift` bytes behind the start of the buffers."""
        tensors = [ctypes.c_void_p(buffer.value + shift) for buffer in (self.sent[rank], self.received[rank])]
        operation = operation[rank] if isinstance(operation, list) else operation
        operations = {"all_reduce": [operation], "reduce": [operation, 0], "reduce_scatter": [operation], "all_gather": []}
        self.call(COLLECTIVES[collective], *tensors, ctypes.c_size_t(count), code, *operations[collective], self.comm(rank), None)

    def run(self, collective, tensors, received, type, operation=SUM, shift=0, others=()):
        """What each rank has received, so many elements, where tensors[r] is what rank r sent.  In the same group as all-reduces
        of `others` elements each, which lie behind."""
        code, width = TYPES[type]
        count = min(len(tensors[0]) // width, received)
        for rank, tensor in enumerate(tensors):
            self.copy(ctypes.c_void_p(self.sent[rank].value + shift), tensor, len(tensor), rank)
            self.copy(ctypes.c_void_p(self.received[rank].value + shift), b"\xff" * width * received, width * received, rank)
        self.call("GroupStart")
        try:
            for number, elements in enumerate([count, *others]):
                for rank in range(self.ranks):
                    self.call_collective(collective, rank, elements, code, operation, shift + number * len(tensors[0]))
        finally:
            self.call("GroupEnd")
        results = [ctypes.create_string_buffer(width * received) for _ in tensors]
        for rank, result in enumerate(results):
            self.copy(result, ctypes.c_void_p(self.received[rank].value + shift), width * received, rank)
        return [result.raw for result in results]

    def collect(self, collective, numbers, type, count, operation=SUM):
        """The tensor of results, where each element of rank r is numbers[r]: that which all ranks have, of a reduce that of
        rank 0, of a reduce_scatter all of theirs, one after the other; count elements of each rank."""
        sent, received = (count * (self.ranks if collective == many else 1) for many in ("reduce_scatter", "all_gather"))
        results = self.run(collective, [number * sent for number in numbers], received, type, operation)
        if collective == "reduce":
            return results[0]
        if collective == "reduce_scatter":
            return b"".join(results)
        if any(result != results[0] for result in results):
            raise RuntimeError("the GPUs have different results")
        return results[0]

    def version(self):
        number = ctypes.c_int()
        self.call("GetVersion", ctypes.byref(number))
        return f"NCCL {number.value // 10000}.{number.value // 100 % 100}.{number.value % 100}"


def at_least(least):
    """A whole number among the arguments."""
    def read(text):
        if not (text.isdecimal() and int(text) >= least):
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, found {text}")
        return int(text)
    return read


def list_of(least):
    return lambda text: [at_least(least)(number) for number in text.split(",")]


def methods(asked, ranks):
    formats = ["binary32"] + [form + ("" if asked.symmetric else f"_in_{form}") for form in ("bfloat16", "binary16")]
    of = [{"name": asked.collective + "_average" * asked.average, "format": form, "deterministic": True, "lengths": [asked.ranks]} for form in formats]
    return {"name": "nccl", "version": f"{ranks.version()}, {asked.ranks} GPUs", "methods": of}


def answer(asked, ranks, question):
    type = question["format"].partition("_in_")[0]
    width, numbers = TYPES[type][1], sys.stdin.buffer.read(question["bytes"])
    given = [numbers[i * width:(i + 1) * width] for i in range(asked.ranks)]
    given = given[asked.ranks - asked.first:] + given[:asked.ranks - asked.first]
    try:
        sums = ranks.collect(asked.collective, given, type, asked.count, AVERAGE if asked.average else SUM)
    except RuntimeError as error:
        return {"error": str(error)}
    return {"bits": "0x" + sums[asked.place * width:(asked.place + 1) * width][::-1].hex()}


def arguments():
    parser = argparse.ArgumentParser(description="ncclAllReduce as a method of ulpscope: nccl/all_reduce")
    parser.add_argument("ranks", type=at_least(1))
    parser.add_argument("--count", type=at_least(1), help="elements of the tensor (default: as many as GPUs)")
    parser.add_argument("--place", type=at_least(0), default=0, help="the element that is looked at")
    parser.add_argument("--first", type=at_least(0), default=0, help="the GPU that has the first number")
    parser.add_argument("--symmetric", action="store_true", help="buffers of a symmetric window")
    parser.add_argument("--collective", choices=[name for name in COLLECTIVES if name != "all_gather"], default="all_reduce")
    parser.add_argument("--average", action="store_true", help="ncclAvg, which divides by the number of GPUs")
    asked = parser.parse_args()
    asked.count = asked.count or asked.ranks
    if asked.place >= asked.count or asked.first >= asked.ranks:
        parser.error(f"expected an element below {asked.count} and a GPU below {asked.ranks}, found {asked.place} and {asked.first}")
    return asked


def main():
    asked = arguments()
    ranks = Ranks(asked.ranks, 4 * asked.count * asked.ranks, asked.symmetric)
    for line in sys.stdin.buffer:
        question = json.loads(line)
        print(json.dumps(methods(asked, ranks) if "request" in question else answer(asked, ranks, question)), flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"nccl_sum: {error}")
