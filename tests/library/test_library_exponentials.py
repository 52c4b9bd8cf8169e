"""Random softmax, log-softmax and logsumexp of libulpscope, held against Python's decimal, which shares no code with it.

    test_library_exponentials.py libulpscope.so [CALLS]

Nearest and ulp are compared bit for bit; what is rounded up is no less than it must be, and no more than 2^-46 of it, or 2^-145 of the value, above.
"""

import ctypes
import decimal
import math
import random
import sys
from decimal import Decimal
from fractions import Fraction

from calls import *

CALLS = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
decimal.getcontext().prec = 560
decimal.getcontext().Emin, decimal.getcontext().Emax = -10 ** 9, 10 ** 9
library = load(sys.argv[1])
draw = random.Random(20261129)
failures = compared = 0


def check(holds, *facts):
    global failures, compared
    compared += 1
    if not holds:
        failures += 1
        if failures < 20:
            print("FAIL ", *facts)


class Verdict(ctypes.Structure):
    _fields_ = Verdict._fields_ + [("row_sum", ctypes.c_double), ("divergence", ctypes.c_double)]


def fraction(d):
    sign, digits, exponent = d.as_tuple()
    n = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
    return Fraction(n) * Fraction(10) ** exponent


def exact(f):
    return Decimal(f.numerator) / Decimal(f.denominator)  # of numbers of 53 bits from 2^-200 on


def values(operation, row):
    """(value, what errors are relative to) of each result, or a float that is special."""
    numbers = [v for v in row if not isinstance(v, float)]
    if not numbers or any(isinstance(v, float) and not v == -math.inf for v in row):
        return [math.nan] * (1 if operation == LOGSUMEXP else len(row))
    m = max(numbers)
    d = sum(exact(v - m).exp() for v in numbers)
    log = fraction(d.ln())
    if operation == LOGSUMEXP:
        return [(m + log, max(abs(m) + log, 1))]
    of = []
    for v in row:
        if isinstance(v, float):
            of.append((Fraction(0), Fraction(0)) if operation == SOFTMAX else -math.inf)
        elif operation == SOFTMAX:
            e = fraction(exact(v - m).exp() / d) if numbers.count(m) < len(numbers) else Fraction(1, len(numbers))
            of.append((e, e))
        else:
            of.append((v - m - log, max(log + m - v, 1)))
    return of


def draw_row(fmt, n):
    kind = draw.choice(["normal", "normal", "equal", "dominant", "close", "masked", "special", "large", "pairs"])
    top = math.ldexp(1, min(fmt.overflow - 2, 9))
    row = []
    for i in range(n):
        x = draw.gauss(0, 4)
        if kind == "equal":
            x = 1.5
        elif kind == "dominant":
            x = min(top, 7.0) if i == 0 else -draw.random() * min(top, draw.choice([20, 100, 200, 500]))
        elif kind == "close":
            x = 1 + draw.choice([0, 1, 2, 3]) * math.ldexp(1, 1 - fmt.precision)
        elif kind == "masked" and draw.random() < 0.5 or kind == "special" and draw.random() < 0.1:
            x = -math.inf
        elif kind == "special" and draw.random() < 0.2:
            x = draw.choice([math.nan, math.inf])
        elif kind == "large":
            x = draw.uniform(-top, top)
        elif kind == "pairs":
            x = draw.choice([-0.75, 0.5, -0.0])
        row.append(fmt.nearest(Fraction(x)) if math.isfinite(x) else x)
    return row


def above(found, expected, *facts, slack=0.0):
    """Rounded up, and not by much; next to the least number in whole numbers of it."""
    if expected > Fraction(2) ** 1023:
        return
    least = rounded_up(expected)
    check(least <= found <= least * (1 + 2.0 ** -46) + slack + 5e-324, "above", found, least, *facts)


def check_error(error, value, computed, result, facts):
    if isinstance(value, float):
        same = value == error.exact.nearest or value != value and error.exact.nearest != error.exact.nearest
        check(same and math.isnan(error.exact.condition), "special", value, error.exact.nearest, *facts)
        return
    v, scale = value
    check(error.exact.nearest == result.nearest(v), "nearest", error.exact.nearest, result.nearest(v), *facts)
    check(error.exact.ulp == float(power(result.ulp_exponent(v))), "ulp", error.exact.ulp, *facts)
    above(error.exact.abs_above, abs(v), "abs", *facts)
    above(error.exact.sum_abs_above, scale, "sum_abs", *facts)
    check(error.bound == math.inf, "bound", error.bound, *facts)
    if not math.isfinite(computed):
        check(math.isnan(error.error), "no number", *facts)
        return
    off = abs(Fraction(computed) - v)
    check((off == 0) == (error.error == 0), "exact", *facts)
    raised = float(min(abs(v) * Fraction(1, 2 ** 145), 2 ** 1000))  # as no value is known to the last bit
    above(error.error, off, "error", *facts, slack=raised)
    above(error.ulp_error, off / power(result.ulp_exponent(v)), "ulps", *facts, slack=raised / error.exact.ulp)
    if v != 0:
        above(error.exact.condition, scale / abs(v), "condition", *facts)
        above(error.relative_error, off / abs(v), "relative", *facts, slack=2.0 ** -145)
        above(error.backward_error, off / scale, "backward", *facts, slack=2.0 ** -145)


def main():
    seen = {operation: [0, 0, 0] for operation in (SOFTMAX, LOG_SOFTMAX, LOGSUMEXP)}  # results, beyond, not defined
    rows_judged = 0
    last = None
    for call in range(CALLS):
        operation, fmt, result = draw.choice(list(seen)), draw.choice(FORMATS[1:5]), draw.choice(FORMATS[1:5])
        rows, n = draw.choice([1, 1, 2]), draw.choice([0, 1, 1, 2, 3, 4, 6])
        x = [draw_row(fmt, n) for _ in range(rows)]
        room = b"".join(fmt.encode(v).to_bytes(fmt.size, "little") for row in x for v in row)
        buffer = ctypes.create_string_buffer(room, len(room) + 1)
        problem = Problem(ctypes.sizeof(Problem), operation, Array(ctypes.addressof(buffer), fmt.code, 2))
        problem.result = result.code
        problem.x.shape[0], problem.x.shape[1], problem.x.strides[0], problem.x.strides[1] = rows, n, n * fmt.size, fmt.size
        exactly = [[fmt.value(fmt.encode(v))[0] for v in row] for row in x]
        expected = [v for row in exactly for v in values(operation, row)]
        facts = (call, "operation", operation, fmt.name, result.name, x)
        reference, computed, bits = ctypes.byref(problem), [], b""
        check(library.ulpscope_result_count(reference) == len(expected), "count", *facts)
        for value in expected:
            near = value if isinstance(value, float) else result.nearest(value[0])
            b = result.encode(near)
            if draw.random() < 0.4:
                b = draw.choice([0, 1, max(b - 1, 0), min(b + 1, result.infinity), b ^ result.sign, draw.getrandbits(8 * result.size)])
            number, negative = result.value(b)
            computed.append(math.copysign(float(number), -1 if negative else 1))
            bits += b.to_bytes(result.size, "little")
        given = ctypes.create_string_buffer(bits, len(bits) + 1)
        errors = (Error * max(len(expected), 1))()
        errors[0].size = ctypes.sizeof(Error)
        check(library.ulpscope_errors(reference, given, errors) == OK, "errors", library.ulpscope_why(), *facts)
        for k, value in enumerate(expected):
            check_error(errors[k], value, computed[k], result, (*facts, "element", k, "computed", computed[k]))
            last = (errors[k], value, computed[k], result) if not isinstance(value, float) and value[0] != 0 else last
        verdict = Verdict(ctypes.sizeof(Verdict))
        check(library.ulpscope_judge(reference, given, b"exact", ctypes.byref(verdict)) == OK, "judge", *facts)
        fails = sum(not (c == v or c != c and v != v) if isinstance(v, float) else c != result.nearest(v[0]) for c, v in zip(computed, expected))
        check(verdict.failed == fails and verdict.count == len(expected), "failed", verdict.failed, fails, verdict.words, *facts)
        seen[operation] = [a + b for a, b in zip(seen[operation], (len(expected), fails, sum(isinstance(v, float) for v in expected)))]
        if operation == SOFTMAX and n > 0 and all(c >= 0 and c < 1e30 for c in computed):
            of_rows = [(computed[i * n:i * n + n], expected[i * n:i * n + n]) for i in range(rows)]
            of_rows = [(c, [v for v, _ in e]) for c, e in of_rows if not isinstance(e[0], float)]
            rows_judged += len(of_rows)
            probabilities(verdict, of_rows, result, facts)
    print(f"{CALLS} calls, {compared} comparisons, {failures} failures; {seen}; {rows_judged} rows of probabilities")
    before = failures
    for changed in ((last[1][0] * (1 + Fraction(1, 2 ** 40)), last[1][1]), math.nan):  # twins: a wrong value is found
        was = failures
        globals()["failures"] = 100
        check_error(last[0], changed, last[2], last[3], ("twin",))
        if failures == 100:
            print("FAIL  a wrong value is not found")
            return 1
        globals()["failures"] = was
    few = CALLS // 10
    return 1 if before or rows_judged < few or any(all_ < few or not 0 < beyond < all_ or none < few // 10 for all_, beyond, none in seen.values()) else 0


def probabilities(verdict, of_rows, result, facts):
    if not of_rows:
        check(math.isnan(verdict.row_sum) and math.isnan(verdict.divergence) and b"rows sum" not in verdict.words, "no rows", *facts)
        return
    sums = [sum(map(Fraction, c)) for c, _ in of_rows]
    farthest = max(abs(s - 1) for s in sums)
    check(any(abs(Fraction(verdict.row_sum) - s) <= s / 2 ** 51 for s in sums)
          and abs(abs(Fraction(verdict.row_sum) - 1) - farthest) <= farthest / 2 ** 50 + Fraction(1, 2 ** 50), "row_sum", verdict.row_sum, *facts)
    most = -math.inf
    for c, p in of_rows:
        kept = [(Decimal(q), exact_of(e)) for q, e in zip(c, p) if result.nearest(e) > 0]
        most = max(most, math.inf if any(q == 0 for q, _ in kept) else float(sum(e * (e / q).ln() for q, e in kept)))
    same = verdict.divergence == most or abs(verdict.divergence - most) <= 2.0 ** -46 * max(most, 1)
    check(same and b"; rows sum to 1" in verdict.words, "divergence", verdict.divergence, most, verdict.words, *facts)


def exact_of(f):
    with decimal.localcontext() as context:
        context.prec = 60
        return Decimal(f.numerator) / Decimal(f.denominator)


sys.exit(main())
