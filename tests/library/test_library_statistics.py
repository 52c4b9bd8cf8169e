"""Random means, variances, cosines and norms of libulpscope, held against Python's fractions, which share no code with it.

    test_library_statistics.py libulpscope.so ulpscope [CALLS]

200 of them are written as cases, which `ulpscope exact` opens and says the same of.  Nearest, ulp and, of quotients, errors are compared bit for bit; what is said of roots is no less than it must be, and no
more than 2^-46 of it above.
"""

import ctypes
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from calls import *

CALLS = int(sys.argv[3]) if len(sys.argv) > 3 else 6000
PROGRAM, OPENED = os.path.abspath(sys.argv[2]), 200
library = load(sys.argv[1])
draw = random.Random(20261128)
failures = compared = 0
TWO = (MEAN_WEIGHTED, COSINE)
ROOTS = (RMS, STD, COSINE)


def check(holds, *facts):
    global failures, compared
    compared += 1
    if not holds:
        failures += 1
        if failures < 20:
            print("FAIL ", *facts)


def same(a, b):
    return a == b and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)


# ---- what is expected: value^2 or value, with its sign, and the scale's ----


class Value:
    """|value| = v, or the root of v; scale likewise; None where it is not defined, a float where it is infinite or NaN."""

    def __init__(self, operation, ddof, x, y):
        self.is_root, self.negative, self.v, self.scale, self.special = operation in ROOTS, False, None, None, None
        n = len(x)
        if n == 0 or operation in (VARIANCE, STD) and n <= ddof:
            self.special = math.nan
            return
        terms = {MEAN: lambda: x, MEAN_WEIGHTED: lambda: [product(a, b) for a, b in zip(x, y)], COSINE: lambda: [
            product(a, b) for a, b in zip(x, y)]}.get(operation, lambda: [product(a, a) for a in x])()
        others = {MEAN_WEIGHTED: y, COSINE: [product(a, a) for a in x + (y or [])], VARIANCE: x, STD: x}.get(operation, [])
        if any(isinstance(v, float) for v, _ in others) or any(isinstance(v, float) for v, _ in terms):
            infinite = [v for v, _ in terms if isinstance(v, float)]
            bad = any(isinstance(v, float) for v, _ in others)
            total = math.nan if bad or operation in (VARIANCE, STD, COSINE) else sum(infinite)
            weights = sum((v for v, _ in y), Fraction(0)) if operation == MEAN_WEIGHTED and not bad else 1
            self.special = math.nan if weights == 0 else -total if weights < 0 else total
            return
        s = sum((v for v, _ in terms), Fraction(0))
        magnitude = sum((abs(v) for v, _ in terms), Fraction(0))
        self.negative = s < 0 or s == 0 and all(v == 0 and sign for v, sign in terms)
        if operation in (MEAN, MEAN_SQUARE, RMS):
            self.v, self.scale = abs(s) / n, magnitude / n
        elif operation in (VARIANCE, STD):
            mean = sum(v for v, _ in x) / n
            self.v, self.scale, self.negative = sum((v - mean) ** 2 for v, _ in x) / (n - ddof), s / (n - ddof), False
        elif operation == MEAN_WEIGHTED:
            weights = sum((v for v, _ in y), Fraction(0))
            if weights == 0:
                self.special = math.nan
                return
            self.v, self.scale, self.negative = abs(s / weights), magnitude / abs(weights), self.negative != (weights < 0)
        else:
            norms = sum(v * v for v, _ in x) * sum(v * v for v, _ in y)
            if norms == 0:
                self.special = math.nan
                return
            self.v, self.scale = s * s / norms, magnitude * magnitude / norms

    def power(self, number):
        return number * number if self.is_root else number

    def ulp_exponent(self, fmt):
        if self.v == 0:
            return fmt.least
        e = floor_log2(self.v)
        return max((e // 2 if self.is_root else e) - fmt.precision + 1, fmt.least)

    def nearest(self, fmt):
        unit = power(self.ulp_exponent(fmt))
        if self.is_root:
            floor = math.isqrt(int(self.v / (unit * unit)))
            up = Fraction(2 * floor + 1, 2) ** 2 * unit * unit
            m = floor + (self.v > up or self.v == up and floor & 1)
        else:
            m = round(self.v / unit)
        rounded = m * unit
        value = math.inf if rounded >= power(fmt.overflow) else float(rounded)
        return math.copysign(value, -1 if self.negative else 1)


def is_up(found, expected, is_root):
    """Whether found is the root of expected, or it, rounded up."""
    if not is_root:
        return same(found, rounded_up(expected))
    if expected == 0:
        return found == 0
    if found == math.inf:
        return expected * (1 + power(-46)) >= power(2048)
    square = Fraction(found) ** 2
    unit = Fraction(5e-324)
    return square >= expected and (square <= expected * (1 + power(-46)) or max(Fraction(found) - 2 * unit, 0) ** 2 <= expected)


def root_bounds(v):
    """Rationals around a root, 2^-200 of it apart."""
    if v == 0:
        return v, v
    scale = 1 << 2 * max(0, 300 - floor_log2(v))
    low = math.isqrt(int(v * scale))
    return Fraction(low, math.isqrt(scale)), Fraction(low + 1, math.isqrt(scale))


def check_error(error, value, computed, fmt, facts):
    exact = error.exact
    if value.special is not None:
        check(same(exact.nearest, value.special), "special", exact.nearest, value.special, *facts)
        agrees = same(error.computed, value.special) or error.computed == value.special  # 0 and -0
        check(error.error == 0 if agrees else error.error != error.error, "special error", error.error, *facts)
        return
    check(same(exact.nearest, value.nearest(fmt)), "nearest", exact.nearest, value.nearest(fmt), *facts)
    ulp = power(value.ulp_exponent(fmt))
    check(exact.ulp == (float(ulp) if ulp < power(1024) else math.inf), "ulp", exact.ulp, *facts)
    check(is_up(exact.abs_above, value.v, value.is_root), "abs", exact.abs_above, *facts)
    check(is_up(exact.sum_abs_above, value.scale, value.is_root), "sum_abs", exact.sum_abs_above, *facts)
    if value.v:
        check(is_up(exact.condition, value.scale / value.v, value.is_root), "condition", exact.condition, *facts)
    else:
        check(exact.condition == (math.inf if value.scale else 1), "condition of 0", exact.condition, *facts)
    if not math.isfinite(computed):
        agrees = computed == exact.nearest
        check(error.error == 0 if agrees else error.error != error.error, "no number", error.error, *facts)
        return
    number = Fraction(computed)
    if not value.is_root:
        off = abs(number - (-value.v if value.negative else value.v))
        expected = (off, off / ulp, off / value.v if value.v else None, off / value.scale if value.scale else None)
        for name, of in zip(("error", "ulp_error", "relative_error", "backward_error"), expected):
            of = (math.inf if off else 0.0) if of is None else rounded_up(of)
            check(same(getattr(error, name), of), name, getattr(error, name), of, *facts)
        return
    low, high = root_bounds(value.v)
    low, high = (-high, -low) if value.negative else (low, high)
    off, most = min(abs(number - low), abs(number - high)), max(abs(number - low), abs(number - high))
    if number * number == value.v and (number < 0) == (low < 0):
        off = most = Fraction(0)
    scales = (Fraction(1), ulp, root_bounds(value.v)[1], root_bounds(value.scale)[1])
    for name, scale in zip(("error", "ulp_error", "relative_error", "backward_error"), scales):
        found = getattr(error, name)
        if scale == 0 or (name == "relative_error" and value.v == 0) or (name == "backward_error" and value.scale == 0):
            check(found == (math.inf if most else 0), name, found, *facts)
        elif found == math.inf:
            check(most / scale >= power(1023), name, found, *facts)
        else:
            least, above = off / scale * (1 - power(-200)), most / scale * (1 + power(-46)) + 2 * Fraction(5e-324)
            check(least <= Fraction(found) <= above, name, found, float(least) if least < power(1000) else least, *facts)


def opens(problem, value, computed, fmt, path, facts):
    """Of one row: what the program says of the case."""
    command = ctypes.create_string_buffer(4096)
    if library.ulpscope_write_case(ctypes.byref(problem), computed, path.encode(), command, ctypes.c_size_t(len(command))) != OK:
        check(False, "case", library.ulpscope_why(), *facts)
        return
    words = command.value.decode().replace("ulpscope", PROGRAM, 1) + " --json -"
    done = subprocess.run(words, shell=True, capture_output=True, text=True, check=False)
    said = json.loads(done.stdout) if done.returncode == 0 else {}
    nearest = said.get("nearest", {}).get(fmt.name, "0")
    found = float(nearest) if nearest.lstrip("-") in ("nan", "inf") else float.fromhex(nearest)
    expected = value.nearest(fmt) if value.special is None else value.special
    check(done.returncode == 0 and same(found, expected), "exact", words, nearest, expected, done.stderr, *facts)


# ---- random problems ----


def draw_bits(fmt, kind):
    if kind == "any":
        return draw.getrandbits(8 * fmt.size)
    if kind == "special" and draw.random() < 0.2:
        return draw.choice([0, fmt.sign, fmt.infinity, fmt.infinity | fmt.sign, fmt.infinity + 1, 1, fmt.sign | 1])
    if kind == "few":
        return fmt.encode(draw.choice([0.0, 1.0, 1.0, 2.0, -1.0, -2.0, 3.0]))
    one = fmt.encode(1.0)
    spread = 0 if kind == "offset" else draw.choice([0, 2]) << (fmt.precision - 1)
    bits = one + (draw.randint(-spread, spread) if spread else 0)
    bits = bits & ~((1 << (fmt.precision - 1)) - 1) | draw.getrandbits(3 if kind == "offset" else fmt.precision - 1)
    return max(0, min(bits, fmt.infinity - 1)) | (fmt.sign if kind != "offset" and draw.random() < 0.5 else 0)


def draw_array(rows, n, dimensions, fmt, keep):
    """Row after row, or column after column, some reversed; and the rows."""
    kind = draw.choice(["any", "special", "near", "few", "offset"])
    by_column = draw.random() < 0.5
    gap = fmt.size + draw.choice([0, 0, 1])
    outer, inner = (gap, gap * max(rows, 1)) if by_column else (gap * max(n, 1), gap)
    buffer = ctypes.create_string_buffer(gap * max(rows * n, 1) + 16)
    keep.append(buffer)
    base = ctypes.addressof(buffer)
    elements = []
    for i in range(rows):
        bits = [draw_bits(fmt, kind) for _ in range(n)]
        for k, b in enumerate(bits):
            ctypes.memmove(base + i * outer + k * inner, b.to_bytes(fmt.size, "little"), fmt.size)
        elements.append([fmt.value(b) for b in bits])
    reverse = draw.random() < 0.2 and n > 0
    array = Array(base + (n - 1) * inner if reverse else base, fmt.code, dimensions)
    inner = -inner if reverse else inner
    array.shape[0], array.shape[1] = (rows, n) if dimensions > 1 else (n, 0)
    array.strides[0], array.strides[1] = (outer, inner) if dimensions > 1 else (inner, 0)
    return array, [row[::-1] if reverse else row for row in elements]


# ---- norms: a result for each number ----


class Element(Value):
    """(x - m) / root(v + eps), as the square of it; m is 0 of an RMS norm."""

    def __init__(self, operation, eps, row, i):
        self.is_root, self.negative, self.v, self.scale, self.special = True, False, None, None, None
        n, (x, sign) = len(row), row[i]
        infinite = [v for v, _ in row if isinstance(v, float)]
        if infinite:
            self.special = math.nan
            return
        m = sum(v for v, _ in row) / n if operation == LAYER_NORM else 0
        size = sum(abs(v) for v, _ in row) / n if operation == LAYER_NORM else 0
        under = sum((v - m) ** 2 for v, _ in row) / n + Fraction(eps)
        if under == 0:
            self.special = math.nan
            return
        self.v, self.scale, self.negative = (x - m) ** 2 / under, (abs(x) + size) ** 2 / under, x < m
        if x == m == 0 and sign:
            self.negative = operation == RMS_NORM or not all(s for _, s in row)


def norms(calls):
    """How many elements were compared, failed and were not defined, and how many were decided by pairs of binary64."""
    counts = [0, 0, 0]
    for call in range(calls):
        keep = []
        operation, fmt, result = draw.choice([LAYER_NORM, RMS_NORM]), draw.choice(FORMATS[1:]), draw.choice(FORMATS[1:5])
        dimensions = draw.choice([1, 2])
        rows, n = draw.choice([1, 2, 3]) if dimensions > 1 else 1, draw.choice([0, 1, 1, 2, 3, 4, 5, 9, 30])
        problem = Problem(ctypes.sizeof(Problem), operation)
        problem.result, problem.eps = result.code, draw.choice([0, 1e-5, 1e-5, 1e-12, 5e-324, 0.5, 1e30, 1e300])
        problem.x, x = draw_array(rows, n, dimensions, fmt, keep)
        values = [Element(operation, problem.eps, row, i) for row in x for i in range(n)]
        facts = (call, "operation", operation, "eps", problem.eps, "n", n, fmt.name, result.name)
        reference, computed, bits = ctypes.byref(problem), [], b""
        check(library.ulpscope_result_count(reference) == rows * n, "count", *facts)
        for value in values:
            near = value.nearest(result) if value.special is None else value.special
            b = result.encode(near) if near == near else result.infinity | 1 << (result.precision - 2)
            if draw.random() < 0.6:
                b = draw.choice([0, 1, max(b - 1, 0), min(b + 1, result.infinity), b ^ result.sign, draw.getrandbits(8 * result.size)])
            number, negative = result.value(b)
            computed.append(math.copysign(float(number), -1 if negative else 1))
            bits += b.to_bytes(result.size, "little")
        room = ctypes.create_string_buffer(bits, len(bits) + 1)
        errors = (Error * max(len(values), 1))()
        errors[0].size = ctypes.sizeof(Error)
        check(library.ulpscope_errors(reference, room, errors) == OK, "errors", library.ulpscope_why(), *facts)
        for k, value in enumerate(values):
            check_error(errors[k], value, computed[k], result, (*facts, "element", k, "computed", computed[k]))
        verdict = Verdict(ctypes.sizeof(Verdict))
        check(library.ulpscope_judge(reference, room, b"exact", ctypes.byref(verdict)) == OK, "judge", *facts)
        fails = sum(not (c == v.nearest(result) if v.special is None else c == v.special or c != c and v.special != v.special)
                    for c, v in zip(computed, values))
        check(verdict.failed == fails and verdict.count == len(values), "failed", verdict.failed, fails, verdict.words, *facts)
        counts = [a + b for a, b in zip(counts, (len(values), fails, sum(v.special is not None for v in values)))]
    return counts


def main():
    global failures
    seen = {operation: [0, 0] for operation in range(MEAN, COSINE + 1)}  # defined, not defined
    judged = failed = opened = 0
    folder = tempfile.TemporaryDirectory(prefix="ulpscope_statistics.")
    for call in range(CALLS):
        keep = []
        operation = draw.randint(MEAN, COSINE)
        fmt, result = draw.choice(FORMATS[1:]), draw.choice(FORMATS[1:5])
        dimensions = draw.choice([1, 2])
        rows, n = draw.choice([0, 1, 2, 3]) if dimensions > 1 else 1, draw.choice([0, 1, 1, 2, 3, 4, 5, 9])
        problem = Problem(ctypes.sizeof(Problem), operation)
        problem.result, problem.ddof = result.code, draw.choice([0, 0, 1, 1, 2, 1 << 63])
        problem.x, x = draw_array(rows, n, dimensions, fmt, keep)
        y = [None] * rows
        if operation in TWO:
            problem.y, y = draw_array(rows, n, dimensions, draw.choice([fmt, draw.choice(FORMATS[1:])]), keep)
        values = [Value(operation, problem.ddof, a, b) for a, b in zip(x, y)]
        facts = (call, "operation", operation, "ddof", problem.ddof, "n", n, fmt.name, result.name)
        reference = ctypes.byref(problem)
        check(library.ulpscope_result_count(reference) == rows, "count", *facts)
        computed, bits = [], b""
        for value in values:
            near = value.nearest(result) if value.special is None else value.special
            b = result.encode(near) if near == near else result.infinity | 1 << (result.precision - 2)
            if draw.random() < 0.6:
                b = draw.choice([0, 1, max(b - 1, 0), min(b + 1, result.infinity), b ^ result.sign, draw.getrandbits(8 * result.size)])
            number, negative = result.value(b)
            computed.append(math.copysign(float(number), -1 if negative else 1))
            bits += b.to_bytes(result.size, "little")
        room = ctypes.create_string_buffer(bits, len(bits) + 1)
        errors = (Error * max(rows, 1))()
        errors[0].size = ctypes.sizeof(Error)
        check(library.ulpscope_errors(reference, room, errors) == OK, "errors", library.ulpscope_why(), *facts)
        for k, value in enumerate(values):
            seen[operation][value.special is not None] += 1
            check_error(errors[k], value, computed[k], result, (*facts, "computed", computed[k]))
        verdict = Verdict(ctypes.sizeof(Verdict))
        check(library.ulpscope_judge(reference, room, b"exact", ctypes.byref(verdict)) == OK, "judge", *facts)
        fails = sum(not (c == v.nearest(result) if v.special is None else same(c, v.special)) for c, v in zip(computed, values))
        check(verdict.failed == fails and verdict.count == rows, "failed", verdict.failed, fails, verdict.words, *facts)
        judged, failed = judged + rows, failed + fails
        if dimensions == 1 and n > 0 and problem.ddof <= 1 and opened < OPENED:
            opens(problem, values[0], room, result, f"{folder.name}/case{call}", facts)
            opened += 1
    elements, beyond, undefined = norms(CALLS // 4)
    print(f"{elements} elements of norms, {beyond} beyond, {undefined} not defined")
    print(f"{CALLS} calls, {compared} comparisons, {judged} results judged, {failed} beyond their limit, {opened} opened, {failures} failures; {seen}")
    before, failures = failures, 20  # the twin, not printed: a wrong expectation is found
    check_error(errors[0], Value(MEAN, 0, [(Fraction(12345), False)], None), 0.5, BINARY64, ("twin, which must fail",))
    found = failures - 20
    check_error(errors[0], Element(LAYER_NORM, 0.5, [(Fraction(12345), False), (Fraction(0), False)], 0), 0.5, BINARY64, ("twin",))
    if not 0 < found < failures - 20:
        print("FAIL  a wrong value is not found")
        return 1
    few = CALLS // 60
    return 1 if before or elements < CALLS or not 0 < beyond < elements or undefined < CALLS // 60 or opened < OPENED or not 0 < failed < judged or any(min(pair) < few // 4 for pair in seen.values()) else 0


sys.exit(main())
