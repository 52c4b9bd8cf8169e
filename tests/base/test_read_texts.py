#!/usr/bin/env python3
"""100,000 texts are read into every binary format as Python's integers say: decimals of up to 200 digits, hex floats,
subnormal numbers, midpoints between neighbours and what lies beside them.

  test_read_texts.py PROGRAM     tests/base/read_texts.c, compiled

The twins are readers that are wrong in one way each; some of the same texts show it.
"""
import random
import re
import subprocess
import sys

TEXTS, FEW = 100000, 4000
FORMATS = [  # name, precision, least subnormal 2^k, first power out of range 2^k, bits of an element, bits of its significand
    ("binary64", 53, -1074, 1024, 64, 53), ("binary32", 24, -149, 128, 32, 24), ("binary16", 11, -24, 16, 16, 11),
    ("bfloat16", 8, -133, 128, 16, 8), ("tf32", 11, -136, 128, 32, 24)]
BINARY32 = FORMATS[1]
NUMBER = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?|(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?)$")


def parse(text):
    """Its sign, and its magnitude as two integers: numerator and denominator."""
    sign, hexa, hexa_fraction, power, whole, fraction, exponent = NUMBER.match(text).groups()
    if hexa is not None:
        digits, base, places = int(hexa + hexa_fraction, 16), 2, int(power or 0) - 4 * len(hexa_fraction)
    else:
        digits, base, places = int(whole + fraction), 10, int(exponent or 0) - len(fraction)
    places = places if digits else 0
    return sign == "-", digits * base ** max(places, 0), base ** max(-places, 0)


def nearest(numerator, denominator, precision, least, ties_to_even=True):
    """Significand and exponent of the nearest number, as if there were no end to the range, and the text's side of it."""
    if numerator == 0:
        return 0, least, 0
    exponent = numerator.bit_length() - denominator.bit_length()  # 2^(exponent - 1) < magnitude < 2^(exponent + 1)
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    place = max(exponent - precision + 1, least)
    divisor = denominator << max(place, 0)
    significand, rest = divmod(numerator << max(-place, 0), divisor)
    up = 2 * rest > divisor or (2 * rest == divisor and (significand % 2 == 1 or not ties_to_even))
    return significand + up, place, -1 if up else int(rest > 0)


def encode(negative, significand, place, limits):
    """Bits of the format that stores it; None beyond the largest number."""
    _, precision, least, overflow, bits, stored = limits
    if significand == 1 << precision:
        significand, place = significand >> 1, place + 1
    if significand.bit_length() + place > overflow:
        return None
    if stored != precision:  # tf32's numbers stand in binary32, whose subnormal ones are theirs, too
        significand, place = significand << stored - precision, place - (stored - precision)
        precision, least = stored, least - (stored - precision)
    return (negative << bits - 1) + ((place - least) << precision - 1) + significand


def answer(parsed, limits, **how):
    negative, numerator, denominator = parsed
    significand, place, side = nearest(numerator, denominator, limits[1], limits[2], **how)
    bits = encode(negative, significand, place, limits)
    return "refused" if bits is None else "%x%s" % (bits, "<=>"[(-side if negative else side) + 1])


def decimal(numerator, places):
    """numerator * 2^places in full."""
    if places >= 0:
        return str(numerator << places)
    return "%de%d" % (numerator * 5 ** -places, places)


def significand_of(limits):
    return random.getrandbits(random.randint(1, limits[1])) | 1


def place_of(limits):
    _, precision, least, overflow, *_ = limits
    return random.choice([least, random.randint(least, least + precision), random.randint(least, overflow - precision)])


def some_decimal():
    digits = "".join(random.choices("0123456789", k=random.choice([1, 5, 9, 17, random.randint(1, 200)])))
    point = random.randint(0, len(digits))
    exponent = random.choice([0, random.randint(-50, 45), random.randint(-400, 330)])
    return "%s.%s%s" % (digits[:point], digits[point:], random.choice(["", "e%d" % exponent]))


def some_hex():
    digits = "%x" % random.getrandbits(random.choice([8, 24, 53, 64, random.randint(1, 300)]))
    point = random.randint(0, len(digits))
    exponent = random.choice([random.randint(-160, 130), random.randint(-1100, 1040), random.randint(-30, 20)])
    return "0x%s.%s%s%d" % (digits[:point], digits[point:], random.choice("pP"), exponent)


def some_midpoint():
    """Between two neighbours of a format, normal or subnormal: exactly, or a little beside."""
    limits = random.choice(FORMATS)
    middle, place = 2 * significand_of(limits) + random.choice([0, 1, 1, 1]), place_of(limits) - 1
    extra = random.choice([0, 0, 1, 30, 60, 150])
    middle = (middle << extra) + (random.choice([-1, 0, 1]) if extra else 0)
    place -= extra
    if random.random() < 0.5 and place > -400:
        return decimal(middle, place)
    return "0x%xp%d" % (middle, place)


def some_edge():
    """Around the largest number, the least normal and the least subnormal one."""
    _, precision, least, overflow, *_ = random.choice(FORMATS)
    top, place = random.choice([(2 ** (precision + 1) - 1, overflow - precision - 1), (2 ** precision, least - 1), (1, least - 1),
                                (1, least), (3, least - 1)])
    return "0x%xp%d" % ((top << 70) + random.choice([-1, 0, 1, random.randint(-2 ** 40, 2 ** 40)]), place - 70)


def some_zero():
    return random.choice(["0", "0.000", ".0e5", "0x0p0", "0e-999999", "1e-2000", "0x1p-9999", "0x.0p3"])


def a_text():
    made = random.choices([some_decimal, some_hex, some_midpoint, some_edge, some_zero], [30, 25, 35, 9, 1])[0]()
    made = made if made[0] != "." or made[1:2].isdigit() else "0" + made
    return random.choice(["", "", "-", "+"]) + made


def read(program, texts):
    done = subprocess.run([program], input="".join(text + "\n" for text in texts), capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def misread(texts, answers, wanted):
    return [(text, limits[0], found, expected) for text, line, lines in zip(texts, answers, wanted)
            for limits, found, expected in zip(FORMATS, line, lines) if found != expected]


def rounded_twice(parsed, precision, least):
    """Through another format, whose range has no end; the side is right."""
    negative, numerator, denominator = parsed
    significand, place, _ = nearest(numerator, denominator, precision, least)
    return answer((negative, significand << max(place, 0), 1 << max(-place, 0)), BINARY32)[:-1] + answer(parsed, BINARY32)[-1]


WRONG_READERS = [
    ("strtod and a cast", lambda parsed: rounded_twice(parsed, 53, -1074)),
    ("24 bits, then those of a subnormal number", lambda parsed: rounded_twice(parsed, 24, -10 ** 6)),
    ("ties away from zero", lambda parsed: answer(parsed, BINARY32, ties_to_even=False)),
    ("subnormal numbers are 0", lambda parsed: re.sub(r"^[1-7]?.{1,5}(?=[<=>])", "0", answer(parsed, BINARY32))),
    ("zeros have no sign", lambda parsed: re.sub("^80000000", "0", answer(parsed, BINARY32))),
    ("infinity for what is refused", lambda parsed: answer(parsed, BINARY32).replace("refused", "7f800000<")),
    ("every text is a number", lambda parsed: re.sub("[<>]", "=", answer(parsed, BINARY32)))]


def main():
    random.seed(18)
    texts = ["0x1.098d65p-128", "8.9605592395480326094883224537978908915925324791436964613827057329493975222634016830625114380382"
             "001399993896484375E-39"] + [a_text() for _ in range(TEXTS - 2)]
    parsed = [parse(text) for text in texts]
    wanted = [[answer(one, limits) for limits in FORMATS] for one in parsed]
    wrong = misread(texts, read(sys.argv[1], texts), wanted)
    for found in wrong[:20]:
        print("FAIL  %s in %s is read as %s, not %s" % found)
    print("%s  %d texts in %d formats, %d misread" % ("FAIL" if wrong else "ok  ", len(wanted), len(FORMATS), len(wrong)))
    failed = len(wrong) > 0
    for name, reader in WRONG_READERS:
        planted = [[line[0], reader(one), *line[2:]] for one, line in zip(parsed[:FEW], wanted)]
        seen = len(misread(texts, planted, wanted))
        print("%s  the twin \"%s\" misreads %d of %d" % ("ok  " if seen else "FAIL", name, seen, FEW))
        failed |= seen == 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
