"""What changes the bits of ncclAllReduce: the same numbers again and again, under load, and otherwise called.

    repeats.py 4                                      a tensor of 100,003 numbers of binary32 on each of four GPUs
    NCCL_ALGO=Ring repeats.py 4 --count 1000000 --repeats 100

Each line says what was changed, how often it was run, and how many elements have other bits than the first run had.  Exit
status 1 if the same call gave other bits once.
"""

import argparse
import array
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import nccl_sum

WIDTH, SHIFT = 4, 4  # bytes
LINE = "{:60} {:>5} {:>9}".format
ENVIRONMENTS = ([{"NCCL_MAX_NCHANNELS": str(channels)} for channels in (1, 4, 16)] +
                [{"NCCL_ALGO": algorithm, "NCCL_PROTO": protocol} for algorithm in ("Ring", "Tree") for protocol in ("LL", "LL128", "Simple")])


def numbers_of(rank, count):
    source = random.Random(rank)
    return array.array("f", (source.gauss(0, 1) for _ in range(count))).tobytes()


def all_reduce(ranks, tensors, **how):
    return ranks.run("all_reduce", tensors, len(tensors[0]) // WIDTH, "binary32", **how)[0]


def differing(a, b):
    """Of the elements that both have."""
    return sum(x != y for x, y in zip(memoryview(a).cast("I"), memoryview(b).cast("I")))


def say(what, expected, results):
    """How many of the results had other bits; the elements are those of the worst."""
    counts = [differing(result, expected) if result[:len(expected)] != expected[:len(result)] else 0 for result in results]
    print(LINE(what, len(counts), max(counts)), flush=True)
    return max(counts)


def child(asked, *words, **environment):
    words = [sys.executable, __file__, str(asked.ranks), "--count", str(asked.count), *words]
    return subprocess.Popen(words, env={**os.environ, **environment}, stdout=subprocess.PIPE)


def result_of(asked, ranks, **environment):
    """The tensor as a process of its own has it, with so many GPUs; b"" where NCCL refuses."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "sums")
        asked = argparse.Namespace(ranks=ranks, count=asked.count)
        child(asked, "--save", str(file), **environment).wait()
        return file.read_bytes() if file.exists() else b""


def in_one_process(asked, ranks, tensors):
    """How often the same call had other bits, and the first result."""
    first = all_reduce(ranks, tensors)
    others = say("the same again", first, (all_reduce(ranks, tensors) for _ in range(asked.repeats)))
    load = child(asked, "--load")
    load.stdout.readline()  # it has begun
    others += say("while other all-reduces use the same GPUs", first, (all_reduce(ranks, tensors) for _ in range(asked.repeats)))
    load.kill()
    load.wait()
    for part in (2, 10):
        say(f"only the first {asked.count // part} elements", first, [all_reduce(ranks, [tensor[:len(tensor) // part // WIDTH * WIDTH] for tensor in tensors])])
    for times in (2, 10):
        say(f"with as many behind them that there are {times} times as many", first, [all_reduce(ranks, [tensor * times for tensor in tensors])])
    say("buffers that begin 4 bytes later", first, [all_reduce(ranks, tensors, shift=SHIFT)])
    say("in a group with two others of the same size", first, [all_reduce(ranks, tensors, others=[asked.count] * 2)])
    return others, first


def in_other_processes(asked, first):
    say("in another process", first, [result_of(asked, asked.ranks) for _ in range(2)])
    for environment in ENVIRONMENTS:
        result = result_of(asked, asked.ranks, **environment)
        what = " ".join(f"{name}={value}" for name, value in environment.items())
        say(what, first, [result]) if result else print(LINE(what, "", "refused"), flush=True)
    gpus = os.environ.get("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(asked.ranks)))).split(",")[:asked.ranks]
    for order in list(itertools.permutations(gpus))[1:3]:
        say(f"the same ranks on GPUs {','.join(order)}", first, [result_of(asked, asked.ranks, CUDA_VISIBLE_DEVICES=",".join(order))])
    if asked.ranks > 2:
        *others, fewer = [result_of(asked, asked.ranks - 1, CUDA_VISIBLE_DEVICES=",".join(gpus[:k] + gpus[k + 1:])) for k in range(asked.ranks)]
        say(f"{asked.ranks - 1} ranks: whichever GPU is left out", fewer, others)


def arguments():
    parser = argparse.ArgumentParser(description="what changes the bits of ncclAllReduce")
    parser.add_argument("ranks", type=nccl_sum.at_least(2))
    parser.add_argument("--count", type=nccl_sum.at_least(10), default=100003, help="elements of the tensor")
    parser.add_argument("--repeats", type=nccl_sum.at_least(1), default=1000)
    parser.add_argument("--save", help=argparse.SUPPRESS)  # this process writes one result there
    parser.add_argument("--load", action="store_true", help=argparse.SUPPRESS)  # and this one keeps the GPUs busy
    return parser.parse_args()


def main():
    asked = arguments()
    tensors = [numbers_of(rank, asked.count) for rank in range(asked.ranks)]
    ranks = nccl_sum.Ranks(asked.ranks, 11 * WIDTH * asked.count)
    if asked.save:
        pathlib.Path(asked.save).write_bytes(all_reduce(ranks, tensors))
        return 0
    if asked.load:
        print("busy", flush=True)
    while asked.load:
        all_reduce(ranks, [tensor * 10 for tensor in tensors])
    print(f"{ranks.version()}, {asked.ranks} GPUs, {asked.count} numbers of binary32 on each")
    print(LINE("what was changed", "runs", "elements"))
    others, first = in_one_process(asked, ranks, tensors)
    in_other_processes(asked, first)
    return 1 if others else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"repeats: {error}")
