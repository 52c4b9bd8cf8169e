"""Exact prefixes and windows once more, by Python's fractions: test_scan prints rows and the elements asked for.

  test_scan_fractions.py TESTS_REFERENCE [ROWS [SEED]]

The nearest number and the spacing have the same bits here; the error is no smaller than it is and less than 2^-49 larger,
|s| and sum |x| less than 2^-50.  Twin: a window of one number more.
"""
import math
import subprocess
import sys
from fractions import Fraction

from test_statistic_integers import FORMATS, rounded, same

FIELDS = 6  # of an element: computed, nearest, ulp, |s| and sum |x| from above, error


def ulp_of(s, format_name):
    precision, least, _ = FORMATS[format_name]
    if not s:
        return math.ldexp(1, least)
    exponent = abs(s.numerator).bit_length() - s.denominator.bit_length() + 1
    while Fraction(2) ** exponent > abs(s):
        exponent -= 1
    return Fraction(2) ** max(exponent - precision + 1, least)


def is_above(claim, value, bits):
    """or it is beyond binary64, or among its subnormal numbers"""
    if math.isinf(claim):
        return value > Fraction(sys.float_info.max)
    claim = Fraction(claim)
    return value <= claim and claim - value <= max(value / 2 ** bits, Fraction(5e-324))


def differs(x, result, fields):
    computed, near, ulp, above, sum_above, error = fields
    s, total = sum(x), sum(map(abs, x))
    value = rounded(abs(s).numerator, s.denominator, False, result)
    if not same(near, -value if s < 0 else value):
        return "nearest"
    if not math.isinf(ulp) and Fraction(ulp) != ulp_of(s, result):
        return "ulp"
    if not is_above(above, abs(s), 50) or not is_above(sum_above, total, 50):
        return "magnitudes"
    if not math.isfinite(computed):
        return None if same(error, computed) else "error"
    exact = Fraction(computed) - s
    if (error > 0) != (exact > 0) or (error < 0) != (exact < 0) or not is_above(abs(error), abs(exact), 49):
        return "error"
    return None


def faults(words, more, counts):
    stored, result, window, n, first = words[0], words[1], int(words[2]), int(words[3]), int(words[4])
    x, fields = [float.fromhex(word) for word in words[5:5 + n]], [float.fromhex(word) for word in words[5 + n:]]
    found = []
    for e in range(len(fields) // FIELDS):
        j = first + e
        begin = max(0, j + 1 - window - more) if window else 0
        part = x[begin:j + 1]
        if not all(map(math.isfinite, part)):
            continue
        counts[0] += 1
        if not any(part):  # of zeros the sign: test_scan
            continue
        what = differs(list(map(Fraction, part)), result, fields[FIELDS * e:FIELDS * (e + 1)])
        if what:
            found.append(f"{what} of {j} of {stored} to {result}, window {window}")
    return found


def main():
    rows = sys.argv[2] if len(sys.argv) > 2 else "120"
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    text = subprocess.run([sys.argv[1], "test_scan", "--print", seed, rows], check=True, capture_output=True, text=True)
    counts, twins, right, window_rows = [0], [0], 0, 0
    for line in text.stdout.splitlines():
        words = line.split()
        found = faults(words, 0, counts)
        if found:
            sys.exit("\n".join(found[:5]))
        right += 1
        if words[2] != "0" and int(words[2]) < int(words[4]):
            window_rows += bool(faults(words, 1, twins))
    print(f"{counts[0]} elements of {right} rows; a twin with a longer window differs in {window_rows} rows")
    assert counts[0] > 5 * int(rows) and window_rows > 0


main()
