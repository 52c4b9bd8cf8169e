"""Which element of a tensor NCCL adds in which order, from its sources and from what it says of itself.

A tensor is cut into parts, one for each channel (src/enqueue.cc, scheduleCollTasksToPlan).  A channel has a ring, and
within a machine a chain as its tree; both are found by a search over the machine's links (src/graph/search.cc) and printed with
NCCL_DEBUG=INFO, as are the algorithm, the protocol and the number of channels of each call.  The parts that are computed
here must be as many.
"""

import itertools
import os
import re
import tempfile

from trees import one_by_one, ordered

SAID = r"(AllReduce|Reduce|ReduceScatter): (\d+) Bytes -> Algo (\w+) proto (\w+) channel{Lo..Hi}={0\.\.(\d+)}"
LEAST_TRAFFIC = 16 << 10  # bytes through a channel: MinTrafficPerChannel
THREADS = {"LL": 512, "LL128": 640, "SIMPLE": 512}  # src/include/device.h
# What a ring's all-reduce sends at once: the buffers of src/init.cc by 8 steps, 4 of which are a chunk of SIMPLE; LL and
# LL128 have flags among the data.
CHUNK_BYTES = {"LL": 32768, "LL128": 576000, "SIMPLE": 2 << 20}


def above(a, b):
    return -(-a // b)


class Log:
    """NCCL's, of this process: made before the library is loaded."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile("r", prefix="nccl_")
        os.environ.update(NCCL_DEBUG="INFO", NCCL_DEBUG_SUBSYS="INIT,TUNING", NCCL_DEBUG_FILE=self.file.name)

    def text(self):
        """What came since it was read last."""
        return self.file.read()


class Channels:
    """Of a communicator, as it was made: its rings and trees by channel."""

    def __init__(self, said, ranks):
        self.ranks = ranks
        self.rings = [[int(rank) for rank in ring.split()] for _, ring in sorted(re.findall(r"Channel (\d+)/\d+ :((?: +\d+)+)$", said, re.M))]
        below = [[[] for _ in range(ranks)] for _ in self.rings]
        for line in re.findall(r"INFO Trees (.*)", said):
            for channel, downs, rank in re.findall(r"\[(\d+)\] ([-\d/]+)->(\d+)->", line):
                below[int(channel)][int(rank)] = [int(down) for down in downs.split("/") if int(down) >= 0]
        roots = [set(range(ranks)) - {down for downs in channel for down in downs} for channel in below]
        thresholds = re.search(r"threadThresholds (\d+)/(\d+)/(\d+) \| (\d+)/(\d+)/(\d+)", said)
        if not (self.rings and thresholds and all(len(root) == 1 for root in roots) and all(len(ring) == ranks for ring in self.rings)):
            raise RuntimeError("this NCCL does not say which channels it has; expected 2.27 to 2.30")
        self.trees = [self.tree(channel, *root) for channel, root in zip(below, roots)]
        keys = itertools.product(("TREE", "RING"), ("LL", "LL128", "SIMPLE"))
        self.thresholds = dict(zip(keys, map(int, thresholds.groups())))

    def tree(self, below, rank):
        """What comes from below, a rank's own number, what else comes: (what came, own), as in a ring."""
        first, *others = [self.tree(below, down) for down in below[rank]] or [None]
        return rank if first is None else one_by_one([first, rank, *others])

    def of_tree(self, tree):
        """Those that have it as their chain: 0-5 12-17."""
        runs = merged([[ordered(own), channel, channel + 1] for channel, own in enumerate(self.trees)])
        return " ".join(f"{first}-{end - 1}" for own, first, end in runs if own == tree)

    def parts(self, collective, algorithm, protocol, count, width):
        """Elements in each channel, from the first on."""
        traffic = {"AllReduce": 2, "Reduce": 1, "ReduceScatter": self.ranks}[collective]  # ncclFuncTrafficPerByte
        size = count * width * (self.ranks if collective == "ReduceScatter" else 1)
        most = max(1, min(len(self.rings), size // (THREADS[protocol] * self.thresholds[algorithm, protocol])))
        traffic *= 4 if protocol == "LL" else 1
        cell = above(above(LEAST_TRAFFIC, traffic), 16) * 16
        cells = above(count * width, cell)
        each = min(cells, above(max(LEAST_TRAFFIC, count * width * traffic // most), cell * traffic))
        first = cells if len(self.rings) == 1 else each
        between, last = divmod(cells - first, each)
        if 1 + between + (last > 0) > len(self.rings):
            between = len(self.rings) - 2
            each, rest = divmod(cells - first, between + 1)
            last = each + rest
        parts = [cells * (cell // width) for cells in [first, *[each] * between, last] if cells]
        parts[-1] -= sum(parts) - count
        return parts

    def runs(self, *call):
        """Of neighbours that are added alike."""
        return merged(self.pieces(*call))

    def pieces(self, collective, algorithm, protocol, count, width, root=0):
        """[tree, first element, behind the last] of what a channel moves from rank to rank, of the results rank after rank; of
        a pair (what came, own) of a tree the second was added where it lies."""
        first = 0
        blocks = range(self.ranks) if collective == "ReduceScatter" else [root]
        for block, (channel, part) in itertools.product(blocks, enumerate(self.parts(collective, algorithm, protocol, count, width))):
            pieces = [(self.trees[channel], part)]
            if algorithm == "RING":
                pieces = self.chunks(channel, part, protocol, width) if collective == "AllReduce" else [(self.from_rank_after(block, channel), part)]
            for tree, elements in pieces:
                yield [tree, first, first + elements]
                first += elements

    def from_rank_after(self, rank, channel):
        """Around the ring to that rank, which adds last."""
        ring = self.rings[channel]
        behind = ring.index(rank) + 1
        return one_by_one(ring[behind:] + ring[:behind])

    def chunks(self, channel, part, protocol, width):
        """Chunk k sets out from the ring's rank k + 1 (src/device/all_reduce.h, runRing)."""
        chunk = CHUNK_BYTES[protocol] // width
        while part > 0:
            if part < self.ranks * chunk:
                chunk = above(above(part, self.ranks), 16 // width) * (16 // width)
            for rank in self.rings[channel]:
                elements = min(chunk, part)
                if elements > 0:
                    yield self.from_rank_after(rank, channel), elements
                part -= elements


def merged(runs):
    together = []
    for tree, first, end in runs:
        if together and together[-1][0] == tree:
            together[-1][2] = end
        else:
            together.append([tree, first, end])
    return together


def is_fused(word):
    """Whether LL128 multiplies that 8-byte word of a piece without a condition (src/device/prims_ll128.h, recvReduceSendCopy): the
    first of the two words of a lane, and the second of a lane that keeps a flag in its place (loadRegsBegin, loadRegsFinish)."""
    pair = word // 2 % 60  # 32 lanes load one each, then the 28 without a flag
    return word % 2 == 0 or (pair < 32 and pair % 8 == 7)


def call_of(said):
    """[collective, algorithm, protocol, channels] of the last call."""
    calls = re.findall(SAID, said)
    if not calls:
        raise RuntimeError("NCCL does not say how it made the call; expected 2.27 to 2.30")
    collective, _, algorithm, protocol, last = calls[-1]
    return collective, algorithm, protocol, int(last) + 1
