#!/usr/bin/env python3
"""Numbers as they are written, against Python's fractions and decimal.

    test_written.py ULPSCOPE TEXTS_AS_WRITTEN [TEXTS]     texts that are read (5,000)

Sums of public trackers are answered right by default, and what is reported there as a sum is not; texts of every kind are
read as Fraction and Decimal read them, and rounded to every format as the definition says.
"""
import decimal
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_exact_formats import FORMATS, decode  # noqa: E402

ULPSCOPE, READER = sys.argv[1:3]
SANITIZED = b"__asan_init" in pathlib.Path(ULPSCOPE).read_bytes()
TEXTS = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
decimal.getcontext().prec = 5000

compared = {}


def check(fact, right, found=""):
    compared[fact] = compared.get(fact, 0) + 1
    if not right:
        sys.exit(f"test_written.py: {fact}: {found}")


def run(words, text="", limit=""):
    limit = "" if SANITIZED else limit  # whose shadow memory is larger than any limit
    return subprocess.run(["sh", "-c", f'{limit} "$0" "$@"', ULPSCOPE, *words], input=text, capture_output=True, text=True, check=False)


def exact(numbers, *words):
    found = run(["exact", "-", "--json", "-", *words], "".join(number + "\n" for number in numbers))
    check("exact answers", found.returncode == 0, found.stderr)
    return json.loads(found.stdout)


def of_hex(text):
    sign, whole, digits, exponent = re.fullmatch(r"(-?)0x([0-9a-f]+)\.?([0-9a-f]*)p([+-]\d+)", text).groups()
    value = Fraction(int(whole + digits, 16)) * Fraction(2) ** (int(exponent) - 4 * len(digits))
    return -value if sign else value


# ---- sums of public trackers ----

def printed(count, number):
    """Doubles with 17 digits, and what adding them one after the other gives."""
    numbers, total = [], 0.0
    for i in range(1, count + 1):
        total += number(i)
        numbers.append("%.17g" % number(i))
    return numbers, repr(total)


# where, the numbers as text, what was reported or printed, whether that is wrong for doubles
SUMS = [
    ("490 times 0.1", *printed(490, lambda i: 0.1), True),
    ("3270 doubles of 17 digits", *printed(3270, lambda i: 1 / (i % 13 + 1)), True),
    ("2490 doubles that cancel", *printed(2490, lambda i: (i % 10) / 10 - 0.44), True),
    ("brython-dev/brython#567", ["0.1"] * 10, "0.9999999999999999", True),
    ("pandas-dev/pandas#38903", ["1e16", "99", "-5e15", "-5e15"], "100.0", True),
    ("python/cpython#126181", ["2.5392", "0.4608", "-3.0"], "0.0", True),
    ("numpy/numpy#12643", ["0.05", "0.05", "-0.45", *["0.05"] * 7], "-2.7755575615628914e-17", True),
    ("man-group/ArcticDB#603", ["1", "2", "1", "3", "1", "9007199254740992", "1", "-9007199254740992"], "8", True),
    ("GreptimeTeam/greptimedb#829", ["9007199254740992", "1", "1", "0"], "9007199254740992", True),
    ("factor/factor#948", ["1e30", "1", "3", "-1e30"], "0.0", True),
    ("kszucs/marrow#112", ["9007199254740993", "0"], "9007199254740992", False),
    ("python/cpython#88220", ["9007199254740993", "-9007199254740992"], "0", True),
    ("lodash/lodash#3877", ["1", "1.11"], "2.1100000000000003", False),
    ("tc39/test262#4049", ["1e308", "1e308", "0.1", "0.1", "1e30", "0.1", "-1e30", "-1e308", "-1e308"], "0.30000000000000004", False),
]


def is_integer(text):
    return text.lstrip("+-").isdigit()


def sums_of_trackers():
    for where, numbers, reported, is_wrong in SUMS:
        written = sum(Fraction(number) for number in numbers)
        beyond = any(is_integer(number) and int(number) != int(float(number)) for number in numbers)
        wanted = written if beyond else sum(Fraction(float(number)) for number in numbers)
        answer = exact(numbers, "--compare", reported)
        check("a sum of a tracker", of_hex(answer["exact"]) == wanted, (where, answer))
        if len(numbers) > 100:
            check("59 to 61 ulp are said", 59 <= answer["compare"][0]["ulp_error"] <= 61, (where, answer))
        check("a reported sum", (answer["compare"][0]["steps_from_nearest"] != 0) == is_wrong, (where, answer))
        right = exact(numbers, "--compare", repr(float(wanted)))["compare"][0]
        check("the right sum", right["steps_from_nearest"] == 0, (where, right))
        parts = exact(numbers, "--as-written", "--compare", reported)
        check("a sum as written", Fraction(parts["fraction"]) == written, (where, parts))
        value = parts["compare"][0]
        storage = sum(Fraction(float(number)) for number in numbers) - written
        check("the part of storage", value["storage"] == outward(storage), (where, value))
        check("the part of addition", value["addition"] == outward(Fraction(float(reported)) - written - storage), (where, value))


def outward(exactly):
    """To binary64, away from 0."""
    near = float(exactly)
    if abs(Fraction(near)) >= abs(exactly):
        return near
    bits = struct.unpack("<q", struct.pack("<d", near))[0]
    return struct.unpack("<d", struct.pack("<q", bits + 1))[0]


# ---- what is refused ----

def refusals():
    for text, words in (("1e999999999", "needs more than 1000000 bits"), ("1e-999999999", "needs more"), ("0x1p-1000001", "needs more"),
                        ("1/0", "is divided by 0"), ("1/", "something after"), ("1/-3", "something after"), ("1.5/3", "something after"),
                        ("0x1/3", "something after"), ("1e", "something after"), ("x", "is not a number")):
        found = run(["exact", "-", "--as-written"], "1\n" + text + "\n", "ulimit -v 1000000;")
        check("a text that is refused", found.returncode == 2 and words in found.stderr and ":2:" in found.stderr, (text, found))
    fractions = "".join(f"1/{10 ** 4000 + k}\n" for k in range(200))
    found = run(["exact", "-", "--as-written"], fractions, "ulimit -v 1000000;")
    check("too large a denominator", found.returncode == 2 and "common denominator" in found.stderr, found.stderr)
    twice = [f"{sign}1/{10 ** 4000 + k}" for sign in ("", "-") for k in range(70)] + ["1/3"]
    check("long denominators in common", exact(twice, "--as-written")["fraction"] == "1/3")
    many = [f"{(-1) ** k * k}/{k * k + 1}" for k in range(1, 100)]
    check("the sum of many fractions", Fraction(exact(many, "--as-written")["fraction"]) == sum(map(Fraction, many)))
    far = ["-3e-1000", "7e1000", "1e-999", "12e17", "-7e1000"]
    check("the sum of far powers", Fraction(exact(far, "--as-written")["fraction"]) == sum(map(Fraction, far)))
    check("a text at the limit", exact(["1e301028", "-1e301028", "1e-301028", "1"], "--as-written")["n"] == 4)


# ---- the decimal of a sum ----

def in_decimal(value, count):
    """Rounded once to so many digits, ties to even."""
    context = decimal.Context(prec=count, rounding=decimal.ROUND_HALF_EVEN)
    significand, exponent = f"{context.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator)):.{count - 1}e}".split("e")
    return f"{significand}e{int(exponent):+03d}"


def decimals_are_rounded_once():
    r, twice = random.Random(46), 0
    sums = [(["0.100000000000000000005", "-1e-400"], 20), (["0.45", "-1e-300"], 1), (["0.15"], 1), (["0.35"], 1), (["0.45"], 1), (["-0.25"], 1),
            (["9.96", "1/3"], 2), (["99999/3", "1e-999"], 3), (["1/3", "-7e300"], 40), (["-2/3"], 1), (["999.5", "-1e-3000"], 3), (["1e-400"], 1)]
    for _ in range(40):  # a tie, or all but one, far below and far above 1
        count = r.randint(1, 30)
        whole, place = 2 * r.randrange(10 ** (count - 1), 10 ** count) + 1, r.randint(-40, 20)
        sums.append(([f"{r.choice(['', '-'])}{5 * whole}e{place - 1}", f"{r.choice(['', '-'])}{r.choice(['0', '1/3', '1'])}e-700".replace("/3e-700", "/3" + "0" * 700)], count))
    for numbers, count in sums:
        answer = exact(numbers, "--as-written", "--digits", str(count))
        wanted = in_decimal(sum(map(Fraction, numbers)), count)
        check("a decimal that is rounded once", answer["exact_decimal"] == wanted, (numbers, count, answer, wanted))
        twice += in_decimal(of_hex(answer["exact"]), count) != wanted
    check("the twin, which rounds the rounded sum", twice > 10, twice)


# ---- the errors of a value ----

def ulp_at(value, name):
    """The distance of the numbers of a format around a value that is not 0."""
    _, precision, least, _, _ = FORMATS[name]
    over, under = abs(value.numerator), value.denominator
    exponent = over.bit_length() - under.bit_length()
    exponent -= over << max(-exponent, 0) < under << max(exponent, 0)
    return Fraction(2) ** max(exponent - precision + 1, least)


def ulps_are_those_of_the_sum_as_written():
    r, others = random.Random(48), 0
    sums = [["1", "-1e-30"], ["-2", "1/3000000000000000000000"], ["1e-400"], ["4", "-1e-9"], ["1/85070591730234615865843651857942052864", "-1e-60"], ["65504", "15.9999999999"]]
    sums += [[f"{r.randint(1, 999)}/{r.randint(1, 9999)}", f"-0.{r.randint(1, 9999)}"] for _ in range(24)]
    for numbers in sums:
        for name in "binary64", "binary32", "binary16":
            exactly = sum(map(Fraction, numbers))
            value = nearest(exactly, name)
            errors = exact(numbers, "--as-written", f"--compare={value!r}", "--as", name)["compare"][0]
            wanted = outward(abs(Fraction(value) - exactly) / ulp_at(exactly, name))
            check("an error in ulps of what is written", errors["ulp_error"] == wanted, (numbers, name, errors, wanted))
            others += value != 0 and outward(abs(Fraction(value) - exactly) / ulp_at(Fraction(value), name)) != wanted
    check("the twin, in ulps of what was stored", others >= 5, others)


def errors_are_rounded_once():
    r, rounded_twice = random.Random(47), 0
    texts = [(["8/7689"], 0.0010404473923787227), (["0.1", "1e100", "-0.1"], -804.0), (["0.1", "0.2"], 0.3), (["1e-400"], 0.0)]
    texts += [([f"{r.randint(1, 999)}/{r.randint(1, 9999)}", f"-0.{r.randint(1, 9999)}"], r.random()) for _ in range(60)]
    for numbers, value in texts:
        answer = exact(numbers, "--as-written", f"--compare={value!r}")
        errors, sums = answer["compare"][0], sum(map(Fraction, numbers))
        for name, by in ("abs_error", Fraction(1)), ("relative_error", abs(sums)), ("backward_error", sum(abs(Fraction(number)) for number in numbers)):
            wanted = outward(abs(Fraction(value) - sums) / by)
            check("an error that is rounded once", errors[name] == wanted, (numbers, value, name, errors, wanted))
        rounded_twice += outward(Fraction(outward(abs(Fraction(value) - sums))) / abs(sums)) != errors["relative_error"]
    check("the twin, which rounds the difference first", rounded_twice > 10, rounded_twice)


# ---- one rule: an integer that the format does not have is refused, or added as written ----

def doors():
    big = "9007199254740993\n-9007199254740992\n"
    with open("x.txt", "w") as file:
        file.write(big)
    header = b"{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"
    with open("x.npy", "wb") as file:
        file.write(b"\x93NUMPY\1\0\x76\0" + header.ljust(117) + b"\n" + struct.pack("<qq", 2 ** 53 + 1, -2 ** 53))
    check("exact of integers is 1", of_hex(exact(big.split())["exact"]) == 1)
    for words in (["run", "x.txt"], ["run", "x.txt", "--format", "binary64"], ["run", "x.npy"], ["exact", "x.txt", "--format", "binary64"],
                  ["exact", "x.npy"], ["blame", "naive", "x.txt"],
                  ["exact", "x.txt", "--compare", "9007199254740993"]):
        found = run(words)
        check("a door that refuses an integer", found.returncode == 2 and "cannot be represented in binary" in found.stderr, (words, found))
    with open("f.txt", "w") as file:
        file.write("1/3\n1/4\n")
    found = run(["run", "-m", "naive", "f.txt", "--speed", "0", "--permutations", "0"])
    check("a fraction is rounded, which is said", found.returncode == 0 and "binary32 on reading: 1 of 2 numbers, which moved their sum by 9.94e-09;" in found.stderr, found)
    for name, moved in ("x.txt:convert=binary64", "1.00"), ("x.npy:convert=binary64", "1.00"), ("x.npy:convert=binary32", "1.00"):
        found = run(["exact", name])
        check("convert= rounds it, and says so", f"1 changed, 0 of them to 0, 0 to inf; moved the sum by {moved}, 1.00 of it" in found.stdout, found)
    beside = [run(["exact", "-", *words, "--compare", value], "1\n") for value in ("123456789012345678901234567891", "1/3") for words in (["--as-written"], [])]
    check("a value beside what is written is written", [found.returncode for found in beside] == [0, 2, 0, 2] and "0x1.5555555555555p-2 = 0.3333333333333333, rounded" in beside[2].stdout, beside)
    zero, one = exact(["-0", "-0"], "--as-written"), exact(["-0", "1"], "--as-written")
    check("zeros keep their sign, alone", (zero["exact"], one["exact"], zero["specials"]["-0"]) == ("-0x0p+0", "0x1p+0", 2), (zero, one))
    check("it is stored from what is written", {kind["from"] for kind in zero["stored"].values()} == {"as written"}, zero)
    for text in "1e9", "1000000000/1", "1e309", f"-{10 ** 309}/3":
        outside = run(["exact", "-", "--as-written", "--compare", "1", "--as", "e4m3"], text + "\n").stdout
        check("e4m3 has no infinity", "in e4m3: 1 changed, 0 of them to 0, 1 outside; moved the sum by inf," in outside and "in e5m2: 1 changed, 0 of them to 0, 1 to inf;" in outside and "by storing" not in outside, outside)
    within = run(["exact", "-", "--as-written", "--compare", "1", "--as", "e4m3"], f"{448 * 10 ** 309}/{10 ** 309}\n").stdout
    check("the twin, which e4m3 has", "in e4m3: 0 changed" in within and "storage" in within, within)
    for words, named in (["--verify-reference"], "--verify-reference"), (["--nonfinite", "ieee"], "--nonfinite ieee"), (["--operation", "norm2"], "norm2"), (["--format", "binary64"], "a format"):
        found = run(["exact", "x.txt", "--as-written", *words])
        check("what --as-written is not for", found.returncode == 2 and f"found {named}; leave" in found.stderr, found)
    pipe = run(["exact", "-", "--format", "binary64"], big)
    check("a pipe takes --convert", "round with --convert," in pipe.stderr and run(["exact", "-", "--format", "binary64", "--convert"], big).returncode == 0, pipe)
    twin = run(["exact", "x.txt", "--format", "binary64", "--compare", "9007199254740992"])
    check("the twin, which has its value", twin.returncode == 2 and "9007199254740993" in twin.stderr, twin)


# ---- texts ----

def digits(r, most):
    return "".join(r.choice("0123456789") for _ in range(r.randint(1, most)))


def a_text(r):
    sign, kind = r.choice(["", "", "-", "+"]), r.randrange(12)
    if kind == 0:
        return repr(struct.unpack("<d", r.randbytes(8))[0])
    if kind == 1:
        return sign + r.choice(["%.17g", "%.16e", "%.9g"]) % (r.random() * 10 ** r.randint(-30, 30))
    if kind == 2:
        return sign + digits(r, 60)
    if kind == 3:
        return sign + digits(r, 25) + "." + digits(r, 40)
    if kind == 4:
        return sign + "." + digits(r, 25) + r.choice("eE") + r.choice(["", "+", "-"]) + str(r.randint(0, 400))
    if kind == 5:
        return sign + digits(r, 30) + "/" + digits(r, 20)
    if kind == 6:  # decimals of numbers and of ties in full
        bits = r.choice([54, 53, 25, 24, 12, 11, 9, 8, 5, 4])
        return sign + str(decimal.Decimal(r.getrandbits(bits)) * decimal.Decimal(2) ** r.randint(-160, 60))
    if kind == 9:  # of 19 digits, a number or a tie of binary64 but for less than 2^-63 of it
        tie = Fraction(2 * r.randrange(2 ** 52, 2 ** 53) + r.randint(0, 1)) * Fraction(10) ** 27 / 2 ** r.randint(77, 80)
        return f"{sign}{math.floor(tie) + r.randint(0, 1)}e-27"
    if kind == 10:  # a tie of a narrower format but for less than binary64 sees
        tie = decimal.Decimal(2 * r.getrandbits(r.choice([24, 11, 8, 4, 3])) + 1) * decimal.Decimal(2) ** r.randint(-30, 9)
        text = f"{tie:f}" + ("" if "." in f"{tie:f}" else ".")
        return sign + text + "0" * r.randint(16, 30) + "1"
    if kind == 11:  # beyond binary64, and within it
        return f"{sign}{digits(r, 600)}/{digits(r, 300)}"
    whole, fraction = (f"{r.getrandbits(r.randint(1, 90)):x}", f"{r.getrandbits(r.randint(1, 90)):x}")
    exponent = r.randint(-1200, 1100) if kind == 7 else r.randint(-170, 140)
    return sign + r.choice(["0x", "0X"]) + whole + r.choice(["", ".", "." + fraction]) + f"p{exponent:+d}"


def read(text):
    """The Fraction that it is; None: it is no finite number."""
    hexadecimal = re.fullmatch(r"([+-]?)0x([0-9a-f]+)\.?([0-9a-f]*)p([+-]\d+)", text.lower())
    if hexadecimal:
        return of_hex(text.lower().lstrip("+"))
    if "/" in text:
        over, under = text.split("/")
        return None if int(under) == 0 else Fraction(int(over), int(under))
    value = decimal.Decimal(text)
    return Fraction(value) if value.is_finite() else None


LARGEST = {name: float(decode(FORMATS[name][3], name)) for name in FORMATS}


def nearest(value, name):
    """The float to which it rounds, ties to even; an infinity beyond the largest number.  In integers, without common divisors."""
    _, precision, least, _, _ = FORMATS[name]
    over, under = abs(value.numerator), value.denominator
    exponent = over.bit_length() - under.bit_length()
    if over << max(-exponent, 0) < under << max(exponent, 0):
        exponent -= 1
    last = max(exponent - precision + 1, least)
    over, under = over << max(-last, 0), under << max(last, 0)
    whole, rest = divmod(over, under)
    whole += 2 * rest > under or (2 * rest == under and whole % 2)
    try:
        near = math.ldexp(whole, last) if exponent <= 1100 else math.inf
    except OverflowError:
        near = math.inf
    return math.copysign(near if near <= LARGEST[name] else math.inf, -1 if value < 0 else 1)


def difference(text, answer, r):
    """What is wrong with an answer, or None."""
    wanted = read(text)
    if wanted is None or answer == "refused":
        return None if wanted is None and answer == "refused" else "is refused, or should be"
    fields = answer.split()
    if fields[0] != str(wanted):
        return "is another number"
    values = list(zip(FORMATS, fields[1::3], fields[2::3], fields[3::3]))
    for name, value, mark, _ in values:
        near, found = nearest(wanted, name), float.fromhex(value)
        if found != near:
            return f"is {value} in {name}"
        if (mark == "=") != (wanted == near):
            return f"is said to be changed, or not, by {name}"
    name, value, _, moved = r.choice(values)
    if "inf" not in value and moved != str(wanted - Fraction(float.fromhex(value))):
        return f"is moved by {moved} in {name}"
    return None


def texts_are_read_as_python_reads_them():
    r = random.Random(45)
    for begin in range(0, TEXTS, 20000):
        some = [a_text(r) for _ in range(min(20000, TEXTS - begin))]
        answers = subprocess.run([READER], input="\n".join(some) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
        check("as many answers as texts", len(answers) == len(some), len(answers))
        for text, answer in zip(some, answers):
            wrong = difference(text, answer, r)
            check("a text", wrong is None, (text, wrong, answer))
    some = [text for text in (a_text(r) for _ in range(2000)) if text[-1] not in "f0" and "/" not in text]
    dropped = subprocess.run([READER, "--drop"], input="\n".join(some) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
    different = sum(difference(text, answer, r) is not None for text, answer in zip(some, dropped))
    check("the twin, which drops a character", different > len(some) * 9 // 10, (different, len(some)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sums_of_trackers()
        refusals()
        decimals_are_rounded_once()
        errors_are_rounded_once()
        ulps_are_those_of_the_sum_as_written()
        doors()
        texts_are_read_as_python_reads_them()
        os.chdir("/")
    check("as many texts as were asked for", compared["a text"] == TEXTS, compared)
    check("all decimals", compared["a decimal that is rounded once"] == 52, compared)
    check("all errors", compared["an error that is rounded once"] == 3 * 64, compared)
    check("all errors in ulps", compared["an error in ulps of what is written"] == 3 * 30, compared)
    check("all sums of trackers", compared["a sum of a tracker"] == len(SUMS) == 14, compared)
    print(", ".join(f"{count} {fact}" for fact, count in compared.items()))
