"""Exact means, variances and cosines once more, by Python's fractions: test_statistic prints inputs and results.

  test_statistic_fractions.py TESTS_REFERENCE [INPUTS [SEED]]     so many inputs of each format, each with all statistics

The nearest number, |value| and its scale rounded up to binary64, and the condition have the same bits here.  The twin
divides by n + 1.
"""
import math
import subprocess
import sys
from fractions import Fraction

FORMATS = {"binary64": (53, -1074, 1024), "binary32": (24, -149, 128), "binary16": (11, -24, 16),
           "bfloat16": (8, -133, 128), "e4m3": (4, -9, 9), "e5m2": (3, -16, 16)}


def rounded(value, is_root, format_name, up=False):
    """value >= 0, or its root, to nearest, ties to even, or up"""
    precision, least, overflow = FORMATS[format_name]
    if value == 0:
        return 0.0
    top = value.numerator.bit_length() - value.denominator.bit_length()
    if is_root:
        top //= 2
    last = max(top - precision - 2, least - 2)  # two bits or more below the last, and whether any are set below them
    scaled = value / Fraction(2) ** (last * (2 if is_root else 1))
    kept = math.isqrt(math.floor(scaled)) if is_root else math.floor(scaled)
    is_more = (kept * kept if is_root else kept) != scaled
    drop = max(kept.bit_length() - precision, least - last)
    rest, half = kept & ((1 << drop) - 1), 1 << (drop - 1)
    kept >>= drop
    if up:
        kept += rest > 0 or is_more
    else:
        kept += rest > half or (rest == half and (is_more or kept & 1))
    if kept.bit_length() + last + drop > overflow:
        return math.inf
    return math.ldexp(kept, last + drop)


def exact(of, ddof, x, y):
    """value or its square, scale likewise, whether they are squares, the sign; None where nothing is defined"""
    n, s = len(x), sum(x)
    if of in ("variance", "std"):
        if n <= ddof:
            return None
        squares = sum(a * a for a in x)
        mean = s / n
        return sum((a - mean) ** 2 for a in x) / (n - ddof), squares / (n - ddof), of == "std", 1
    if n == 0:
        return None
    if of == "mean":
        return abs(s) / n, sum(map(abs, x)) / n, False, s
    if of in ("mean_square", "rms"):
        squares = sum(a * a for a in x) / n
        return squares, squares, of == "rms", 1
    products = [a * b for a, b in zip(x, y)]
    top, scale = sum(products), sum(map(abs, products))
    if of == "mean_weighted":
        weights = sum(y)
        return (abs(top / weights), abs(scale / weights), False, top * weights) if weights else None
    under = sum(a * a for a in x) * sum(b * b for b in y)
    return (top * top / under, scale * scale / under, True, top) if under else None


def expected(of, format_name, result):
    if result is None:
        return [math.nan] * 4
    value, scale, is_root, sign = result
    nearest = rounded(value, is_root, format_name)
    condition = 1.0 if scale == value else math.inf if value == 0 else rounded(scale / value, is_root, "binary64")
    return [-nearest if sign < 0 else nearest, rounded(value, is_root, "binary64", True),
            rounded(scale, is_root, "binary64", True), condition]


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def main(program, inputs="100", seed="1"):
    command = [program, "test_statistic", "--print", seed, inputs]
    compared, differ, twin_differs, special = {}, 0, 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as printed:
        for line in printed.stdout:
            words = line.split()
            of, ddof, format_name, n = words[0], int(words[1]), words[2], int(words[3])
            x, y = words[4:4 + n], words[5 + n:5 + 2 * n]
            measured = [float.fromhex(word) for word in words[5 + 2 * n:]]
            if any(word.lstrip("-") in ("inf", "nan") for word in x + y):
                special += 1  # test_statistic.c's
                continue
            x, y = ([Fraction(float.fromhex(word)) for word in numbers] for numbers in (x, y))
            result = exact(of, ddof, x, y)
            if not all(map(same, expected(of, format_name, result), measured)):
                differ += 1
                print(line, expected(of, format_name, result))
            twin = result and (result[0] * Fraction(n, n + 1), *result[1:])
            twin_differs += not all(map(same, expected(of, format_name, twin), measured))
            compared[of, format_name] = compared.get((of, format_name), 0) + 1
    total = sum(compared.values())
    print(f"{total} compared, {len(compared)} operations and formats, {min(compared.values())} each or more, "
          f"{special} of NaN or infinity; {differ} differ, {twin_differs} of the twin")
    assert printed.returncode == 0 and total + special == 7 * len(FORMATS) * int(inputs)
    assert len(compared) == 7 * len(FORMATS) and min(compared.values()) > int(inputs) / 2
    assert differ == 0 and twin_differs > total / 2


if __name__ == "__main__":
    main(*sys.argv[1:])
