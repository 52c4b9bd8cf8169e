"""10,000 random calls of every function of libulpscope, held against Python's fractions.

    test_library_calls.py libulpscope.so [CALLS]

Formats, strides, shapes and special numbers are random; every value is compared bit for bit, but conditions and errors
of matrix products, which are bounds: no less than they must be, and no more than 2^-48 of it above.
"""

import ctypes
import math
import random
import struct
import sys
from fractions import Fraction

from calls import *

CALLS = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
library = load(sys.argv[1])
draw = random.Random(20251124)
failures = 0


def check(holds, *facts):
    global failures
    if not holds:
        failures += 1
        if failures < 20:
            print("FAIL ", *facts)


def same(a, b):
    return struct.pack("d", a) == struct.pack("d", b) or (a != a and b != b)


# ---- random problems ----


def draw_bits(fmt, kind):
    if kind == "any":
        return draw.getrandbits(8 * fmt.size)
    if kind == "special" and draw.random() < 0.3:
        return draw.choice([0, fmt.sign, fmt.infinity, fmt.infinity | fmt.sign, fmt.infinity + 1, 1, fmt.sign | 1])
    one = fmt.encode(1.0)
    spread = draw.choice([0, 2, 8]) << (fmt.precision - 1)
    bits = one + draw.randint(-spread, spread) if spread else one
    bits = max(0, min(bits, fmt.infinity - 1)) & ~((1 << (fmt.precision - 1)) - 1) | draw.getrandbits(fmt.precision - 1)
    return min(bits, fmt.infinity - 1) | (fmt.sign if draw.random() < 0.5 else 0)


def draw_array(dimensions, shape, fmt, keep):
    """An Array over a buffer of its own, and its elements by index."""
    count = [shape[0], shape[1] if dimensions > 1 else 1]
    kind = draw.choice(["any", "special", "near", "near"])
    gap = draw.choice([0, 0, 0, 1, 3])
    inner, outer = (1, 0) if draw.random() < 0.5 else (0, 1)
    unit = fmt.size + gap
    strides = [0, 0]
    strides[inner] = unit
    strides[outer] = unit * max(count[inner], 1) + draw.choice([0, 0, unit, 1])
    if dimensions == 1:
        strides = [unit, 0]
    for d in range(dimensions):
        form = draw.random()
        strides[d] = 0 if form < 0.05 else -strides[d] if form < 0.2 else strides[d]
    low = sum(min(0, strides[d] * (count[d] - 1)) for d in range(dimensions)) if all(count[:dimensions]) else 0
    high = sum(max(0, strides[d] * (count[d] - 1)) for d in range(dimensions)) if all(count[:dimensions]) else 0
    offset = draw.choice([0, 0, 1, 5])
    buffer = ctypes.create_string_buffer(high - low + fmt.size + offset + 16)
    base = (ctypes.addressof(buffer) + 15) // 16 * 16 + offset
    keep.append(buffer)
    elements = {}
    for i in range(count[0]):
        for j in range(count[1]):
            at = base - low + i * strides[0] + (j * strides[1] if dimensions > 1 else 0)
            ctypes.memmove(at, draw_bits(fmt, kind).to_bytes(fmt.size, "little"), fmt.size)
    for i in range(count[0]):
        for j in range(count[1]):
            at = base - low + i * strides[0] + (j * strides[1] if dimensions > 1 else 0)
            elements[i, j] = fmt.value(int.from_bytes(ctypes.string_at(at, fmt.size), "little"))
    array = Array(base - low, fmt.code, dimensions)
    array.shape[0], array.shape[1] = shape[0], shape[1] if dimensions > 1 else 0
    array.strides[0], array.strides[1] = strides[0], strides[1] if dimensions > 1 else 0
    return array, elements


def draw_problem():
    keep = []
    operation = draw.choice([SUM, SUM, DOT, ROWS, MATMUL, SCAN, SCAN])
    fmt, other = draw.choice(FORMATS[1:]), draw.choice(FORMATS[1:])
    other = other if draw.random() < 0.3 else fmt
    n = draw.choice([0, 1, 1, 2, 3, 5, 9])
    rows, columns = (draw.choice([0, 1, 2, 3]), draw.choice([0, 1, 2, 5])) if operation >= ROWS else (1, 1)
    columns = columns if operation == MATMUL else 1
    result = draw.choice(FORMATS[1:5])
    problem = Problem(ctypes.sizeof(Problem), operation)
    problem.result = result.code
    problem.added = draw.choice([0, 0, 1, 2, 3, 4])
    problem.window = draw.choice([0, 1, 2, 3, 100]) if operation == SCAN else 0
    if operation >= ROWS:
        problem.x, x = draw_array(2, (rows, n), fmt, keep)
    else:
        problem.x, column = draw_array(1, (n, 0), fmt, keep)
        x = {(0, i): v for (i, _), v in column.items()}
    y = None
    if operation in (DOT, MATMUL):
        problem.y, y = draw_array(2 if operation == MATMUL else 1, (n, columns if operation == MATMUL else 0), other, keep)
    exact = []
    for i in range(rows):
        for j in range(columns):
            terms = [product(x[i, k], y[k, j]) if y is not None else x[i, k] for k in range(n)]
            if operation == SCAN:
                exact += [Exact(terms[max(0, k + 1 - (problem.window or n)):k + 1], result) for k in range(n)]
            else:
                exact.append(Exact(terms, result))
    return problem, exact, keep


def n_of(problem):
    return max(1, problem.x.shape[1])


def draw_computed(exact, result):
    """A number of the format that is near, wrong, or none."""
    form = draw.random()
    if form < 0.4 and not math.isnan(exact.nearest):
        bits = result.encode(exact.nearest)
        return min(max(0, (bits & ~result.sign) + draw.choice([-2, -1, 0, 0, 1, 2])), result.infinity) | (
            bits & result.sign
        )
    if form < 0.5:
        return 0
    if form < 0.9:
        return draw_bits(result, "near")
    return draw_bits(result, "special")


# ---- what is expected ----


def up_to(found, expected, exactly):
    """Whether found is expected rounded up."""
    if isinstance(expected, float):
        return same(found, expected)
    if exactly:
        return same(found, rounded_up(expected))
    least = rounded_up(expected)
    return least <= found <= least * (1 + 2.0**-48)


def check_value(value, exact, exactly, facts):
    check(same(value.nearest, exact.nearest), "nearest", value.nearest, exact.nearest, *facts)
    if exact.special is not None:
        check(value.ulp != value.ulp and value.condition != value.condition, "special value", *facts)
        return
    ulp = exact.ulp()
    check(value.ulp == (float(ulp) if ulp < power(1024) else math.inf), "ulp", value.ulp, *facts)
    check(same(value.abs_above, rounded_up(abs(exact.s))), "abs", value.abs_above, *facts)
    check(same(value.sum_abs_above, rounded_up(exact.sum_abs)), "sum_abs", value.sum_abs_above, *facts)
    condition = exact.sum_abs / abs(exact.s) if exact.s else (math.inf if exact.sum_abs else 1.0)
    check(up_to(value.condition, condition, exactly), "condition", value.condition, condition, *facts)


def check_error(error, exact, bits, exactly, facts):
    computed, _ = exact.result.value(bits)
    check_value(error.exact, exact, exactly, facts)
    names = ("error", "ulp_error", "relative_error", "backward_error")
    if exact.special is not None or isinstance(computed, float):
        agrees = isinstance(computed, float) and same(computed, exact.nearest)
        for name in names:
            found = getattr(error, name)
            check(found == 0 if agrees else found != found, "special", name, found, *facts)
        return
    off = abs(computed - exact.s)
    infinite = lambda of: math.inf if off else 0.0
    expected = (
        off,
        off / exact.ulp(),
        off / abs(exact.s) if exact.s else infinite(off),
        off / exact.sum_abs if exact.sum_abs else infinite(off),
    )
    for name, of, is_exact in zip(names, expected, (True, exactly, exactly, exactly)):
        check(up_to(getattr(error, name), of, is_exact), name, getattr(error, name), float(of) if of < 1 else of, *facts)


def down(text):
    """The largest binary64 that is no more than a decimal, as limits are read."""
    near = float(text)
    return Fraction(near if Fraction(near) <= Fraction(text) else math.nextafter(near, 0))


LIMITS = [
    (b"0ulp", "ulp", Fraction(0)), (b"0.5ulp", "ulp", Fraction(1, 2)), (b"2ulp", "ulp", Fraction(2)), (b"exact", "exact", None),
    (b"1e-3", "relative", down("1e-3")), (b"0.25", "relative", Fraction(1, 4)), (b"1e-6abs", "backward", down("1e-6")),
]


def passes(exact, bits, unit, most):
    computed, _ = exact.result.value(bits)
    if exact.special is not None or isinstance(computed, float):
        return isinstance(computed, float) and same(computed, exact.nearest)
    off = abs(computed - exact.s)
    if unit == "exact":
        return float(computed) == exact.nearest
    return off <= most * {"ulp": exact.ulp(), "relative": abs(exact.s), "backward": exact.sum_abs}[unit]


def main():
    judged = failed = 0
    for call in range(CALLS):
        problem, exact, keep = draw_problem()
        count, result = len(exact), FORMATS[problem.result]
        facts = (call, "operation", problem.operation, "format", problem.x.format, "result", result.name)
        reference = ctypes.byref(problem)
        check(library.ulpscope_result_count(reference) == count, "count", *facts)
        exactly = problem.operation != MATMUL
        size = ctypes.sizeof(Value) + draw.choice([0, 8, 24])  # of a later version
        values = ctypes.create_string_buffer(size * max(count, 1))
        Value.from_buffer(values).size = size
        check(library.ulpscope_exact(reference, values) == OK, "exact", library.ulpscope_why(), *facts)
        for k, of in enumerate(exact):
            check_value(Value.from_buffer(values, k * size), of, exactly, facts)
        out = ctypes.create_string_buffer(result.size * count + 8)
        check(library.ulpscope_rounded(reference, out) == OK, "rounded", *facts)
        for k, of in enumerate(exact):
            bits = int.from_bytes(out.raw[k * result.size : (k + 1) * result.size], "little")
            value, negative = result.value(bits)
            check(same(math.copysign(float(value), -1 if negative else 1), of.nearest) or of.nearest != of.nearest and value != value, "rounded", value, of.nearest, *facts)
        all_bits = [draw_computed(of, result) for of in exact]
        computed = b"".join(bits.to_bytes(result.size, "little") for bits in all_bits)
        offset = draw.choice([0, 1])
        room = ctypes.create_string_buffer(b"\0" * offset + computed, len(computed) + offset + 1)
        computed_at = ctypes.c_void_p(ctypes.addressof(room) + offset)
        errors = (Error * max(count, 1))()
        errors[0].size = ctypes.sizeof(Error)
        check(library.ulpscope_errors(reference, computed_at, errors) == OK, "errors", *facts)
        for k, of in enumerate(exact):
            check_error(errors[k], of, all_bits[k], exactly, facts)
        limit, unit, most = draw.choice(LIMITS)
        verdict = Verdict(ctypes.sizeof(Verdict))
        check(library.ulpscope_judge(reference, computed_at, limit, ctypes.byref(verdict)) == OK, "judge", *facts)
        fails = sum(not passes(of, bits, unit, most) for of, bits in zip(exact, all_bits))
        judged, failed = judged + count, failed + fails
        if unit in ("ulp", "exact") or exactly:
            check(verdict.failed == fails and verdict.count == count, "judge", limit, verdict.failed, fails, *facts, verdict.words)
            check(verdict.passed == (fails == 0), "passed", *facts)
        if fails and verdict.failed:
            worst = verdict.row * (count // max(1, problem.x.shape[0])) + verdict.column if problem.operation >= ROWS else 0
            first = next(k for k in range(count) if not passes(exact[k], all_bits[k], unit, most))
            place = divmod(first, n_of(problem))
            is_named = (b"results fail, the first in row %d, element %d," % place in verdict.words or
                        b"results fail; the first and worst is " in verdict.words and (verdict.row, verdict.column) == place)
            check(is_named == (problem.operation == SCAN and fails > 1), "first", first, verdict.words, *facts)
            check(not passes(exact[worst], all_bits[worst], unit, most), "worst", *facts)
    print(f"{CALLS} calls of each function, {judged} results judged, {failed} beyond their limit, {failures} failures")
    # the twins: what is compared can be seen to differ
    wrong = Exact([(Fraction(1), False)], BINARY32)
    check_before = failures
    value = Value(0, 1.5, 1, 1, 1, 1)
    check_value(value, wrong, True, ("twin, which must fail",))
    if failures != check_before + 2:
        print("FAIL  a wrong value is not found")
        return 1
    return 1 if check_before or not failed or failed == judged else 0


sys.exit(main())
