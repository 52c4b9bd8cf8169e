/* Numbers that differ from simple ones by a speck; for tests of cmocka, whose header comes first. */
#ifndef ULPSCOPE_TESTS_BESIDE_H
#define ULPSCOPE_TESTS_BESIDE_H

#include <mpfr.h>

#include <stdint.h>

enum { DUST = -5000, PRECISION = 5200 }; /* 2^DUST is far below every format; 2^128 + 2^DUST fits */

static inline void assert_exact(int ternary)
{
    assert_int_equal(ternary, 0);
}

/* value = k 2^exponent + side 2^dust */
static inline void set_beside(mpfr_t value, uint64_t k, long exponent, long side, long dust)
{
    mpfr_t speck;
    mpfr_init2(speck, 2);
    assert_exact(mpfr_set_ui_2exp(value, k, exponent, MPFR_RNDN));
    assert_exact(mpfr_set_si_2exp(speck, side, dust, MPFR_RNDN));
    assert_exact(mpfr_add(value, value, speck, MPFR_RNDN));
    mpfr_clear(speck);
}

#endif
