/* What an element of a matrix product may have been computed in: a method of ours, or blocks of a fused unit (kernels/
 * fused_units.def) in an order that may have no method, of factors that were rounded first or brought to fp8.
 *
 *   "matmul_fma:plain/naive, binary32 inputs rounded to TF32 (nearest even)"
 *   "matmul:hopper_wgmma@e4m3, fp8 promoted every 128 of k"
 *   "matmul:hopper_wgmma@e4m3, factors in e4m3 by blocks of 128 of k, scaled by fma of (part sa) sb"
 */
#pragma once

#include "datasets/numbers.h"
#include "kernels/fused.h"

enum product_factors {
    AS_STORED,
    TF32_NEAREST, /* binary32 rounded to nearest, ties to even */
    TF32_DROPPED, /* 13 bits dropped */
    IN_E4M3,      /* x / s in e4m3, s = (the largest |x| of a block of k) / 448 in binary32 */
    PRODUCT_FACTORS
};

struct product_arithmetic {
    const struct fused_unit *unit; /* NULL: `method` adds */
    struct fused_order order;
    const struct method *method; /* of ours; with a unit the one whose format the element has */
    enum product_factors factors;
    bool is_longer; /* than the 128 of k after which fp8 is promoted: one chain is not the same then */
};

/* The next of all ways to compute products of n terms that are stored as those of `method` and have its result: ours,
 * then each unit; each with factors as they are stored, then with others.  *at begins at 0.  false: there are no more.
 */
bool product_next(const struct method *method, uint64_t n, size_t *at, struct product_arithmetic *product);

/* The dot product of a row and a column, data->x and y; bits of method->format.  NOT_MEASURED. */
enum status product_sum(const struct product_arithmetic *product, const struct dataset *data, uint64_t *bits);

/* "matmul:hopper_wgmma@e4m3"; "fp8 promoted every 128 of k", which may be nothing. */
void product_say_method(const struct product_arithmetic *product, struct text *to);
void product_say_cause(const struct product_arithmetic *product, struct text *to);

/* The sentence about elements of a product that have been computed: `count` of them, each a row and a column and bits
 * of method->format.  "bit for bit ..., on 64 of 64; 2 more fit as well", or that none of so many ways has the bits. */
struct product_element {
    struct dataset data;
    uint64_t bits;
};
enum status product_diagnose(const struct method *method, const struct product_element *elements, size_t count,
                             char **sentence);
