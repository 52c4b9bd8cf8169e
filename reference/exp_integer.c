/* With t = -(high + low), k = floor(t / ln 2) + 1 and r = k ln 2 - t, which is more than 0 and no more than ln 2 and a
 * little:
 *
 *   e^-t = 2^-k e^r,   r = i/2^8 + j/2^16 + s,   e^r = e^(i/2^8) e^(j/2^16) e^s,   s < 2^-16
 *
 * The first two are looked up; e^s is its series to s^6/720.  All numbers are integers, counted in e = 2^-126; products
 * are rounded down.
 *
 * Theorem: |v - e^r 2^126| < 20.  Proof, in e:
 *
 *   k        t/ln 2 < 1,590 is made with errors below 2^-40, and 2^-30 is added: 2^-31 < k - t/ln 2 < 1 + 2^-29, so
 * that r > 0 and i = floor(256 r) <= 177 r        high and low are cut at e: 1 each; ln 2 has 64 bits more than e, k <
 * 2^11, and k ln 2 is cut: 1.01. |error of r| < 3.01, and e^r < 2.001 is off by less than 6.1 series   1/k! is rounded:
 * 0.5; each step multiplies what is off by s < 2^-16 and cuts: 1.  Less than 1.001 at the end, since 1/0! and 1/1! are
 * exact.  Left out: s^7/5040 e^s < 2^-112 / 5039 = 3.26.  Less than 4.3 tables   rounded to nearest, 0.5 each:
 * e^(i/2^8) < 2, e^(j/2^16) < 1.004, and their product is cut: less than 2.6 product  of 2.001 with 4.3 off by 1.0001
 * with 2.6 off, and cut: less than 8.7 + 2.7 + 1
 *
 * In all less than 6.1 + 12.4 = 18.5.
 * tests/reference/test_softmax.c holds it to MPFR. */
#include "exp_integer.h"

#include "scaled.h"

#include <pthread.h>

enum { FIRST_BITS = 8, SECOND_BITS = 8, REST_BITS = EXP_PLACES - FIRST_BITS - SECOND_BITS, TERMS = 7 };

static limbs_wide first[178], second[1 << SECOND_BITS], series[TERMS], ln2;
static uint64_t ln2_below; /* its next 64 bits */

static limbs_wide rounded(const mpfr_t value, long places, mpfr_rnd_t rounding)
{
    mpz_t integer;
    mpfr_t scaled;
    mpz_init(integer);
    mpfr_init2(scaled, mpfr_get_prec(value));
    (void)mpfr_mul_2si(scaled, value, places, MPFR_RNDN);
    (void)mpfr_get_z(integer, scaled, rounding);
    const limbs_wide whole = scaled_integer(integer);
    mpz_clear(integer);
    mpfr_clear(scaled);
    return whole;
}

static limbs_wide exp_of_share(unsigned long i, unsigned long of_bits)
{
    mpfr_t x;
    mpfr_init2(x, 256);
    (void)mpfr_set_ui_2exp(x, i, -(mpfr_exp_t)of_bits, MPFR_RNDN);
    (void)mpfr_exp(x, x, MPFR_RNDN);
    const limbs_wide value = rounded(x, EXP_PLACES, MPFR_RNDN);
    mpfr_clear(x);
    return value;
}

static void make_tables(void)
{
    mpfr_t x;
    mpfr_init2(x, 256);
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
        first[i] = exp_of_share(i, FIRST_BITS);
    for (unsigned j = 0; j < sizeof second / sizeof *second; j++)
        second[j] = exp_of_share(j, FIRST_BITS + SECOND_BITS);
    (void)mpfr_set_ui(x, 1, MPFR_RNDN);
    for (unsigned long k = 0; k < TERMS; k++) {
        (void)mpfr_div_ui(x, x, k > 1 ? k : 1, MPFR_RNDN);
        series[k] = rounded(x, EXP_PLACES, MPFR_RNDN);
    }
    (void)mpfr_const_log2(x, MPFR_RNDN);
    ln2 = rounded(x, EXP_PLACES, MPFR_RNDD);
    ln2_below = (uint64_t)rounded(x, EXP_PLACES + 64, MPFR_RNDD); /* modulo 2^64 */
    mpfr_clear(x);
}

void exp_integer_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make_tables);
}

limbs_wide exp_integer(double high, double low, int *k)
{
    const uint64_t whole = (uint64_t)(-high * 0x1.71547652b82fep+0 + 0x1p-30) + 1;
    const limbs_wide times = whole * ln2 + ((limbs_wide)whole * ln2_below >> 64);
    const limbs_wide r = times - scaled_units(high, -EXP_PLACES) +
                         (low < 0 ? -scaled_units(low, -EXP_PLACES) : scaled_units(low, -EXP_PLACES));
    const limbs_wide s = r & (((limbs_wide)1 << REST_BITS) - 1);
    limbs_wide sum = series[TERMS - 1];
    for (unsigned t = TERMS - 1; t-- > 0;)
        sum = series[t] + exp_product(s, sum);
    *k = (int)whole;
    return exp_product(
        exp_product(first[r >> (REST_BITS + SECOND_BITS)], second[r >> REST_BITS & ((1 << SECOND_BITS) - 1)]), sum);
}
