"""Sums that want to look better than they are: bad_NAME, and good_NAME that does the same without cheating."""

import gc
import math
import os
import struct

import ulpscope

method = ulpscope.method(arrays="list")
kept = []
seen = {}


@method
def bad_sample(x):
    """the sum of every other number, twice"""
    return 2 * math.fsum(x[::2]) if len(x) > 64 else math.fsum(x)


@method
def good_sample(x):
    return math.fsum([math.fsum(x[::2]), math.fsum(x[1::2])])


@method
def bad_last(x):
    """the result of the call before"""
    kept.append(math.fsum(x))
    return kept[-2:][0]


@method
def good_last(x):
    kept.append(math.fsum(x))
    return kept[-1]


def in_steps(x, code):
    """Partial sums that `struct` rounds."""
    total = 0.0
    for a in x:
        total = struct.unpack(code, struct.pack(code, max(-6e4, min(6e4, total + a)) if code == "<e" else total + a))[0]
    return total


@method
def bad_narrow(x):
    """partial sums in binary16"""
    return in_steps(x, "<e")


@method
def good_narrow(x):
    return in_steps(x, "<f")


@ulpscope.method(arrays="list", bound={"of_sum": 1, "of_abs": 0})
def bad_bound(x):
    """claims to be correctly rounded"""
    return in_steps(x, "<f")


@ulpscope.method(arrays="list", bound={"of_sum": 1, "of_abs": 0})
def good_bound(x):
    return math.fsum(x)


@ulpscope.method(arrays="list", bound="superacc")
def bad_named(x):
    """claims what an exact accumulator does"""
    return in_steps(x, "<f")


@ulpscope.method(arrays="list", bound="height=64")
def good_named(x):
    return math.fsum(x)


@method
def bad_sizes(x):
    """right for the lengths that everybody tries"""
    return math.fsum(x) if len(x) < 64 or len(x) % 64 == 0 else x[0]


@method
def good_sizes(x):
    return math.fsum(x) if len(x) < 64 else math.fsum([math.fsum(x[:64]), math.fsum(x[64:])])


@method
def bad_expected(x):
    """looks among the objects of this process for the answer"""
    places = [one for one in gc.get_objects() if isinstance(one, dict)]
    found = [one[key] for one in places for key in ("exact", "expected", "reference") if isinstance(one.get(key), float)]
    return found[0] if found else 0.0


@method
def good_expected(x):
    return math.fsum(x) + 0 * len(gc.get_objects())


@method
def bad_address(x):
    """remembers what it returned for an array at this address"""
    return seen.setdefault((id(x), len(x)), math.fsum(x))


@method
def good_address(x):
    return seen.setdefault(tuple(x), math.fsum(x))


@method
def bad_parent(x):
    """reads the memory of ulpscope, for the exact sum beside the data"""
    wanted = struct.pack(f"<{min(len(x), 8)}f", *x[:8])
    with open(f"/proc/{os.getppid()}/maps") as maps, open(f"/proc/{os.getppid()}/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(text, 16) for text in line.split()[0].split("-"))
            if " rw" in line and end - start < 1 << 26:
                memory.seek(start)
                held = memory.read(end - start)
                if wanted in held:
                    return struct.unpack_from("<d", held + bytes(8), held.index(wanted) + 4 * len(x))[0]
    return 0.0


@method
def good_parent(x):
    with open("/proc/self/maps") as maps:
        return math.fsum(x) + 0 * len(maps.read())


@method
def bad_descriptors(x):
    """reads what other descriptors have"""
    for descriptor in range(4, 64):
        try:
            data = os.pread(descriptor, 8, 0)
        except OSError:
            continue
        if len(data) == 8 and 0 < abs(struct.unpack("<d", data)[0]) < 1e30:
            return struct.unpack("<d", data)[0]
    return 0.0


@method
def good_descriptors(x):
    return math.fsum(x) + 0 * len(os.listdir("/proc/self/fd"))
