/* Questions to a product: rows of A and columns of B, one pair for each element of the diagonal of C, so that both
 * factors of every term are free and a product of the size of a tile answers as many questions as it has rows. */
#pragma once

#include "arithmetic.h"

struct questions {
    uint64_t count, terms;
    double *a, *b, *answers; /* a and b: `terms` factors of each question */
    uint64_t *first;         /* place before which all are 0 */
    int *kind;               /* what it asks for: a number of whoever asks */
};

struct inquiry {
    const struct asked *asked;
    uint64_t count, random;
    void *a, *b, *c;
};

enum status inquiry_start(const struct asked *asked, struct inquiry *inquiry);
void inquiry_end(struct inquiry *inquiry);

enum status questions_new(uint64_t count, uint64_t terms, struct questions *questions);
void questions_free(struct questions *questions);

/* All answers. */
enum status inquiry_ask(struct inquiry *inquiry, struct questions *questions);

/* Every element of a product of the first asked->rows questions: c[i * rows + j] is of a of the i-th and b of the
 * j-th.  With `adds` they are added to what c has. */
enum status inquiry_ask_all(struct inquiry *inquiry, const struct questions *questions, double *c, bool adds);

uint64_t inquiry_below(struct inquiry *inquiry, uint64_t count); /* SplitMix64 */

/* What factors and products are asked with: exponents. */
struct span {
    int least, most;             /* of factors */
    int subnormal;               /* the least that a factor may have at all */
    int product_most, at_result; /* of products whose sum fits the result; of the result's least number */
    int more_bits;               /* that results have than binary32 */
};
struct span span_of(const struct sum_format *formats);

/* Element k of a question: 2^exponent times the significands, each rounded to what is stored. */
struct factor_pair {
    int exponent;
    double a, b;
};
void question_set(const struct asked *asked, struct questions *questions, uint64_t question, uint64_t k,
                  struct factor_pair pair);
