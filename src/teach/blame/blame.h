/* Which additions of a sum lost the bits, and which elements: ulpscope blame.
 *
 *   struct blame_request request = {{"blame", method, n, launch}, elements, "swamp:n=64", .top = 10};
 *   TRY(blame_make(&request, &blame));
 *   TRY(blame_print(&blame, stdout, false));
 *   blame_free(&blame);
 *
 * docs/explain.md says what each number is.
 */
#pragma once

#include "charges.h"
#include "levels.h"
#include "src/measure/judge.h"
#include "src/teach/tree/spans.h"
#include "top_list.h"

#include <stdio.h>

enum { BLAME_TOP_MOST = 10000, BLAME_CSV_MOST = 1 << 20, BLAME_LINES_MOST_N = 32 };

struct blame_request {
    struct tree_request additions; /* whose family starts every complaint */
    struct operands elements;      /* of the method's operation */
    const char *data;              /* what the elements are called: a spec or a file */
    uint64_t seed, trial;
    size_t top;
};

/* An addition among the first, or a product: then left and right are the node itself. */
struct blame_addition {
    uint32_t node, left, right;
    double lost; /* |local error| */
    struct span left_span, right_span;
};

struct blame {
    struct blame_request request;
    struct additions additions;
    struct exact_sum exact;
    struct measured judged; /* the sum against the exact one */

    bool finite;       /* the data, all states and the result; what follows is empty where they are not */
    double lost;       /* the sum of |local errors|, each and then their sum rounded; the last rounding is none */
    mpfr_t difference; /* computed - s, exactly */
    struct charges charges;
    struct levels levels;
    struct blame_addition *top_additions; /* those that lost most; equal ones as they were made */
    size_t top_addition_count;
    struct top_list top_elements; /* by what they are charged */

    struct blame_addition first_not_finite; /* its node is 0 where no addition made an infinity or a NaN */
};

/* Complains and returns BAD_INPUT as additions_possible does, or NOT_MEASURED: memory is short, or the local errors of
 * a finite sum do not add up to computed - s, which never should be.  *blame is then empty. */
enum status blame_make(const struct blame_request *request, struct blame *blame);
void blame_free(struct blame *blame);

/* Of a join or a product, without spans. */
struct blame_addition blame_addition_at(const struct additions *of, uint32_t node);

/* Whether a node is a product. */
bool blame_is_product(const struct blame *blame, uint32_t node);

/* The two numbers that a product multiplies, and an operand of any other node: what it is worth. */
double blame_operand(const struct blame *blame, const struct blame_addition *addition, bool right);

/* All that stands for the lost: the additions', the products' and the last rounding's. */
double blame_all_lost(const struct blame *blame);

/* The share of the lost that is no error of the result, because errors of both signs met: 0 to 1; 0 where nothing is
 * lost. */
double blame_cancelled(const struct blame *blame);

/* What is printed for people, for scripts, and drawn: a tree whose joins are as hot as what they lose. */
enum status blame_print(const struct blame *blame, FILE *to, bool colour);
enum status blame_write_json(const struct blame *blame, const char *path);
enum status blame_write_csv(const struct blame *blame, const char *path); /* up to BLAME_CSV_MOST additions */
enum status blame_write_svg(const struct blame *blame, const char *path);
enum status blame_draw_lines(const struct blame *blame, FILE *to);
