"""Exact means, variances and cosines once more, by Python's integers: test_statistic prints inputs and results.

  test_statistic_integers.py TESTS_REFERENCE [INPUTS [SEED]]     so many inputs of each format, each with all statistics

The nearest number, |value| and its scale rounded up to binary64, and the condition have the same bits here.  The twin
divides by n + 1.
"""
import math
import subprocess
import sys

FORMATS = {"binary64": (53, -1074, 1024), "binary32": (24, -149, 128), "binary16": (11, -24, 16),
           "bfloat16": (8, -133, 128), "e4m3": (4, -9, 9), "e5m2": (3, -16, 16), "tf32": (11, -136, 128)}
UNIT = 1074  # numbers are integers in units of 2^-UNIT


def rounded(over, under, is_root, format_name, up=False):
    """over / under >= 0, or its root, to nearest, ties to even, or up"""
    precision, least, overflow = FORMATS[format_name]
    if over == 0:
        return 0.0
    top = (over.bit_length() - under.bit_length()) // (2 if is_root else 1)
    last = max(top - precision - 2, least - 2)  # two bits or more below the last, and whether any are set below them
    shift = last * (2 if is_root else 1)
    scaled, rest = divmod(over << max(-shift, 0), under << max(shift, 0))
    kept = math.isqrt(scaled) if is_root else scaled
    is_more = rest > 0 or (is_root and kept * kept != scaled)
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
    """over and under of the value or its square, over of its scale, whether they are squares, the sign; None where
    nothing is defined"""
    n, s, square = len(x), sum(x), 1 << 2 * UNIT
    if of in ("variance", "std"):
        if n <= ddof:
            return None
        centred = sum((n * a - s) ** 2 for a in x)  # n^2 times the sum of squares
        return centred, n * n * (n - ddof) * square, n * n * sum(a * a for a in x), of == "std", 1
    if n == 0:
        return None
    if of == "mean":
        return abs(s), n << UNIT, sum(map(abs, x)), False, s
    if of in ("mean_square", "rms"):
        squares = sum(a * a for a in x)
        return squares, n * square, squares, of == "rms", 1
    products = [a * b for a, b in zip(x, y)]
    top, scale = sum(products), sum(map(abs, products))
    if of == "mean_weighted":
        weights = sum(y)
        return (abs(top), abs(weights) << UNIT, scale, False, top * weights) if weights else None
    under = sum(a * a for a in x) * sum(b * b for b in y)
    return (top * top, under, scale * scale, True, top) if under else None


def expected(format_name, result):
    if result is None:
        return [math.nan] * 4
    over, under, scale, is_root, sign = result
    nearest = rounded(over, under, is_root, format_name)
    condition = 1.0 if scale == over else math.inf if over == 0 else rounded(scale, over, is_root, "binary64")
    return [-nearest if sign < 0 else nearest, rounded(over, under, is_root, "binary64", True),
            rounded(scale, under, is_root, "binary64", True), condition]


def integers(words):
    ratios = (float.fromhex(word).as_integer_ratio() for word in words)
    return [over * ((1 << UNIT) // under) for over, under in ratios]


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
            result = exact(of, ddof, integers(x), integers(y))
            if not all(map(same, expected(format_name, result), measured)):
                differ += 1
                print(line, expected(format_name, result))
            if result:  # the twin
                over, under, _, is_root, _ = result
                twin_differs += rounded(over * n, under * (n + 1), is_root, format_name) != abs(measured[0])
            compared[of, format_name] = compared.get((of, format_name), 0) + 1
    total = sum(compared.values())
    print(f"{total} compared, {len(compared)} operations and formats, {min(compared.values())} each or more, "
          f"{special} of NaN or infinity; {differ} differ, {twin_differs} of the twin")
    assert printed.returncode == 0 and total + special == 7 * len(FORMATS) * int(inputs)
    assert len(compared) == 7 * len(FORMATS) and min(compared.values()) > int(inputs) / 2
    assert differ == 0 and twin_differs > total / 2


if __name__ == "__main__":
    main(*sys.argv[1:])
