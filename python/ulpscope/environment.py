"""How this process rounds.  A library may change that for good: by loading it (FTZ and DAZ, of -ffast-math) or in a call."""

import ctypes

LEAST, HALF_ULP = 5e-324, 2.0**-53  # HALF_ULP of 1, so that 1 + HALF_ULP is 1, and 1 - HALF_ULP / 2


def changed() -> str:
    """What is other than IEEE 754's default, as an object of "changed"; "" where nothing is."""
    one = 1.0
    if LEAST * one == 0:
        return "how subnormal numbers are treated (FTZ or DAZ: they become 0)"
    if one + HALF_ULP != one:
        return "the rounding mode, to upward"
    if -one - HALF_ULP != -one:
        return "the rounding mode, to downward"
    if one - HALF_ULP / 2 != one:
        return "the rounding mode, to toward zero"
    return ""


def restore() -> bool:
    """Whether everything is the default again."""
    try:
        ctypes.CDLL(None).fesetenv(ctypes.c_void_p(-1))  # FE_DFL_ENV
    except AttributeError:
        pass
    return not changed()
