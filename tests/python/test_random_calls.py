"""Random calls of every function of the package beside Python's fractions: formats, strides, misaligned memory.

    test_random_calls.py CALLS    each function so often; ULPSCOPE_LIBRARY names the library
"""

import fractions
import math
import random
import sys

from exactly import Fake, PRECISION, last_place, random_array, rounded

import ulpscope
from ulpscope import arrays

RESULTS = [format for format in PRECISION if format not in ("e4m3", "e5m2")]
CLOSE = 1 + fractions.Fraction(1, 2**48)
failures = 0


def expect(fine, function, seed, *found):
    global failures
    failures += not fine
    if not fine:
        print("FAIL ", function, "seed", seed, *map(str, found))


def is_above(found, exact):
    """Whether a binary64 is `exact`, rounded up."""
    if found == math.inf:
        return exact > fractions.Fraction(2) ** 1024 * (1 - fractions.Fraction(1, 2**53))
    return exact <= fractions.Fraction(found) <= exact * CLOSE + fractions.Fraction(2) ** -1074


def problems():
    """Operands, and of each result the exact products or numbers that are added."""
    format, n = random.choice([f for f in arrays.SIZES if f != "tf32"]), random.choice((1, 2, 3, 10, 40))
    kind = random.choice(("sum", "dot", "rows", "matmul"))
    if kind == "sum":
        x, values = random_array(format, (n,))
        return kind, format, (x,), [values], ()
    if kind == "dot":
        (x, a), (y, b) = random_array(format, (n,)), random_array(format, (n,))
        return kind, format, (x, y), [[p * q for p, q in zip(a, b)]], ()
    rows, columns = random.randint(1, 3), random.randint(1, 3)
    x, a = random_array(format, (rows, n))
    of_row = [a[i * n : (i + 1) * n] for i in range(rows)]
    if kind == "rows":
        return kind, format, (x,), of_row, (rows,)
    y, b = random_array(format, (n, columns))
    terms = [[p * q for p, q in zip(row, b[j::columns])] for row in of_row for j in range(columns)]
    return kind, format, (x, y), terms, (rows, columns)


def flat(found):
    if not isinstance(found, list):
        return [found]
    return [number for row in found for number in (row if isinstance(row, list) else [row])]


def computed_near(s, format):
    """A result of the format that is off by a few places, or by anything."""
    near = rounded(s, format)
    if not math.isfinite(near) or random.random() < 0.3:
        near = random.uniform(-2, 2)
    off = fractions.Fraction(near) + random.randint(-3, 3) * fractions.Fraction(2) ** last_place(fractions.Fraction(near), format)
    near = rounded(off, format)
    return near if math.isfinite(near) else 1.0


def once(seed):
    random.seed(seed)
    kind, format, arguments, terms, shape = problems()
    result = random.choice(RESULTS)
    exact = [sum(row, fractions.Fraction(0)) for row in terms]
    sizes = [sum(map(abs, row)) for row in terms]
    if kind in ("sum", "dot"):
        function = ulpscope.exact_sum if kind == "sum" else ulpscope.exact_dot
        expect(function(*arguments, format=result) == rounded(exact[0], result), function.__name__, seed, exact)
    conditions = flat(ulpscope.condition(*arguments))
    expect(len(conditions) == len(exact), "condition", seed, conditions)
    for found, s, size in zip(conditions, exact, sizes):
        expect(found == math.inf if s == 0 and size else is_above(found, size / abs(s)) if s else True, "condition", seed, found, s, size)

    computed = [computed_near(s, result) for s in exact]
    given = Fake(result, b"".join(arrays.encode(result, value) for value in computed), shape or (1,))
    error = [abs(fractions.Fraction(value) - s) for value, s in zip(computed, exact)]
    ulps = flat(ulpscope.ulp_error(given, *arguments))
    for found, e, s in zip(ulps, error, exact):
        expect(is_above(found, e / fractions.Fraction(2) ** last_place(s, result)), "ulp_error", seed, found, e, s)

    limit = random.choice((0, 0.5, 1, 2, 1000))
    verdict = ulpscope.judge(given, *arguments, limit=f"{limit}ulp")
    bad = sum(e > fractions.Fraction(limit) * fractions.Fraction(2) ** last_place(s, result) for e, s in zip(error, exact))
    expect((verdict.passed, verdict.count, verdict.failed) == (bad == 0, len(exact), bad), "judge", seed, verdict, bad)
    expect(ulpscope.judge(given, *arguments, limit="exact").passed == all(
        value == rounded(s, result) for value, s in zip(computed, exact)), "judge exact", seed)
    check_bound(seed, arguments, format, terms, exact, sizes)


def check_bound(seed, arguments, format, terms, exact, sizes):
    """A plain sum, computed as the bound says, keeps it; and it is not larger than it has to be by much."""
    result = "binary32" if format in ("e4m3", "e5m2") else format
    added = "binary64" if format == "binary64" else "binary32"
    u, u_result = (fractions.Fraction(1, 2 ** PRECISION[one]) for one in (added, result))
    for found, row, s, size in zip(flat(ulpscope.bound(*arguments)), terms, exact, sizes):
        total = fractions.Fraction(0)
        for term in row:
            term = rounded(term, added)
            total = rounded(total + fractions.Fraction(term), added) if math.isfinite(term) else math.inf
            if math.isinf(total):
                return
            total = fractions.Fraction(total)
        total = rounded(total, result)
        if math.isfinite(total):
            n = len(row)
            tiny = n * fractions.Fraction(2) ** (arrays.ROUNDING[added][1] + 1) + fractions.Fraction(2) ** arrays.ROUNDING[result][1]
            most = 2 * (n + 1) * u * size + 2 * u_result * (abs(s) + size * n * u) + tiny
            expect(found == math.inf or abs(fractions.Fraction(total) - s) <= fractions.Fraction(found) <= 2 * most, "bound", seed, found, s, most)


def truncated(s, format):
    """What `rounded` must not be."""
    last = fractions.Fraction(2) ** last_place(s, format)
    return float(int(s / last) * last) if abs(s) < 2**15 else math.inf


for call in range(int(sys.argv[1])):
    once(call)
print(f"{sys.argv[1]} calls of each, {failures} failures")

# The twin: against numbers that are truncated, some calls have to fail.
found, failures, rounded, print = failures, 0, truncated, lambda *words: None
for call in range(50):
    once(call)
sys.exit(found > 0 or failures == 0)
