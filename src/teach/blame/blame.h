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

#include "src/measure/judge.h"
#include "src/teach/additions.h"
#include "src/teach/tree/spans.h"

/* Who pays for what additions lose: every element a share, so that the shares add up to the sum of |local errors|.
 *
 *   plain/serial on 2^24, 1, 3     node 3   2^24 + 1   loses 1    charged to x1, whose bit did not fit
 *                                  node 5   2^24 + 3   loses 1    charged to x2, 2^24 + 3 being made 2^24 + 4
 *
 * Each addition charges its loss to the operand of smaller magnitude, of equal ones to the right one: its low bits are
 * those that do not fit beside the other.  An element pays that itself.  A partial sum hands it down to its elements in
 * proportion to |x_i|: each unit of them pays |error| / sum |x_j|, and what it pays for all additions above it is its
 * rate, which takes O(n) from the root down.  An operand whose elements are all 0 has nothing to pay from: the other
 * one is charged.  A product pays its own error, too; beside that it is charged as an element of its value is.
 *
 * Another answer is the backward error (Higham 2002, section 4.2): computed = sum of x_i (1 + delta)(1 + delta') ..., a
 * factor for each addition above x_i, delta being the local error by what should have been made.  So x_i is treated as
 * if it were changed by x_i ((1 + delta)(1 + delta') ... - 1), and these changes add up to computed - s.
 * Of a product it is the change of x_i y_i.
 */

struct charges {
    double *rate;   /* of a join k: what a unit of |x| below it pays for the additions above it, itself left out; of a
                       leaf: what it pays itself, for the addition it takes part in and for its product */
    double *growth; /* of a join k: the product of 1 + delta over it and all above it, and of the last rounding, less 1;
                       NaN where something was lost from nothing, as a merge may */
    double last;    /* the last rounding by what it rounds */
};

/* Of additions that are finite.  NOT_MEASURED when memory is short; *charges is then empty. */
enum status charges_make(const struct additions *of, struct charges *charges);
void charges_free(struct charges *charges);

/* What element i pays in all. */
double charges_of(const struct charges *charges, const struct additions *of, uint64_t i);

/* Of it what it pays as an operand. */
double charges_itself(const struct charges *charges, const struct additions *of, uint64_t i);

/* Its backward error: the change of x_i. */
double charges_backward(const struct charges *charges, const struct additions *of, uint64_t i);

/* The largest of many, without sorting all: of 2^24 additions the ten that lost most.
 *
 * Sizes that are 0 or NaN are not taken; of equal ones those that are offered first come first and stay.
 */

struct top_entry {
    double size;
    uint64_t index;
};

struct top_list {
    struct top_entry *entries; /* the largest first */
    size_t count, most;
};

void top_list_start(size_t most, struct top_list *list);
void top_list_offer(struct top_list *list, double size, uint64_t index);
void top_list_free(struct top_list *list);

enum { BLAME_TOP_MOST = 10000, BLAME_LINES_MOST_N = 32 };

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
enum status blame_write_svg(const struct blame *blame, const char *path);
