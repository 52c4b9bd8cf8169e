/* What a table has where a format has an ONLY_ACCUMULATOR (kernels/formats/): plain is compiled there, and sums alone.
 *
 *   IN_8_BITS(plain, &a, NULL)    &a        IN_8_BITS(kahan, &a, NULL)    NULL */
#pragma once

#define ONLY_plain ~, ~
#define ONLY_THIRD(a, b, c, ...) c
#define ONLY_PICK(...) ONLY_THIRD(__VA_ARGS__)
#define IN_8_BITS(id, there, otherwise) ONLY_PICK(ONLY_##id, there, otherwise, ~)
