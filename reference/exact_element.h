/* What is said of an element of a matrix product; C for every compiler, as the kernel needs it. */
#pragma once

enum exact_kind { EXACT_FINITE, EXACT_INF, EXACT_NAN };

struct exact_element {
    enum exact_kind kind; /* as in exact_sum, of the products */
    double nearest, ulp;  /* of s, in the format of C */
    double abs_above;     /* |s| and sum_k |a_ik b_kj|, exact, then rounded up to binary64 */
    double sum_abs_above;
    /* computed - s, rounded away from 0 to binary64: 0 only if computed is s.  What IEEE 754 says of infinities and
     * NaNs where one of both is none but them.  0 where nothing was computed. */
    double error;
};
