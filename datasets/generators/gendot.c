/* gendot: the products of a dot product of given condition number.
 *
 * Ogita, Rump and Oishi's vectors, made of numbers of 12 bits (gendot_pairs.c), multiplied: each product is one number
 * of binary32, so that the sum of the data is the dot product.  A shuffle takes the order away, and all change sign
 * together or not.  As two vectors the family is the factors, in the order of their products.
 *
 *   cond = 4, n = 4:  1.5 * 1.25,  0.5 * -0.75,  then -1.5 * 0.375,  0.75 * -0.25
 *                     1.875 - 0.375 - 0.5625 - 0.1875 = 0.75, and sum |x| = 3
 *
 * gensum's terms fall evenly through all binades of cond.  Here half of them do, by twos; the others are as small as
 * what is still to be taken back, which falls from the square root of cond.  Fewer than log2(cond) / 6 elements cannot
 * take it all back.
 */
#include "datasets/conditioned.h"
#include "datasets/random.h"
#include "datasets/shuffle.h"

/* Two vectors, and the draw that their attempt leaves for the sign and the shuffle. */
struct vectors {
    float *x, *y;
    uint32_t draw;
};

static enum status attempt(const struct generator_call *call, uint32_t attempt, void *into, double *reached)
{
    struct vectors *vectors = into;
    vectors->draw = 2 * attempt + 1;
    return gendot_pairs_build(call, call->values[0], attempt, vectors->x, vectors->y, reached);
}

/* In the order of the algorithm; all x with their sign. */
static enum status build_ordered(const struct generator_call *call, struct vectors *vectors)
{
    TRY(conditioned_build(call, "gendot", call->values[0], attempt, vectors));
    const float sign = random_bits(call, 0, vectors->draw).word[0] & 1 ? -1 : 1;
    for (uint64_t i = 0; i < call->n; i++)
        vectors->x[i] *= sign;
    return OK;
}

static enum status build_pairs(const struct generator_call *call, void *x, void *y)
{
    struct vectors vectors = {.x = x, .y = y};
    TRY(build_ordered(call, &vectors));
    shuffle(call, vectors.draw, x);
    shuffle(call, vectors.draw, y);
    return OK;
}

static enum status build(const struct generator_call *call, void *x)
{
    struct vectors vectors = {.x = x, .y = malloc(call->n * sizeof(float))};
    TRY(vectors.y ? OK : out_of_memory("the second vector of gendot"));
    const enum status status = build_ordered(call, &vectors);
    for (uint64_t i = 0; status == OK && i < call->n; i++)
        vectors.x[i] *= vectors.y[i];
    if (status == OK)
        shuffle(call, vectors.draw, x);
    free(vectors.y);
    return status;
}

static const char *refuses(const struct format *format)
{
    return format->precision == FORMAT_BINARY32.precision ? NULL
                                                          : "its factors have 12 bits, half of those of binary32";
}

const struct generator generator_gendot = {
    .id = "gendot",
    .summary = "the products of a dot product of given condition number",
    .formula = "x_i y_i, |sum x_i y_i| = sum |x_i y_i| / cond",
    .source = "Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26(6) (2005) 1955, Algorithm 6.1",
    .effects = EFFECTS(
        {"n=4Ki,cond=1e2", "compensated/*,wider/*,exact/*,!kahan*,!binned_3x13/*", AT_MOST, 1},
        {"n=4Ki,cond=1e2", "plain/*", AT_MOST, 500}, {"n=4Ki,cond=1e8", "plain/*,kahan_naive_merge/*", AT_LEAST, 400},
        {"n=4Ki,cond=1e8", "kahan/serial", AT_LEAST, 1e4}, {"n=4Ki,cond=1e8", "fabsum/serial", AT_LEAST, 4e4},
        {"n=4Ki,cond=1e8", "neumaier/*", AT_MOST, 800},
        {"n=4Ki,cond=1e8", "klein/*,binary64*,binned_4x20/*,superacc/*", AT_MOST, 1},
        {"n=4Ki,cond=1e14", "plain/*,neumaier/*,double_float/*,fabsum*", AT_LEAST, 200},
        {"n=4Ki,cond=1e14", "binary64/*", AT_LEAST, 80}),
    .exact = "condition within a factor of 3 of cond",
    .showcase = {"gendot:n=4096,cond=1e2..1e14*1e6"},
    .parameters = PARAMETERS({"cond", REAL, 1e8, 1, CONDITION_MOST, "condition number, sum |x| / |sum x|", NULL}),
    .least_n = 2,
    .random = true,
    .refuses = refuses,
    .build = build,
    .build_pairs = build_pairs,
};
