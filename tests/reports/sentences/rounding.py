"""Numbers as people's tables show them (docs/metrics.md, "Rounding"), in integers."""

import math
from fractions import Fraction


def digits(value, places, up=False):
    """`value` times 10^places as a whole number: to nearest, ties to even, or up."""
    scaled = Fraction(value) * Fraction(10) ** places
    return math.ceil(scaled) if up else round(scaled)


def fixed(value, places, up=False):
    whole = str(digits(abs(value), places, up)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (whole if places == 0 else f"{whole[:-places]}.{whole[-places:]}")


def scientific(value, up=False):
    exponent = math.floor(math.log10(abs(float(value)))) if float(value) else 0
    while Fraction(10) ** exponent > abs(Fraction(value)):
        exponent -= 1
    while Fraction(10) ** (exponent + 1) <= abs(Fraction(value)):
        exponent += 1
    whole = digits(abs(value), 2 - exponent, up)
    if whole == 1000:
        whole, exponent = 100, exponent + 1
    return f"{'-' if value < 0 else ''}{whole // 100}.{whole % 100:02d}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def shown(value, up=False):
    """`value`: a float or a Fraction."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    size = abs(Fraction(value))
    if size == 0:
        return "0"
    if up and Fraction(1e-3) <= size <= 999:
        return fixed(value, next((places for end, places in ((0.0999, 4), (0.999, 3), (9.99, 2), (99.9, 1)) if size <= Fraction(end)), 0), up)
    if up or not Fraction(1e-3) <= size < 1000:
        return scientific(value, up)
    places = 4 if size < Fraction(0.1) else 2 if size < Fraction(9.995) else 1 if size < Fraction(99.95) else 0
    return fixed(value, places, up)


def shown_error(value):
    """An error, or a bound: what is shown is never less."""
    return shown(value, up=True)


def dashed(value, write=shown):
    return "-" if isinstance(value, float) and math.isnan(value) else write(value)


def percent(share):
    """Of a bound; `share` is not NaN."""
    value = 100 * share
    return "< 0.001 %" if 0 < value < 0.001 else shown_error(value) + " %"


def plural(count):
    return "" if count == 1 else "s"


def hexadecimal(value):
    """As C writes %a of a binary64 number, without trailing zeros."""
    if not math.isfinite(value):
        return shown(value)
    if value == 0:
        return "-0x0p+0" if math.copysign(1, value) < 0 else "0x0p+0"
    mantissa, exponent = value.hex().split("p")
    sign = "-" if mantissa[0] == "-" else ""
    fraction = mantissa.lstrip("-")[3:].lstrip(".")
    lead = mantissa.lstrip("-")[2]
    if lead == "0":  # subnormal
        mantissa, exponent = (value * 2.0**64).hex().split("p")
        fraction, exponent = mantissa.lstrip("-")[4:], str(int(exponent) - 64)
    fraction = fraction.rstrip("0")
    return f"{sign}0x1{'.' if fraction else ''}{fraction}p{int(exponent):+d}"
