"""Exact layer norms and RMS norms once more, by Python's integers: test_normalization prints rows and their elements.

  test_normalization_integers.py TESTS_REFERENCE [ROWS [SEED]]     so many rows of each format and operation

An element is the root of a quotient of integers: whether it is above a number says a comparison of squares.  The
nearest number has the same bits here; the error is no smaller than it is and less than 2^-50 larger, |value| and its
scale less than 2^-48.  Twins: eps of the next number, and n - 1 for n.
"""
import math
import subprocess
import sys
from fractions import Fraction

from test_statistic_integers import FORMATS, rounded, same

FIELDS = 6  # of an element: computed, nearest, ulp, |value| and scale from above, error


def row_of(name, eps, x):
    """the square of each element is numerator^2 / square: the numerators, those of the scale, the square"""
    n, s, squares = len(x), sum(x), sum(a * a for a in x)
    if name == "rms_norm":
        return x, list(map(abs, x)), squares / n + eps
    total = sum(map(abs, x))
    return [n * a - s for a in x], [n * abs(a) + total for a in x], n * squares - s * s + n * n * eps


def is_under(value, over, square):
    """whether value >= 0 is no more than |over| / root(square)"""
    return value * value * square <= over * over


def is_about(claim, over, square, bits):
    """whether a claim is no less than |over| / root(square), and less than 2^-bits, or the least number, more"""
    claim = Fraction(claim)
    low = min(claim / (1 + Fraction(1, 1 << bits)), claim - Fraction(5e-324))
    return (over == 0 and claim == 0) or (
        claim * claim * square >= over * over and (low <= 0 or is_under(low, over, square)))


def is_error(error, computed, over, square):
    """of computed - over / root(square)"""
    if not math.isfinite(computed):
        return same(error, computed)
    computed, error, more = Fraction(computed), Fraction(error), Fraction(1 << 50, (1 << 50) + 1)
    if error == 0:
        return (computed < 0) == (over < 0) and computed * computed * square == over * over
    inner = min(abs(error) * more, abs(error) - Fraction(5e-324)) * (1 if error > 0 else -1)
    below, above = sorted((computed - error, computed - inner))  # the value lies between

    def compare(value):  # the sign of value - over / root(square)
        a, b = value * abs(value) * square, over * abs(over)
        return (a > b) - (a < b)
    return compare(below) <= 0 <= compare(above)


def nearest(over, square, format_name):
    quotient = over * over / square
    value = rounded(quotient.numerator, quotient.denominator, True, format_name)
    return -value if over < 0 else value


def ulp_of(over, square, format_name):
    precision, least, _ = FORMATS[format_name]
    exponent = -2000
    if over:
        quotient = over * over / square
        exponent = (quotient.numerator.bit_length() - quotient.denominator.bit_length() + 1) // 2 + 1
        while not is_under(Fraction(2) ** exponent, over, square):
            exponent -= 1
    return math.ldexp(1, max(exponent - precision + 1, least))


def faults(words, counts):
    name, eps, stored, result, n = words[0], Fraction(float.fromhex(words[1])), words[2], words[3], int(words[4])
    x, fields = words[5:5 + n], [float.fromhex(word) for word in words[5 + n:]]
    assert len(fields) == FIELDS * n
    x = list(map(float.fromhex, x))
    if not all(map(math.isfinite, x)):
        return [] if all(map(math.isnan, fields[1::FIELDS])) else ["kind"]
    x = list(map(Fraction, x))
    overs, scales, square = row_of(name, eps, x)
    twins = [row_of(name, Fraction(math.nextafter(eps, 1)), x)]
    if n > 1:
        twins.append((overs, scales, square * Fraction(n - 1, n)))
    found = []
    for i in range(n):
        computed, near, ulp, above, scale, error = fields[FIELDS * i:FIELDS * (i + 1)]
        counts[name, stored] = counts.get((name, stored), 0) + 1
        if square == 0:
            if not all(map(math.isnan, (near, above, scale))):
                found.append("kind")
            continue
        if not same(near, nearest(overs[i], square, result)):
            found.append("nearest")
        if ulp != ulp_of(overs[i], square, result):
            found.append("ulp")
        if not is_error(error, computed, overs[i], square):
            found.append("error")
        if not (is_about(above, overs[i], square, 48) and is_about(scale, scales[i], square, 48)):
            found.append("magnitudes")
        for t, (over, _, other) in enumerate(twins):
            counts["twin", t] = counts.get(("twin", t), 0) + (
                other > 0 and not is_error(error, computed, over[i], other))
    return found


def main(program, rows="20", seed="1"):
    command = [program, "test_normalization", "--print", seed, str(2 * len(FORMATS) * int(rows))]
    counts, differ = {}, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as printed:
        for line in printed.stdout:
            found = faults(line.split(), counts)
            differ += len(found)
            if found:
                print(line, found)
    twins = [counts.pop(("twin", t)) for t in range(2)]
    total = sum(counts.values())
    print(f"{total} elements compared, {min(counts.values())} or more of each operation and format; {differ} differ, "
          f"{twins} of the twins")
    assert printed.returncode == 0 and len(counts) == 2 * len(FORMATS) and min(counts.values()) > 8 * int(rows)
    assert differ == 0 and twins[0] > total / 32 and twins[1] > total / 2


if __name__ == "__main__":
    main(*sys.argv[1:])
