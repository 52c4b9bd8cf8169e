"""Exercises of lessons, drawn by many seeds: each is read as a student reads it, answered with whole numbers and fractions, and
compared with what the program says is right.

    test_exercises.py ULPSCOPE [SEEDS]
"""

import functools
import itertools
import json
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

ULPSCOPE, SEEDS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
LESSONS, EACH, DIFFERENT = 24, 3, 8

# Significand bits; the least subnormal number and the first power of two out of range, as exponents.
FORMATS = {"binary64": (53, -1074, 1024), "binary32": (24, -149, 128), "binary16": (11, -24, 16), "bfloat16": (8, -133, 128)}


# ---- arithmetic: within the normal range ----

def exponent(x):
    """of the first bit of x > 0"""
    x = Fraction(x)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= Fraction(2) ** e else e - 1


def spacing(x, p):
    return Fraction(2) ** (exponent(abs(x)) - p + 1)


def rounded(x, p):
    """to nearest, ties to even"""
    if isinstance(x, int):
        lost = max(0, x.bit_length() - p)
        return x if lost == 0 else x + (1 << lost - 1) - 1 + (x >> lost & 1) >> lost << lost
    if x == 0:
        return x
    step = spacing(x, p)
    result = round(Fraction(x) / step) * step
    return int(result) if result.denominator == 1 else result


def loop(x, p):
    total = 0
    for number in x:
        total = rounded(total + number, p)
    return total


def kahan(x, p=24):
    """sum and excess after each number"""
    total = excess = 0
    for number in x:
        y = rounded(number - excess, p)
        t = rounded(total + y, p)
        excess = rounded(rounded(t - total, p) - y, p)
        total = t
        yield total, excess


def neumaier(x, p=24):
    total = lost = 0
    for number in x:
        t = rounded(total + number, p)
        lost = rounded(lost + (total + number - t), p)  # the error of an addition is a number of the format
        total = t
    return rounded(total + lost, p)


def block(x, threads, p=24):
    sums = [loop(x[t::threads], p) for t in range(threads)]
    while len(sums) > 1:
        half = len(sums) // 2
        sums = [rounded(sums[i] + sums[i + half], p) for i in range(half)]
    return sums[0]


def parts(x, count, p=24):
    size = -(-len(x) // count)
    return loop([loop(x[i:i + size], p) for i in range(0, len(x), size)], p)


def first_bit(x):
    return math.frexp(x)[1] - 1


def cut(x, exponent_of_last):
    """toward 0; binary64 has all of these numbers"""
    return math.trunc(math.ldexp(x, -exponent_of_last)) * math.ldexp(1, exponent_of_last)


def tensor_core(factors, promoted_after=None):
    """squares, 32 at a time with the sum so far, on the grid of the largest exponent: 13 places behind it"""
    register = total = 0.0
    factors = [float(x) for x in factors] if len(factors) < 32 else [float(factors[0])] * len(factors)
    for i in range(0, len(factors), 32):
        few = factors[i:i + 32]
        largest = max([2 * first_bit(x) for x in set(few)] + ([first_bit(total)] if total else []))
        total = cut(total, largest - 13) + sum(few.count(x) * cut(x * x, largest - 13) for x in set(few))
        total = cut(total, first_bit(total) - 13)
        if promoted_after and (i + 32) % promoted_after == 0:
            register, total = rounded_float(register + total), 0.0
    return register if promoted_after else total


def rounded_float(x):
    return float(rounded(Fraction(x), 24))


def variance(x, how, p=24):
    def r(value):
        return rounded(Fraction(value), p)

    def add(numbers):
        return loop([Fraction(number) for number in numbers], p)

    n = len(x)
    if "E[x^2]" in how:
        mean = r(add(x) / n)
        return r(r(add(r(v * v) for v in x) / n) - r(mean * mean))
    if "the mean" in how:
        mean = r(add(x) / n)
        return r(add(r(r(v - mean) ** 2) for v in x) / n)
    d = [r(v - x[0]) for v in x]
    total = add(d)
    return r(r(add(r(v * v) for v in d) - r(r(total * total) / n)) / n)


# ---- exercises, as a student reads them ----

def numbers(text):
    return [int(word) if re.fullmatch(r"-?\d+", word) else Fraction(word) for word in re.findall(r"-?\d+(?:\.\d+)?", text)]


def stored(match):
    return rounded(Fraction(match["decimal"]), FORMATS[match["format"]][0])


def addition(match):
    return rounded(int(match["a"]) + int(match["b"]), FORMATS[match["format"]][0])


def next_number(match):
    return spacing(int(match["x"]), FORMATS[match["format"]][0])


@functools.lru_cache(None)
def counted(step, p):
    count = 0
    while rounded(count + step, p) != count:
        count = rounded(count + step, p)
    return count


def counter(match):
    return counted(int(match["step"]), FORMATS[match["format"]][0])


def bracket(match):
    (a, b, c), p = numbers(match["list"]), FORMATS[match["format"]][0]
    exact = rounded(rounded(a + b, p) + c, p) == a + b + c, rounded(a + rounded(b + c, p), p) == a + b + c
    return {(True, False): "(a + b) + c alone", (False, True): "a + (b + c) alone", (True, True): "both",
            (False, False): "neither"}[exact]


def arrivals(match):
    p = FORMATS[match["format"]][0]
    return len({loop(order, p) for order in itertools.permutations(numbers(match["list"]))})


def who(match):
    x = numbers(match["list"])
    exact = [sums == sum(x) for sums in (loop(x, 24), list(kahan(x))[-1][0], neumaier(x))]
    return {(True, True, True): "plain, Kahan's and Neumaier's", (False, True, True): "Kahan's and Neumaier's",
            (False, False, True): "Neumaier's alone", (False, False, False): "none of the three"}[tuple(exact)]


def excess(match):
    return list(kahan(numbers(match["list"])))[int(match["k"]) - 1][1]


METHODS = {
    r"A loop in (\w+), from left to right": lambda x, by: loop(x, FORMATS[by[1]][0]),
    r"A loop in binary32, whose result is rounded to bfloat16": lambda x, by: rounded(loop(x, 24), 8),
    r"A loop in binary64, rounded to binary32": lambda x, by: rounded(loop(x, 53), 24),
    r"Added exactly and rounded to binary32": lambda x, by: rounded(sum(x), 24),
    r"Kahan's method in binary32, from left to right": lambda x, by: list(kahan(x))[-1][0],
    r"Neumaier's method in binary32, from left to right": lambda x, by: neumaier(x),
    r"A block of (\d) threads in binary32": lambda x, by: block(x, int(by[1])),
    r"Split along K into (\d) equal parts, their sums added in order": lambda x, by: parts(x, int(by[1])),
    r"x and y, two numbers each, whose dot product is computed in binary32, each product rounded":
        lambda x, by: loop([rounded(x[i] * x[2 + i], 24) for i in range(2)], 24),
    r"x and y, two numbers each, whose dot product is computed in binary32 by fma":
        lambda x, by: rounded(rounded(x[0] * x[2], 24) + x[1] * x[3], 24),
    r"Squares of e4m3, added by wgmma in 13 places behind the first": lambda x, by: tensor_core(x),
    r"Squares of e4m3 by wgmma in 13 places, added to binary32 after every 128": lambda x, by: tensor_core(x, 128),
    r"The variance in binary32 by (.*)": lambda x, by: variance(x, by[1]),
}


@functools.lru_cache(None)
def computed_of(words, text):
    found = [(method, re.fullmatch(pattern, words)) for pattern, method in METHODS.items() if re.fullmatch(pattern, words)]
    assert len(found) == 1, f"no method, or several: {words}"
    many = re.fullmatch(r"(\d+) times ([\d.]+)", text)
    return found[0][0]([Fraction(many[2])] * int(many[1]) if many else numbers(text), found[0][1])


def computed(match):
    return computed_of(match["words"], match["list"])


def condition(match):
    x = numbers(match["list"])
    return Fraction(sum(map(abs, x)), abs(sum(x)))


def kept(match):
    assert int(match["u"]) == FORMATS[match["format"]][0]
    return int(match["u"]) - int(match["k"])


def wide(match):
    _, least, most = FORMATS[match["format"]]
    return most - least + int(match["k"])


def underflow(match):
    x, y, least = int(match["x"]), int(match["y"]), 2 ** (FORMATS[match["format"]][0] - 1)
    return y if match["flushed"] and abs(x - y) < least else x


def remnant(match):
    a, b = int(match["a"]), int(match["b"])
    return a * b - rounded(a * b, FORMATS[match["format"]][0])


def fused(match):
    (a, b, c), p = numbers(match["list"]), FORMATS[match["format"]][0]
    once, twice = rounded(a * b + c, p), rounded(rounded(a * b, p) + c, p)
    printed = int(match["printed"])
    assert printed in (once, twice)
    return "it may be either" if once == twice else "fma(a, b, c)" if printed == once else "a product and an addition, both rounded"


def height(match):
    n, words, threads = int(match["n"]), match["words"], int(match["t"] or 1)
    if words.startswith("Halves"):
        tree = 1 + math.ceil(math.log2(n))
    elif words.startswith("Split"):
        count = int(re.search(r"into (\d)", words)[1])
        tree = -(-n // count) + count - 1
    else:
        tree = -(-n // threads) + int(math.log2(threads))
    return tree - ("How many times" in match["what"])


KINDS = [(re.compile(pattern), answer) for pattern, answer in (
    (r"What does (?P<format>\w+), of \d+ bits, store for (?P<decimal>0\.\d+)\?", stored),
    (r"What is (?P<a>\d+) \+ (?P<b>\d+) in (?P<format>\w+)\?", addition),
    (r"How much larger than (?P<x>\d+) is the next number of (?P<format>\w+)\?", next_number),
    (r"A counter in (?P<format>\w+) begins at 0\. Where does it stop, going up by (?P<step>\d+)\?", counter),
    (r"Let a, b, c be (?P<list>[-\d, ]+)\. Which is exact in (?P<format>\w+): \(a \+ b\) \+ c, a \+ \(b \+ c\)\?", bracket),
    (r"A loop in (?P<format>\w+), from left to right; in any order: (?P<list>[-\d, ]+)\. How many different .*", arrivals),
    (r"From left to right in binary32: (?P<list>[-\d, ]+)\. Which methods give the exact sum\?", who),
    (r"Kahan's method in binary32, from left to right: (?P<list>[-\d, ]+)\. What is `excess` after number (?P<k>\d)\?", excess),
    (r"What is the condition number of the sum of (?P<list>[-\d, ]+)\? To 1 %\.", condition),
    (r"A sum in (?P<format>\w+) has the condition number \$2\^(?P<k>\d+)\$ and is wrong by about \$2\^-(?P<u>\d+) sum .*", kept),
    (r"How many bits, without a sign, may an exact sum of \$2\^(?P<k>\d+)\$ numbers of (?P<format>\w+) need\?", wide),
    (r"In (?P<format>\w+) x is (?P<x>\d+) and y (?P<y>\d+) times the least subnormal number\. How many times is "
     r"\(x - y\) \+ y(?P<flushed>, subnormal results flushed to 0)?\?", underflow),
    (r"In (?P<format>\w+) p is (?P<a>\d+) \* (?P<b>\d+), rounded\. What is fma\(\d+, \d+, -p\)\?", remnant),
    (r"In (?P<format>\w+) a \* b \+ c is (?P<printed>-?\d+), where a, b, c are (?P<list>[-\d, ]+)\. Which code was it\?", fused),
    (r"(?P<words>.*?)(?:, T = (?P<t>\d+))?: (?P<n>\d+) numbers are added\. (?P<what>.*)", height),
    (r"(?P<words>.*): (?P<list>[-\d,;. ]+|\d+ times [\d.]+)\. What is the result\?(?: To 1 %\.)?", computed),
)]


def expected(prompt):
    for pattern, answer in KINDS:
        match = pattern.fullmatch(prompt)
        if match:
            return answer(match)
    raise AssertionError(f"nobody can read: {prompt}")


# ---- checks; each says what is wrong, "" for nothing ----

def same(text, value):
    return text == value if isinstance(value, str) else Fraction(text) == value


def wrong(ask):
    value = expected(ask["prompt"])
    for key in ("prompt", "hint", "because"):
        if not ask[key] or "\n" in ask[key] or ask[key].count("$") % 2:
            return f"{key} is no sentence"
    if ask["kind"] == "number":
        if ask["answer"] == "-0":
            return "-0 is shown"
        least, most = Fraction(ask["least"]), Fraction(ask["most"])
        narrow = least == most == value and same(ask["answer"], value)
        wide_enough = least < most and min(least, most) <= value <= max(least, most) and most - least <= max(2, abs(value) / 20)
        inside = least <= Fraction(ask["answer"]) <= most
        return "" if inside and (narrow or wide_enough) else f"expected {value}"
    if len(set(ask["choices"])) != len(ask["choices"]) or len(ask["choices"]) < 3:
        return "choices are alike, or too few"
    right = [choice for choice in ask["choices"] if is_answer(choice, value)]
    return "" if right == [ask["answer"]] else f"expected {value}"


def is_answer(choice, value):
    try:
        return same(choice, value)
    except ValueError:
        return False


def drawn(seed):
    out = subprocess.run([ULPSCOPE, "lesson", "--all", "--exercises", str(seed), "--json", "-"], capture_output=True, check=True)
    return [(lesson["id"], ask) for lesson in json.loads(out.stdout)["lessons"] for part in lesson["parts"]
            if part["kind"] == "exercise" for ask in part["asks"]]


def answers_are_right_for_every_seed(sets):
    for seed, asks in sets.items():
        for lesson, ask in asks:
            found = wrong(ask)
            assert not found, f"{lesson}, seed {seed}: {found}: {json.dumps(ask, indent=1)}"


def each_lesson_has_three(sets):
    for asks in sets.values():
        of = [lesson for lesson, _ in asks]
        assert len(set(of)) == LESSONS and all(of.count(lesson) >= EACH for lesson in of)
        assert len({ask["id"] for _, ask in asks}) == len(asks)


def seeds_draw_other_exercises(sets):
    prompts, places = {}, {}
    for asks in sets.values():
        for _, ask in asks:
            prompts.setdefault(ask["id"], set()).add(ask["prompt"])
            if ask["kind"] == "choice":
                places.setdefault(ask["id"], set()).add(ask["choices"].index(ask["answer"]))
    for name, different in prompts.items():
        assert len(different) >= min(DIFFERENT, len(sets)), f"{name}: {len(different)} different of {len(sets)}"
    for name, used in places.items():
        assert len(sets) < 100 or len(used) >= 3, f"{name}: the right choice is always at {used}"


def a_seed_draws_the_same_again(sets):
    first = min(sets)
    assert drawn(first) == sets[first]
    assert drawn(first) != sets[max(sets)]  # the twin


def another_answer_is_noticed(sets):
    """the twin: of every exercise of a seed"""
    for _, ask in sets[min(sets)]:
        if ask["kind"] == "number":
            more = 3 + abs(2 * float(ask["answer"]))
            false = dict(ask, answer=str(more), least=str(more), most=str(more))
        else:
            false = dict(ask, answer=next(choice for choice in ask["choices"] if choice != ask["answer"]))
        assert wrong(false), ask
        if ask["kind"] == "choice":
            assert wrong(dict(ask, choices=ask["choices"] + [ask["answer"]]))


def main():
    with ThreadPoolExecutor(2) as pool:
        sets = dict(zip(range(SEEDS), pool.map(drawn, range(SEEDS))))
    for fact in (each_lesson_has_three, answers_are_right_for_every_seed, seeds_draw_other_exercises,
                 a_seed_draws_the_same_again, another_answer_is_noticed):
        fact(sets)
        print(f"{fact.__name__}: fine")
    print(f"{SEEDS} seeds, {sum(map(len, sets.values()))} exercises")


main()
