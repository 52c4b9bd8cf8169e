"""examples/nccl with a library that adds on the host (fake_nccl.c): the orders of NCCL's sources are recognised in every
element of a tensor, and one order, place or rounding that is another is told.

    test_nccl.py ULPSCOPE SOURCE_DIRECTORY FOLDER_OF_FAKE
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys

ULPSCOPE, SOURCE, FAKE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
NCCL = SOURCE / "examples/nccl"
FORMATS = ("binary32", "bfloat16", "binary16")
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{found}", flush=True)


def run(*words, fault="", **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NCCL_")}
    environment.update(LD_LIBRARY_PATH=str(FAKE), FAULT=fault, **variables)
    done = subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, timeout=1000)
    return done.returncode, done.stdout, done.stderr


def orders(ranks, *words, **variables):
    """Exit status, the rows of the table as [orders, runs, arithmetic, yes or NO], the trees by name, all of it."""
    status, out, err = run(sys.executable, NCCL / "orders.py", ranks, *words, **variables)
    rows = [re.split("  +| (?=yes|NO)", line) for line in out.splitlines() if re.match("(binary|bfloat|e[45]m)", line)]
    trees = dict(re.findall("^  (.*): (.*?)(?:, the chain.*)?$", out, re.M))
    return status, [row[-4:] for row in rows], trees, out + err


def models():
    words = ["--formats", ",".join(FORMATS), "--counts", "1,64,1001"]
    for ranks in (2, 3, 4, 5):
        each = [str((k + 1) % ranks) for k in range(ranks)]
        expected = ["one"] * 3 if ranks == 2 else ["from 1", "from " + ", ".join(each[:4]), "from " + ", ".join(each)]  # of 64, 16 are a chunk
        status, rows, trees, said = orders(ranks, *words, NCCL_ALGO="Ring")
        say(status == 0 and len(rows) == 9 and all(row[2:] == ["rounded at each addition", "yes"] for row in rows)
            and [row[0] for row in rows[:3]] == expected, f"ring of {ranks}: from each rank in turn", said)
        status, rows, trees, said = orders(ranks, *words, NCCL_ALGO="Tree")
        say(status == 0 and len(rows) == 9 and list(trees) == ["one" if ranks == 2 else "to 0"], f"tree of {ranks} in one machine: a chain", said)
    say(trees["to 0"] == "x0 + (x1 + (x2 + (x3 + x4)))" and "the chain of channels 0-1\n" in said, "which adds the last rank first", trees)
    status, rows, trees, said = orders(4, "--symmetric", *words)
    say(status == 0 and all(row[0] == "from 0" for row in rows) and [row[2] for row in rows[::3]] ==
        ["rounded at each addition", "in binary32, rounded once", "in binary32, rounded once"], "symmetric kernels round once", said)
    for collective, expected in (("reduce", "from 1"), ("reduce_scatter", "from 1, 2, 3, 0")):
        status, rows, _, said = orders(4, "--collective", collective, *words)
        say(status == 0 and len(rows) == 9 and all(row[0] == expected for row in rows), f"{collective}: the rank that has it adds last", said)
        status, rows, _, said = orders(3, "--average", "--collective", collective, *words)
        say(status == 0 and len(rows) == 9 and all("multiplied and added at once" in row[2] for row in rows), f"average of a {collective}", said)
    for collective, algorithm in (("all_reduce", "Ring"), ("all_reduce", "Tree"), ("reduce", "Ring"), ("reduce_scatter", "Ring")):
        status, rows, _, said = orders(3, "--average", "--collective", collective, *words, NCCL_ALGO=algorithm, NCCL_PROTO="LL128")
        say(status == 0 and [row[2].split(", ")[1] for row in rows] == ["multiplied and added at once"] + ["some words at once"] * 2 + ["multiplied before"] * 6,
            f"average of a {collective} by LL128, {algorithm}: some words of binary32, none of 16 bits", said)
    status, rows, _, said = orders(2, "--average", "--of", "3", *words, NCCL_PROTO="LL128")
    say(status == 0 and [row[2].split(", ")[1] for row in rows[::4]] == ["multiplied and added at once", "multiplied before", "multiplied before"], "two GPUs show the products of three", said)
    status, rows, _, said = orders(4, "--collective", "all_gather", *words)
    say(status == 0 and [row[2] for row in rows] == ["moved as they are"] * 9, "all-gather adds nothing", said)


def recorded():
    """The model at hand of what was recorded on GPUs: how many orders there are, and how many runs of them, in three machines."""
    sys.path[:0] = [str(NCCL), str(NCCL.parent)]
    rows = sum(len(unlike_record(ranks, log_of(ranks))[0]) for ranks in (2, 3, 4))
    unlike = [row for ranks in (2, 3, 4) for row in unlike_record(ranks, log_of(ranks))[1]]
    say(rows == 810 and not unlike, f"as many orders in turn as three machines had, {rows} tensors", unlike)
    say(len(unlike_record(3, log_of(3, [0] * 12))[1]) == 26, "told: three GPUs with one chain", unlike_record(3, log_of(3, [0] * 12))[1])


def by_hand():
    """Where fake and record are silent: parts and chunks worked out from src/enqueue.cc and init.cc, codes from their definition."""
    import argparse
    import channels
    import orders as script
    model, two = channels.Channels(log_of(4), 4), channels.Channels(log_of(2), 2)
    for call, parts in ((("Reduce", "RING", "LL128", 100003, 4), [8192] * 12 + [1699]), (("ReduceScatter", "RING", "LL", 4097, 4), [1280] * 3 + [257]),
                        (("AllReduce", "TREE", "LL128", 49153, 4), [2048] * 23 + [2049])):  # the last: 25 cells, 24 channels
        say(model.parts(*call) == parts, f"parts of {call}", model.parts(*call))
    for protocol, part, chunks in (("LL", 16389, [8192, 8192, 4, 1]), ("LL128", 1000003, [144000] * 6 + [68004, 67999]), ("SIMPLE", 1500003, [524288] * 2 + [225716, 225711])):
        found = [elements for _, elements in two.chunks(0, part, protocol, 4)]
        say(found == chunks, f"chunks of {protocol}", found)
    turned = log_of(3).replace("Channel 01/24 : 0 1 2", "Channel 01/24 : 0 2 1").splitlines()[::-1]
    say(channels.Channels("\n".join(turned), 3).rings[:3] == [[0, 1, 2], [0, 2, 1], [0, 1, 2]], "rings by channel, however they are printed")
    say([script.tree_of({(0, 1): 2, (0, 2): leaves, (1, 2): leaves}, [0, 1, 2]) for leaves in (3, 2)] == [((0, 1), 2), None], "leaves that no tree has")
    codes = [(1.0625, "e4m3", 0x38), (2.0**-9, "e4m3", 1), (448, "e4m3", 0x7e), (-1.0, "e4m3", 0xb8), (1.125, "e5m2", 0x3c), (2.0**-16, "e5m2", 1), (57344, "e5m2", 0x7b), (2.0**-133, "bfloat16", 1)]
    found = [int.from_bytes(script.encode(script.to_format(x, form), form), "little") for x, form, _ in codes]
    say(found == [code for _, _, code in codes], "codes of fp8", found)
    say([code for code, _ in script.nccl_sum.TYPES.values()] == [7, 9, 6, 10, 11], "ncclDataType_t as in nccl.h")
    asked = argparse.Namespace(average=True, symmetric=False)
    say([script.arithmetic_of(asked, form, "LL128")[1] for form in ("e4m3", "e5m2", "bfloat16")] == [script.BEFORE] * 3, "fp8 and 16 bits by LL128 round their products")


def unlike_record(ranks, log):
    """Rows of a machine's record, and those of which the model has another number of orders or runs."""
    import channels
    text, rows, unlike = (SOURCE / f"reports/samples/collectives/nccl_{ranks}_gpus.txt").read_text(), [], []
    model = channels.Channels(log, ranks)
    for algorithm, protocol, table in re.findall(r"^NCCL 2.28.3, \d GPUs, 24 channels, AllReduce, (Ring|Tree), (LL|LL128|Simple)\n(.*?)^  ", text, re.M | re.S):
        for form, count, orders, runs in re.findall(r"^(\S+) +(\d+)  (.*?)  +(\d+)  ", table, re.M):
            width = {"binary32": 4, "e4m3": 1, "e5m2": 1}.get(form, 2)
            found = channels.merged([[channels.ordered(tree), first, end] for tree, first, end in model.runs("AllReduce", algorithm.upper(), protocol.upper(), int(count), width)])
            rows.append((algorithm, protocol, form, count))
            if (len({run[0] for run in found}), len(found), found[-1][2]) != (orders.count(",") + 1, int(runs), int(count)):
                unlike.append(rows[-1])
    return rows, unlike


def log_of(ranks, roots=()):
    """Lines as NCCL 2.28.3 wrote them on 2, 3 and 4 H200: the chains of three GPUs are three."""
    rings = [f"x NCCL INFO Channel {channel:02}/24 : {' '.join(map(str, range(ranks)))}" for channel in range(24)]
    roots = list(roots) or ([0] * 6 + [1] * 3 + [2] * 3 if ranks == 3 else [0] * 12)
    trees = [[] for _ in range(ranks)]
    for channel, root in enumerate(roots * 2):
        for depth in range(ranks):
            rank, down, up = ((root + depth + step) % ranks for step in (0, 1, -1))
            trees[rank].append(f"[{channel}] {down if depth + 1 < ranks else -1}/-1/-1->{rank}->{up if depth else -1}")
    lines = [f"x NCCL INFO Trees {' '.join(tree)}" for tree in trees]
    return "\n".join([*rings, *lines, f"x NCCL INFO threadThresholds 8/8/64 | {8 * ranks}/8/64 | 512 | 512\n"])


def faults():
    words = ["--formats", "binary32,bfloat16", "--counts", "64"]
    for fault, pattern in (("neighbours", "other 4"), ("place", "from 2, 3, 0, 1"), ("behind", "from 1, 2, 3, 0"), ("channels", "other channels"),
                           ("ranks", "the GPUs have different results"), ("fails", "invalid argument")):
        status, rows, _, said = orders(4, *words, NCCL_ALGO="Ring", fault=fault)
        say(status == 1 and [row[-1] for row in rows] == ["NO", "NO"] and pattern in said, f"told: {fault}", said)
    for collective in ("reduce", "reduce_scatter"):
        status, rows, _, said = orders(4, "--collective", collective, *words, fault="place")
        say(status == 1 and [row[-1] for row in rows] == ["NO", "NO"], f"told of a {collective}: place", said)
    status, rows, _, said = orders(4, "--collective", "all_gather", *words, fault="gathered")
    say(status == 1 and [row[2:] for row in rows] == [["other bits", "NO"]] * 2, "told: gathered", said)
    for fault, protocol, arithmetic in (("apart", "LL", "other bits"), ("apart", "LL128", "other bits"), ("before", "LL128", "rounded at each addition, multiplied before")):
        status, rows, _, said = orders(3, "--average", "--formats", "binary32,bfloat16", "--counts", "1001", NCCL_PROTO=protocol, fault=fault)
        say(status == 1 and [row[2:] for row in rows] == [[arithmetic, "NO"], [arithmetic, "NO" if fault == "apart" else "yes"]], f"told of {protocol}: {fault}", said)
    for (fault, arithmetic), how in itertools.product((("before", "multiplied before"), ("after", "divided after")), ([3], [2, "--of", 3])):
        status, rows, _, said = orders(*how, "--average", *words, fault=fault)
        say(status == 1 and [row[2:] for row in rows] == [[f"rounded at each addition, {arithmetic}", "NO"]] * 2, f"told of {how}: {fault}", said)
    status, rows, _, said = orders(4, *words, NCCL_ALGO="Ring", fault="once")
    say(status == 1 and [row[2:] for row in rows] == [["rounded at each addition", "yes"], ["in binary32, rounded once", "NO"]], "told: once", said)
    status, _, _, said = orders(4, *words, NCCL_ALGO="Tree", fault="once")
    say(status == 1 and "NO" in said, "told of a tree: once", said)
    status, _, _, said = orders(17, NCCL_ALGO="Ring")
    say(status == 1 and said == "orders: ncclCommInitAll: invalid argument\n", "more GPUs than there are", said)
    for words, found in (("orders 1", "2 on, found 1"), ("orders 3 --counts 64,0", "1 on, found 0"), ("orders 3 --formats float32", "found float32"),
                         ("orders 3 --symmetric --average", "no model"), ("orders 3 --of 3", "found a sum"), ("repeats 3 --repeats 0", "1 on, found 0"), ("repeats 3 --count 9", "10 on, found 9"),
                         ("nccl_sum 3 --first 3", "0 and 3"), ("nccl_sum 3 --place 3", "3 and 0"), ("tensor_parallel nothing 4 2,x", "1 on, found x")):
        script, *others = words.split()
        status, out, err = run(sys.executable, NCCL / f"{script}.py", *others)
        say(status == 2 and out == "" and found in err, f"refused: {words}", err)
    status, _, err = run(sys.executable, NCCL / "tensor_parallel.py", "nothing", 4, 2)
    say(status == 1 and err.startswith("tensor_parallel: ") and "'nothing'" in err, "no such program", err)
    status, _, _, said = orders(3, fault="silent")
    say(status == 1 and said.startswith("orders: this NCCL does not say which channels it has"), "an NCCL that says nothing", said)


def repeated():
    def lines(**variables):
        status, out, err = run(sys.executable, NCCL / "repeats.py", 3, "--count", 1001, "--repeats", 5, NCCL_ALGO="Ring", **variables)
        return status, {what: int(elements) for what, elements in re.findall(r"^(.*?)  +\d+ +(\d+)$", out, re.M)}, out + err

    status, counts, said = lines()
    changed = {what for what, elements in counts.items() if elements}
    say(status == 0 and len(counts) == 21 and "the same again" not in changed and "NCCL_ALGO=Tree NCCL_PROTO=LL" in changed
        and "only the first 100 elements" in changed and not any("left out" in what for what in changed), "what changes the bits", said)
    status, counts, said = lines(fault="again")
    say(status == 1 and counts["the same again"] == 1, "told: a call that gives other bits", said)
    for fault, what, expected in (("later", "while other all-reduces use the same GPUs", 1), ("shifted", "buffers that begin 4 bytes later", 0),
                                  ("grouped", "in a group with two others of the same size", 0), ("devices", "2 ranks: whichever GPU is left out", 0)):
        status, counts, said = lines(fault=fault)
        say(status == expected and counts[what] == 1, f"told: {what}", said)


def probed():
    def tree(method, pipe, algorithm):
        return run(ULPSCOPE, "tree", "--probe", method, "-n", 4, "--pipe", f"{sys.executable} {NCCL}/nccl_sum.py 4 --count 64 {pipe}", NCCL_ALGO=algorithm)

    for place, first in ((0, 1), (20, 2), (63, 0)):
        status, out, err = tree("nccl/all_reduce", f"--place {place} --first {first}", "Ring")
        say(status == 0 and "same tree as  plain/serial, plain/ranks_ring;" in out, f"tree --probe names the ring of element {place}", out + err)
    status, out, err = tree("nccl/all_reduce", "--place 20 --first 1", "Ring")
    say(status == 0 and "ranks_ring" not in out, "but not from another rank", out + err)
    status, out, err = tree("nccl/all_reduce_average", "--first 1 --average", "Ring")
    say(status == 2 and "the sum is 0x1p-1; expected a count" in err, "an average of four is a quarter of the sum", out + err)
    status, out, err = tree("nccl/all_reduce@bfloat16_in_bfloat16", "", "Tree")
    say(status == 0 and re.search(r"^order +x0 \+ \(x1 \+ \(x2 \+ x3\)\)$", out, re.M), "and draws the chain", out + err)


def split():
    def said(*words):
        return run(sys.executable, NCCL / "tensor_parallel.py", ULPSCOPE, *words)

    status, out, err = said(12, 3)
    import tensor_parallel
    own = tensor_parallel.tree_of(ULPSCOPE, "plain/ranks_ring", 12, 3)
    say(status == 0 and out.startswith("((((x0 + x1) + x2) + x3) + (((x4 + x5) + x6) + x7)) + (((x8 + x9) + x10) + x11)\nheight 5; of one GPU 11\n"),
        "a product of 12 over 3 GPUs, as one tree", out + err)
    say(out.splitlines()[0] == tensor_parallel.text_of(own), "which is that of plain/ranks_ring", own)
    say(tensor_parallel.height(((0, 1), (2, (3, 4)))) == 3, "the height is that of the longest path")
    status, out, err = said(16, "2,3,4,16", "--table")
    rows = {tuple(row[:2]): row[2:] for row in map(str.split, out.splitlines()[1:])}
    say(rows["plain/pairwise_1", "plain/ranks_recursive_doubling"] == ["same", "other", "same", "same"]
        and rows["plain/serial", "plain/ranks_ring"] == ["other"] * 3 + ["same"] and len(rows) == 15, "which splits have the tree of one GPU", out + err)
    status, _, err = said(4, 5)
    say(status == 2 and "expected 1 to K GPUs" in err, "more GPUs than products", err)


models()
recorded()
by_hand()
faults()
repeated()
split()
probed()
sys.exit(1 if failures else 0)
