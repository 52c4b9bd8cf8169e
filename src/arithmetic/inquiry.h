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

/* Models that are left after some answers. */

struct models {
    struct arithmetic *left;
    size_t count;
};

/* The exponents of floors that are asked for, and so on; FLOOR_LEAST is none. */
enum { FLOOR_LEAST = -200, FLOOR_MOST = 0, FRACTION_LEAST = 7, FRACTION_MOST = 40, OUTPUT_LEAST = 7 };

/* The least that is asked for in these formats: products are no smaller. */
int models_least_floor(const struct sum_format *formats);

/* All of a grouping that take factors as they are stored, with no floor and no -0. */
enum status models_all(const struct sum_format *formats, const struct grouping *grouping, struct models *models);

/* Each with every input; with every floor and treatment of subnormals; with either zero. */
enum status models_with_inputs(const struct sum_format *formats, struct models *models);
enum status models_with_floors(const struct sum_format *formats, struct models *models);
enum status models_with_zeros(struct models *models);

/* Keeps those that have the answers of some rows, with the sign of zeros or without; returns the row after which none
 * was left, or held.end. */
struct held {
    uint64_t first, end;
    bool signs;
};
uint64_t models_hold(struct models *models, const struct sum_format *formats, const struct grouping *grouping,
                     const struct questions *questions, struct held held);

/* Whether an element has the bits of an answer; puts those models first that have them, and returns how many do. */
bool models_has_bits(const struct arithmetic *of, const struct grouping *grouping, const struct element *element,
                     double answer, bool signs);
size_t models_keep(struct models *models, const struct grouping *grouping, const struct element *element, double answer,
                   bool signs);

/* Rows that tell models apart. */

/* What a row asks for; the first four of products that are added last. */
enum row_kind {
    ROW_ALIGNMENT, /* L - L and a few bits, far below */
    ROW_OUTPUT,    /* some L, and a few bits */
    ROW_INPUTS,    /* random factors of one size */
    ROW_SPREAD,    /* of many sizes */
    ROW_ADDITIONS, /* of any places */
    ROW_FLOOR,     /* the least products and results */
    ROW_ZERO,      /* -tiny beside L - L */
    ROW_KINDS
};

/* Makes question number `question` a row of a kind. */
void row_set(struct inquiry *inquiry, const struct grouping *grouping, struct questions *questions, uint64_t question,
             enum row_kind kind);

/* An element of C that products are added to, of about their size. */
double row_any_c(struct inquiry *inquiry);

/* Fresh ones, of all products. */
void row_set_fresh(struct inquiry *inquiry, const struct grouping *grouping, int fraction, struct questions *questions,
                   uint64_t question, int kind);

/* The order along k, found from pairs: L at i, -L at j and a small s elsewhere leave as many s as lie outside the node
 * that joins i and j. */

/* Of sums of so many terms, at most asked->terms.  *is_found: they have such an order, and answers to other pairs are
 * those of it.  The caller frees grouping->places. */
enum status grouping_find(struct inquiry *inquiry, uint64_t terms, struct grouping *grouping, bool *is_found);
