/* The three formats of a sum: what its numbers are stored in, what they are added in, what its result is rounded to.
 *
 *   bfloat16              numbers of bfloat16, added in binary32, the sum rounded to bfloat16: what people write
 *   bfloat16_in_bfloat16  every addition rounds to bfloat16
 */
#pragma once

#include "src/base/fp.h"

struct sum_format {
    const char *id; /* "bfloat16" */
    const struct format *stored, *added, *result;
    const char *claim;
};

#define SUM_FORMAT(id, stored, added, result, claim) extern const struct sum_format sum_format_##id;
#include "formats.def"

/* In the order of the table; the first is binary32. */
enum {
#define SUM_FORMAT(id, stored, added, result, claim) SUM_FORMAT_##id,
#include "formats.def"
    SUM_FORMATS
};
extern const struct sum_format *const sum_formats[SUM_FORMATS];

/* Whether sums end at the largest number, and are never infinite: in 8 bits (kernels/formats/saturating.h). */
static inline bool sum_format_saturates(const struct sum_format *of)
{
    return of->added->bytes == 1;
}

/* NULL when there is none of this name. */
const struct sum_format *sum_format_find(const char *id);

/* Of a method with this id: what follows its @, or binary32; NULL: none that this program knows. */
const struct sum_format *sum_format_of_method(const char *id);

/* The first whose numbers are stored in the one and added in the other (NULL: in whatever is usual); NULL: none is. */
const struct sum_format *sum_format_of(const struct format *stored, const struct format *added);
