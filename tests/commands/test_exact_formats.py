#!/usr/bin/env python3
"""ulpscope exact of raw files in every format, of what convert= makes of them, and of two files' products, against
Python's Fraction.

    test_exact_formats.py ULPSCOPE [ARRAYS]     arrays of each format (30), of random bits, sizes 0, 1, 2, ... to 300

Numbers are decoded and rounded here from their definition, with nothing of the program.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

# name: bytes, precision, least exponent, bits of the largest number, bits of infinity (None: there is none)
FORMATS = {
    "binary64": (8, 53, -1074, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000),
    "binary32": (4, 24, -149, 0x7F7FFFFF, 0x7F800000),
    "binary16": (2, 11, -24, 0x7BFF, 0x7C00),
    "bfloat16": (2, 8, -133, 0x7F7F, 0x7F80),
    "e4m3": (1, 4, -9, 0x7E, None),
    "e5m2": (1, 3, -16, 0x7B, 0x7C),
}
RESULTS = ["binary64", "binary32", "binary16", "bfloat16"]


def decode(bits, name):
    """A Fraction and whether it is -0; "nan", "inf", "-inf"."""
    size, precision, least, largest, infinity = FORMATS[name]
    negative, magnitude = bits >> (8 * size - 1), bits & ((1 << (8 * size - 1)) - 1)
    if magnitude == infinity:
        return "-inf" if negative else "inf"
    if magnitude > largest:
        return "nan"
    field, fraction = magnitude >> (precision - 1), magnitude & ((1 << (precision - 1)) - 1)
    if field > 0:
        fraction += 1 << (precision - 1)
    value = fraction * Fraction(2) ** (least + max(field - 1, 0))
    return -value if negative else value


def floor_log2(value):
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e if Fraction(2) ** e <= value else e - 1


def spacing(value, name):
    """Of the format at value, as if there were no end to it."""
    _, precision, least, _, _ = FORMATS[name]
    return Fraction(2) ** (max(floor_log2(abs(value)) - precision + 1, least) if value else least)


def rounded(value, name):
    """To nearest, ties to even; "inf" and "-inf" beyond the largest number."""
    ulp = spacing(value, name)
    result = round(value / ulp) * ulp  # round() of a Fraction is to even
    if abs(result) > decode(FORMATS[name][3], name):
        return "inf" if value > 0 else "-inf"
    return result


def hex_value(text):
    """A Fraction of "-0x1.8p+3"; "nan", "inf", "-inf"."""
    if "0x" not in text:
        return text
    digits, exponent = text.replace("-0x", "0x").split("p")
    whole, _, part = digits[2:].partition(".")
    value = Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(2) ** int(exponent)
    return -value if text.startswith("-") else value


def finite(numbers):
    return [x for x in numbers if isinstance(x, Fraction)]


def total(numbers):
    specials = {x for x in numbers if isinstance(x, str)}
    if "nan" in specials or len(specials) == 2:
        return "nan"
    return specials.pop() if specials else sum(finite(numbers), Fraction(0))


def expected_of(patterns, numbers, name):
    size, precision, least = FORMATS[name][:3]
    s, ordinary = total(numbers), [x for x in finite(numbers) if x != 0]
    least_normal = least + precision - 1
    exponents = [max(floor_log2(abs(x)), least_normal) for x in ordinary]
    return {
        "n": len(numbers),
        "format": name,
        "exact": s,
        "sum_abs": sum(map(abs, finite(numbers)), Fraction(0)),
        "nearest": {f: rounded(s, f) if isinstance(s, Fraction) else s for f in RESULTS},
        "ulp": {f: spacing(s, f) if isinstance(s, Fraction) else "nan" for f in RESULTS},
        "exponents": {"least": min(exponents), "largest": max(exponents)} if exponents else None,
        "specials": {
            "nan": numbers.count("nan"),
            "inf": numbers.count("inf"),
            "-inf": numbers.count("-inf"),
            "-0": patterns.count(1 << (8 * size - 1)),
            "subnormal": sum(abs(x) < Fraction(2) ** least_normal for x in ordinary),
        },
    }


def found_of(answer):
    found = {key: answer[key] for key in ("n", "format", "exponents", "specials")}
    found.update({key: hex_value(answer[key]) for key in ("exact", "sum_abs")})
    found.update({key: {f: hex_value(text) for f, text in answer[key].items()} for key in ("nearest", "ulp")})
    return found


def double_above(value):
    """The least binary64 that is not below."""
    result = rounded(value, "binary64")
    return result if result == "inf" or result >= value else result + spacing(result, "binary64")


def converted(numbers, to):
    """What --nonfinite skip keeps of them, and what is said of the conversion."""
    kept = [(x, rounded(x, to)) for x in finite(numbers)]
    kept = [(x, y) for x, y in kept if isinstance(y, Fraction)]
    s, t = sum((x for x, _ in kept), Fraction(0)), sum((y for _, y in kept), Fraction(0))
    return {
        "n": len(kept),
        "exact": t,
        "left_out": len(numbers) - len(kept),
        "changed": sum(x != y for x, y in kept),
        "underflowed": sum(x != 0 and y == 0 for x, y in kept),
        "overflowed": 0,
        "cost": double_above(abs(s - t)),
        "relative_cost": Fraction(0) if s == t else "inf" if s == 0 else double_above(abs((s - t) / s)),
    }


def found_of_conversion(answer):
    conversion = answer["conversion"]
    found = {key: conversion[key] for key in ("changed", "underflowed", "overflowed")}
    found.update({key: hex_value(conversion[key + "_hex"]) for key in ("cost", "relative_cost")})
    found.update({"n": answer["n"], "exact": hex_value(answer["exact"]), "left_out": answer.get("left_out", 0)})
    return found


def ask(program, spec, nonfinite, *more):
    line = [program, "exact", spec, "--nonfinite", nonfinite, "--json", "-", *more]
    done = subprocess.run(line, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr


def product(a, b):
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    if "nan" in (a, b) or a == 0 or b == 0:
        return "nan"
    negative = [x.startswith("-") if isinstance(x, str) else x < 0 for x in (a, b)]
    return "-inf" if negative[0] != negative[1] else "inf"


def error_over(error, by):
    """Errors are rounded up; over 0 they are not defined, unless they are 0."""
    return double_above(abs(error / by)) if by else Fraction(0) if error == 0 else "nan"


def expected_of_products(x, y, value, name):
    """Of the dot product, and of a value of a format held against it."""
    products = [product(a, b) for a, b in zip(x, y)]
    s, magnitudes = total(products), sum(map(abs, finite(products)), Fraction(0))
    expected = {
        "operation": "dot",
        "n": len(x),
        "exact": s,
        "sum_abs": magnitudes,
        "nearest": {f: rounded(s, f) if isinstance(s, Fraction) else s for f in RESULTS},
        "specials": [products.count(special) for special in ("nan", "inf", "-inf")],
    }
    if isinstance(s, Fraction):
        condition = rounded(magnitudes / abs(s), "binary64") if s else "inf"
        expected["condition"] = condition if magnitudes else Fraction(1)
        expected["abs_error"] = error_over(value - s, Fraction(1))
        expected["relative_error"] = error_over(value - s, s)
        expected["ulp_error"] = error_over(value - s, spacing(s, name))
        expected["backward_error"] = error_over(value - s, magnitudes)
    return expected


def found_of_products(answer, is_finite):
    compared = answer["compare"][0]
    found = {key: answer[key] for key in ("operation", "n")}
    found.update({key: hex_value(answer[key]) for key in ("exact", "sum_abs")})
    found["nearest"] = {f: hex_value(text) for f, text in answer["nearest"].items()}
    found["specials"] = [answer["specials"][special] for special in ("nan", "inf", "-inf")]
    if is_finite:
        found["condition"] = hex_value(answer["condition_hex"])
        found.update({key: hex_value(compared[key + "_hex"]) for key in ("abs_error", "relative_error", "ulp_error", "backward_error")})
    return found


def write(path, patterns, name):
    with open(path, "wb") as file:
        file.write(b"".join(bits.to_bytes(FORMATS[name][0], "little") for bits in patterns))


def check_products(program, folder, source, name, n):
    """What is wrong, or None: of a dot product, whose second half often takes back the first."""
    x, y = random_patterns(source, name, n), random_patterns(source, name, n)
    if source.randrange(2):
        sign = 1 << (8 * FORMATS[name][0] - 1)
        x, y = [*x, *(bits ^ sign for bits in x), *x[:1]], [*y, *y, *y[:1]]
    paths = [os.path.join(folder, file) for file in ("x.raw", "y.raw")]
    write(paths[0], x, name)
    write(paths[1], y, name)
    compared = source.choice(RESULTS)
    value = decode(source.randint(0, FORMATS[compared][3]), compared) * source.choice([1, -1])
    spec = "::".join(f"{path}:format={name}" for path in paths)
    code, answer = ask(program, spec, "ieee", "--as", compared, "--compare", float(value).hex())
    if code != 0:
        return answer
    numbers = [[decode(bits, name) for bits in vector] for vector in (x, y)]
    expected = expected_of_products(*numbers, value, compared)
    found = found_of_products(answer, "condition" in expected)
    other = {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}
    return f"{value} of {compared}, found and expected: {other}, of {x} {y}" if other else None


def random_patterns(source, name, n):
    """Random bits; in every third array none that is special, in others all near 0 or near 1."""
    size, precision, _, largest, _ = FORMATS[name]
    sign, kind = 1 << (8 * size - 1), source.randrange(4)
    most = {0: sign - 1, 1: largest, 2: 4 << (precision - 1), 3: largest}[kind]
    low = 0 if kind < 3 else largest // 2
    return [source.randint(low, most) | source.choice([0, sign]) for _ in range(n)]


def check(program, path, source, name, n):
    """What is wrong, or None."""
    patterns = random_patterns(source, name, n)
    write(path, patterns, name)
    numbers = [decode(bits, name) for bits in patterns]
    code, answer = ask(program, f"{path}:format={name}", "ieee")
    if n == 0:
        return None if code == 2 and "holds no number" in answer else answer
    if code != 0:
        return answer
    found, expected = found_of(answer), expected_of(patterns, numbers, name)
    if found != expected:
        return f"{patterns}: found {found}; expected {expected}"
    to = source.choice(list(FORMATS))
    expected = converted(numbers, to)
    code, answer = ask(program, f"{path}:format={name},convert={to}", "skip")
    if code != 0:
        return None if code == 2 and expected["n"] == 0 and "left out" in answer else answer
    found = found_of_conversion(answer)
    return None if found == expected else f"to {to}, {patterns}: found {found}; expected {expected}"


def main():
    program, arrays = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
    source = random.Random(1)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.raw")
        for name in FORMATS:
            for k in range(arrays):
                n = k if k < 5 else source.randint(1, 300)
                faults = [check(program, path, source, name, n), check_products(program, folder, source, name, max(n, 1))]
                for fault in filter(None, faults):
                    print(f"{name}, array {k}: {fault}"[:2000])
                    wrong += 1
        if check_is_blind(program, path):
            print("a sum of another format's bits passes")
            wrong += 1
    sys.exit(1 if wrong else 0)


def check_is_blind(program, path):
    """The twin: bits of binary16 read as bfloat16 are other numbers, and their sum must be seen to be wrong."""
    patterns = [0x3C00, 0x3C01]
    write(path, patterns, "binary16")
    _, answer = ask(program, f"{path}:format=bfloat16", "ieee")
    expected = expected_of(patterns, [decode(bits, "binary16") for bits in patterns], "binary16")
    return found_of(answer)["exact"] == expected["exact"]


if __name__ == "__main__":
    main()
