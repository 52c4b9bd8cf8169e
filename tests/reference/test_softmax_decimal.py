"""Exact softmax, log-softmax, logsumexp and cross-entropy once more, by Python's decimal numbers: test_exact_softmax prints
rows and what is said of them.

  test_softmax_decimal.py TESTS_REFERENCE [INPUTS [SEED]]     so many inputs of each format and operation

Exponentials and logarithms are those of libmpdec with 110 digits; what is below 1e-5000 is 0.  The nearest number and the ulp are the same here, the error
is no smaller than it is and less than 2^-29 larger, |value| and its scale less than 2^-48.  The twin takes e^(x - M)
to 2^-25 of it.
"""
import math
import subprocess
import sys
from decimal import MAX_EMAX, Context, Decimal, setcontext
from fractions import Fraction

from test_statistic_integers import FORMATS, rounded, same

FIELDS = 6  # of a result: computed, nearest, ulp, |value| and scale from above, error


def values(name, x, y, twin=1):
    """of each result: the value, its scale; None where nothing is defined"""
    if not x or not any(a.is_finite() for a in x) or any(a.is_nan() or a == Decimal("inf") for a in x):
        return [None] * (1 if name in ("logsumexp", "cross_entropy") else len(x))
    largest = max(x)
    powers = [(a - largest).exp() if a.is_finite() else Decimal(0) for a in x]
    total = sum(powers) * twin
    if name == "softmax":
        return [(p / total, p / total) for p in powers]
    rest = total - 1 if twin != 1 else sum((p for p in powers if p != 1), Decimal(0))
    log = total.ln() if rest > Decimal("1e-12") or powers.count(1) > 1 else sum(
        (-(-rest) ** k / k for k in range(1, 12)), Decimal(0))  # ln(1 + rest)
    if name == "logsumexp":
        return [(largest + log, max(abs(largest) + log, 1))]
    logs = [a - largest - log for a in x]
    if name == "log_softmax":
        return [(a, max(abs(a), 1)) for a in logs]
    value = sum((w * -a for a, w in zip(logs, y) if w), Decimal(0))
    return [(value, max(value, sum(y)))]


def nearest_and_ulp(value, format_name):
    """as floats; Fraction in"""
    precision, least, _ = FORMATS[format_name]
    near = rounded(abs(value).numerator, abs(value).denominator, False, format_name)
    exponent = -5000
    if value:
        top = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
        exponent = top if abs(value) >= Fraction(2) ** top else top - 1
    place = max(exponent - precision + 1, least)
    return math.copysign(near, -1 if value < 0 else 1), math.ldexp(1, place) if place < 1024 else math.inf


def is_above(claim, value, bits):
    if math.isinf(claim):
        return abs(value) > Fraction(sys.float_info.max)
    claim, value = Fraction(claim), abs(value)
    slack = value / (1 << 300)
    return claim >= value - slack and claim <= value * (1 + Fraction(1, 1 << bits)) + Fraction(5e-324)


def is_error(error, computed, value):
    if not math.isfinite(computed):
        return same(error, computed)
    exact, slack = Fraction(computed) - value, abs(value) / (1 << 300)
    if abs(exact) > slack and (exact < 0) != (error < 0):
        return False
    if math.isinf(error):
        return abs(exact) > Fraction(sys.float_info.max)
    size, most = abs(Fraction(error)), (abs(exact) + slack) * (1 + Fraction(1, 1 << 29)) + Fraction(5e-324)
    return abs(exact) - slack <= size <= most


def is_told(value, format_name):
    """whether digits beyond these could say otherwise"""
    off = abs(value) / (1 << 330)
    low, high = nearest_and_ulp(value - off, format_name), nearest_and_ulp(value + off, format_name)
    return value != 0 and same(low[0], high[0]) and low[1] == high[1]


def faults(words, counts):
    name, stored, result, n = words[0], words[1], words[2], int(words[3])
    x, rest = [float.fromhex(word) for word in words[4:4 + n]], words[4 + n:]
    y = [float.fromhex(word) for word in rest[:n]] if name == "cross_entropy" else []
    fields = [float.fromhex(word) for word in rest[len(y):]]
    x, y = list(map(Decimal, x)), list(map(Decimal, y))
    found, key = [], (name, stored)
    counts[key] = counts.get(key, 0) + 1
    results = values(name, x, y)
    twins = values(name, x, y, 1 + Decimal(2) ** -25)
    assert len(fields) == FIELDS * len(results)
    for i, answer in enumerate(results):
        computed, near, ulp, above, scale, error = fields[FIELDS * i:FIELDS * (i + 1)]
        counts["results"] = counts.get("results", 0) + 1
        if answer is None or not answer[0].is_finite():
            is_right = math.isnan(near) if answer is None else same(near, float(answer[0]))
            found += [] if is_right and error == 0 else ["kind"]
            continue
        value, size = Fraction(answer[0]), Fraction(answer[1])
        if is_told(value, result):
            exact_near, exact_ulp = nearest_and_ulp(value, result)
            if not same(near, exact_near):
                found.append("nearest")
            if ulp != exact_ulp:
                found.append("ulp")
        else:
            counts["untold"] = counts.get("untold", 0) + 1
        if not is_error(error, computed, value):
            found.append("error")
        if not (is_above(above, value, 48) and is_above(scale, size, 48)):
            found.append("magnitudes")
        counts["twin"] = counts.get("twin", 0) + (not is_error(error, computed, Fraction(twins[i][0])))
    return found


def main(program, inputs="20", seed="1"):
    names = ("softmax", "log_softmax", "logsumexp", "cross_entropy")
    command = [program, "test_exact_softmax", "--print", seed, str(len(names) * len(FORMATS) * int(inputs))]
    setcontext(Context(prec=110, Emax=MAX_EMAX, Emin=-5000, traps=[]))
    counts, differ = {"untold": 0, "twin": 0}, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as printed:
        for line in printed.stdout:
            found = faults(line.split(), counts)
            differ += len(found)
            if found and differ < 20:
                print(line[:600], found)
    untold, twin, results = counts.pop("untold"), counts.pop("twin"), counts.pop("results")
    print(f"{results} results of {sum(counts.values())} inputs compared, {min(counts.values())} or more inputs of each "
          f"operation and format; {differ} differ, {untold} were not told by so many digits, {twin} of the twin")
    assert printed.returncode == 0 and len(counts) == len(names) * len(FORMATS) and min(counts.values()) == int(inputs)
    assert differ == 0 and untold < results / 5 and twin > results / 3


if __name__ == "__main__":
    main(*sys.argv[1:])
