#include "statistic_bound.h"

#include "bounded.h"

/* ---- means ---- */

static struct bounded sum_of_x(const struct statistic_claim *claim, const struct moments *of)
{
    return sum_of_data(claim, (struct magnitudes){of->abs_sum, of->sum_abs, of->max_abs, NULL});
}

static struct bounded mean(const struct statistic_claim *claim, const struct moments *of)
{
    return per(claim->formula, sum_of_x(claim, of), claim->n);
}

static struct bounded scaled_first(const struct statistic_claim *claim, const struct moments *of)
{
    const double n = (double)claim->n;
    const struct magnitudes exact = {round_up(of->abs_sum / n), round_up(of->sum_abs / n), round_up(of->max_abs / n),
                                     NULL};
    const double relative = bound_compound(one_rounding(claim->added), count_error(claim->added, claim->n));
    return n <= format_largest(claim->added) ? sum_of_terms(claim, exact, relative, half_least(claim->added))
                                             : (struct bounded){0, INFINITY};
}

static struct bounded times_reciprocal(const struct statistic_claim *claim, const struct moments *of)
{
    const struct bounded reciprocal = per(claim->formula, (struct bounded){1, 0}, claim->n);
    return mul(claim->formula, sum_of_x(claim, of), reciprocal);
}

static struct bounded weighted(const struct statistic_claim *claim, const struct moments *of)
{
    const struct bounded products =
        sum_of_products(claim, of->abs_products, of->sum_products_abs, of->sum_products_abs);
    const struct bounded weights =
        sum_of_data(claim, (struct magnitudes){of->sum_weights_abs, of->sum_weights_abs, of->sum_weights_abs, NULL});
    return quotient(claim->formula, products, weights, of->weights_below);
}

static struct bounded cosine(const struct statistic_claim *claim, const struct moments *of)
{
    const struct format *in = claim->formula;
    const struct bounded products =
        sum_of_products(claim, of->abs_products, of->sum_products_abs, of->sum_products_abs);
    const struct bounded x = root(in, sum_of_squares(claim, of->sum_squares, of->sum_squares), of->sum_squares_below);
    const struct bounded y =
        root(in, sum_of_squares(claim, of->sum_squares_2, of->sum_squares_2), of->sum_squares_2_below);
    const double below = sqrt(of->sum_squares_below) * sqrt(of->sum_squares_2_below) * (1 - 0x1p-50);
    return quotient(in, products, mul(in, x, y), below);
}

/* ---- variances ---- */

static uint64_t divisor(const struct statistic_claim *claim)
{
    return claim->of_sample ? claim->n - 1 : claim->n;
}

/* x^2 of those numbers at most. */
static double square(double x)
{
    return round_up(x * x);
}

static struct bounded textbook(const struct statistic_claim *claim, const struct moments *of)
{
    const struct format *in = claim->formula;
    const struct bounded m = mean(claim, of), squares = sum_of_squares(claim, of->sum_squares, square(of->max_abs));
    const double exact = round_up(of->centred / (double)claim->n);
    const struct bounded v = add(in, per(in, squares, claim->n), mul(in, m, m), exact);
    return claim->of_sample ? per(in, mul(in, v, count(in, claim->n)), divisor(claim)) : v;
}

/* (c - r r / n) / N */
static struct bounded less_mean(const struct statistic_claim *claim, const struct moments *of, struct bounded c,
                                struct bounded r)
{
    const struct format *in = claim->formula;
    const struct bounded of_mean = per(in, mul(in, r, r), claim->n);
    return per(in, add(in, c, of_mean, of->centred), divisor(claim));
}

/* x - p, of a number p that is `offset` from the mean: sum (x - p)^2 = C + n offset^2. */
struct offsets {
    double offset, squares, max_abs;
};

static struct offsets offsets_from(const struct statistic_claim *claim, const struct moments *of, double offset,
                                   double max_abs)
{
    return (struct offsets){offset, round_up(of->centred + (double)claim->n * offset * offset), max_abs};
}

/* RN(RN(x - p)^2): three roundings of it, and x - p loses nothing below the normal numbers. */
static struct bounded sum_of_squared(const struct statistic_claim *claim, const struct offsets *of)
{
    const struct magnitudes exact = {of->squares, of->squares, square(of->max_abs), NULL};
    return sum_of_terms(claim, exact, roundings(claim->added, 3), half_least(claim->added));
}

/* |sum (x - p)| = n offset, and sum |x - p| by Cauchy and Schwarz. */
static struct bounded sum_of_offsets(const struct statistic_claim *claim, const struct offsets *of)
{
    const double n = (double)claim->n;
    const struct magnitudes exact = {round_up(n * of->offset), round_up(sqrt(round_up(n * of->squares))), of->max_abs,
                                     NULL};
    return sum_of_terms(claim, exact, one_rounding(claim->added), 0);
}

/* Of the mean as it is computed: rounded once more, to what is added. */
static struct offsets offsets_from_mean(const struct statistic_claim *claim, const struct moments *of)
{
    const double error = converted(claim->formula, claim->added, mean(claim, of)).error;
    return offsets_from(claim, of, error, round_up(of->range + error));
}

static struct bounded two_pass(const struct statistic_claim *claim, const struct moments *of)
{
    const struct offsets offsets = offsets_from_mean(claim, of);
    const double more = round_up((double)claim->n * offsets.offset * offsets.offset);
    const struct bounded c = {of->centred, round_up(sum_of_squared(claim, &offsets).error + more)};
    return per(claim->formula, c, divisor(claim));
}

static struct bounded less_offsets(const struct statistic_claim *claim, const struct moments *of,
                                   struct offsets offsets)
{
    return less_mean(claim, of, sum_of_squared(claim, &offsets), sum_of_offsets(claim, &offsets));
}

/* ---- means that are kept, and squared deviations from them ---- */

/* The tree of an order, and what its operations do: in a node of n = a + b numbers, b of them on the right, the mean of
 * the left is moved by d = m_b - m_a, times b/n. */
struct walk {
    const struct format *in;
    double n, paths, levels; /* most inexact operations on a path; at least log2 n */
    bool merges;
    double right;       /* the most b/a */
    double ub, half;    /* of a rounding; what * and / lose below the normal numbers */
    double share, move; /* relative errors of b/n, and of the move */
    double growth;      /* what an error in a node may be times, at most, when it comes to the root */
};

static struct walk walk_of(const struct statistic_claim *claim)
{
    const struct format *in = claim->added;
    const double n = (double)claim->n, counts = count_error(in, claim->n), high = (double)claim->height;
    struct walk walk = {.in = in, .n = n, .merges = claim->merges, .ub = one_rounding(in), .half = half_least(in)};
    while (ldexp(1, (int)walk.levels) < n)
        walk.levels++;
    walk.paths = claim->merges && high < n ? high - 1 : n - 1;
    const double right = claim->most_right > 0 ? bound_min(claim->most_right, n) : n;
    walk.right = claim->merges && right > 1 ? right : 1;
    /* b/n may be as small as 1/n, which binary16 rounds to few bits */
    const double small = round_up(n * (1 + counts) * (1 + counts) * walk.half);
    const double rounding = walk.ub > small ? walk.ub : small;
    const double counted = bound_compound(counts, claim->merges ? counts : 0);
    walk.share = bound_compound(counted, claim->merges ? rounding : walk.ub);
    walk.move = bound_compound(walk.share, roundings(in, claim->merges ? 2 : 1));
    const bool is_small = walk.move < 1;
    const double moves = walk.right <= 1 && is_small ? bound_min(walk.paths, walk.levels) : walk.paths;
    const double by_node = bound_growth(moves, walk.right * walk.move);
    const double by_share = bound_compound(bound_growth(walk.paths, walk.move), walk.move * (n - 1));
    const double moved = is_small ? bound_min(by_node, by_share) : by_node;
    walk.growth = 1 + bound_compound(moved, bound_growth(walk.paths - 1, walk.ub));
    return walk;
}

/* More than the error of the mean in any node. */
static double most_of_node(const struct walk *walk, const struct moments *of)
{
    const double moves = round_up((1 + walk->ub) * (walk->move * of->range + walk->half));
    return round_up(walk->growth * walk->paths * (walk->ub * of->max_abs + moves));
}

/* Of differences and of means. */
static bool walk_is_in_range(const struct walk *walk, const struct moments *of)
{
    const double most = most_of_node(walk, of), largest = format_largest(walk->in);
    return round_up(of->range + 2 * most) <= largest && round_up(of->max_abs + most) <= largest && walk->n <= largest;
}

/* The sum, over nodes, of b |d|. */
static double sum_of_moves(const struct walk *walk, const struct moments *of)
{
    const double n = walk->n, few = bound_min(walk->paths, walk->levels);
    const double rights = !walk->merges ? n - 1 : walk->right <= 1 ? n * few / 2 : n * walk->paths;
    const double squares = !walk->merges      ? n + walk->levels
                           : walk->right <= 1 ? n * few
                                              : n * walk->paths * walk->right;
    return bound_min(round_up(sqrt(round_up(of->centred * squares))), round_up(rights * of->range));
}

static struct bounded running(const struct statistic_claim *claim, const struct moments *of)
{
    const struct walk walk = walk_of(claim);
    const double n = walk.n, in_row = (n - 1) * (n + 2) / 2;
    const double nodes = walk.merges ? n * walk.paths : in_row; /* numbers of all nodes */
    const double sums = walk.merges ? (double)INFINITY : round_up(of->max_abs * in_row);
    const double rounding = round_up(walk.ub * bound_min(sums, round_up(walk.paths * of->sum_abs)));
    const double moves = round_up((1 + walk.ub) * (walk.move * sum_of_moves(&walk, of) + nodes * walk.half));
    const double error = round_up(walk.growth / n * (rounding + moves));
    return (struct bounded){round_up(of->abs_sum / n), walk_is_in_range(&walk, of) ? error : (double)INFINITY};
}

/* Of the errors of means the root of the sum over nodes of (a b/n) (e_a + e_b)^2, in which an error counts as often as
 * its node is charged: `nodes` with their paths squared, `once` without. */
static double sum_of_errors(const struct walk *walk, const struct moments *of)
{
    const double n = walk->n, k = walk->paths, few = bound_min(k, walk->levels);
    const double nodes =
        walk->merges ? bound_min(round_up((k - 1) * k * (k + 1) / 3 + k), 2 * k * k * walk->levels) : n * (n - 1) / 2;
    const double once = 2 * (walk->merges ? few : walk->levels);
    const double rights = !walk->merges ? 1 : walk->right <= 1 ? few : k * walk->right;
    const double all = round_up(sqrt(round_up(n * nodes)));
    const double moves = bound_min(round_up(sqrt(round_up(of->centred * rights * once))), round_up(of->range * all));
    const double inner = round_up((1 + walk->ub) * (walk->move * moves + walk->half * all));
    return round_up(walk->growth * (walk->ub * round_up(sqrt(round_up(of->sum_squares * nodes))) + inner));
}

static struct bounded welford(const struct statistic_claim *claim, const struct moments *of)
{
    const struct walk walk = walk_of(claim);
    const double n = walk.n, c = of->centred, errors = sum_of_errors(&walk, of),
                 counts = count_error(walk.in, claim->n);
    const double steps = roundings(walk.in, 3),
                 merges = bound_compound(bound_compound(walk.share, counts), roundings(walk.in, 5));
    const double term = walk.merges ? merges : steps;
    const double added =
        n > 2 ? bound_min((n - 2) * unit(walk.in), bound_growth((walk.merges ? 2 : 1) * (walk.paths - 1), walk.ub)) : 0;
    const double of_squares = walk.merges ? (1 + term) * walk.paths * n / 4 : 0; /* d d times a b/n */
    const double underflow = round_up((1 + added) * walk.half * (n - 1 + of_squares));
    const double off = round_up(2 * sqrt(c) * errors + errors * errors);
    const double error = round_up(off + bound_compound(term, added) * (c + off) + underflow);
    const double apart = round_up(of->range + 2 * most_of_node(&walk, of));
    const double most = round_up(apart * apart * (1 + term) * (walk.merges ? n : 1));
    const bool is_in_range = walk_is_in_range(&walk, of) && most <= format_largest(walk.in) &&
                             round_up(c + error) <= format_largest(walk.in);
    return per(claim->formula, (struct bounded){c, is_in_range ? error : (double)INFINITY}, divisor(claim));
}

/* ---- the claim ---- */

static struct bounded variance_or_mean(const struct statistic_claim *claim, const struct moments *of)
{
    const struct bounded none = {0, INFINITY};
    switch (claim->algorithm) {
    case BY_SUM_THEN_DIVIDE:
        return mean(claim, of);
    case BY_TIMES_RECIPROCAL:
        return times_reciprocal(claim, of);
    case BY_SCALED_FIRST:
        return scaled_first(claim, of);
    case BY_RUNNING:
        return running(claim, of);
    case BY_SQUARES:
        return per(claim->formula, sum_of_squares(claim, of->sum_squares, square(of->max_abs)), claim->n);
    case BY_TEXTBOOK:
        return textbook(claim, of);
    case BY_TEXTBOOK_SUMS:
        return less_mean(claim, of, sum_of_squares(claim, of->sum_squares, square(of->max_abs)), sum_of_x(claim, of));
    case BY_TWO_PASS:
        return two_pass(claim, of);
    case BY_TWO_PASS_CORRECTED:
        return less_offsets(claim, of, offsets_from_mean(claim, of));
    case BY_SHIFTED:
        return less_offsets(claim, of, offsets_from(claim, of, of->first_offset, of->range));
    case BY_WELFORD:
    case BY_CHAN:
        return welford(claim, of);
    case BY_WEIGHTS:
        return weighted(claim, of);
    case BY_COSINE:
        return cosine(claim, of);
    default:
        return none;
    }
}

/* Whether what is computed may be below 0, and its root NaN: a difference. */
static bool may_be_negative(enum statistic_algorithm algorithm)
{
    return algorithm == BY_TEXTBOOK || algorithm == BY_TEXTBOOK_SUMS || algorithm == BY_TWO_PASS_CORRECTED ||
           algorithm == BY_SHIFTED;
}

/* Of a variance or mean of squares that is at least `below`. */
static struct bounded root_of(const struct statistic_claim *claim, struct bounded result, double below)
{
    const struct bounded none = {0, INFINITY};
    return may_be_negative(claim->algorithm) && !(result.error <= below) ? none : root(claim->formula, result, below);
}

/* |x - mu| is the exact result times root(v + eps); a mean of squares takes off nothing. */
static struct bounded normalized(const struct statistic_claim *claim, const struct moments *of, struct bounded v,
                                 double v_below)
{
    const struct format *in = claim->formula;
    const double below = (v_below + claim->eps) * (1 - 0x1p-50), n = (double)claim->n;
    const double v_above = round_up((claim->algorithm == BY_SQUARES ? of->sum_squares : of->centred) / n);
    const struct bounded eps = {claim->eps, fabs(rounded_to(claim->eps, in) - claim->eps)};
    const struct bounded deviation =
        root_of(claim, add(in, (struct bounded){v_above, v.error}, eps, round_up(v_above + claim->eps)), below);
    const struct bounded factor = quotient(in, (struct bounded){1, 0}, deviation, sqrt(below) * (1 - 0x1p-50));
    const bool keeps_mean = claim->algorithm == BY_WELFORD || claim->algorithm == BY_CHAN;
    const struct bounded none = {0, 0}, x = {round_up(claim->abs_result * deviation.value), 0};
    const struct bounded m = claim->algorithm == BY_SQUARES ? none : keeps_mean ? running(claim, of) : mean(claim, of);
    return mul(in, claim->algorithm == BY_SQUARES ? x : add(in, none, m, x.value), factor);
}

double statistic_bound(const struct statistic_claim *claim, const struct moments *of)
{
    if (claim->n == 0 || (claim->of_sample && claim->n == 1))
        return INFINITY;
    struct bounded result = variance_or_mean(claim, of);
    const double sum = claim->algorithm == BY_SQUARES ? of->sum_squares_below : of->centred_below;
    const double below = sum / (double)divisor(claim) * (1 - 0x1p-50);
    if (claim->is_root)
        result = root_of(claim, result, below);
    else if (claim->normalizes)
        result = normalized(claim, of, result, below);
    result = converted(claim->formula, claim->result, result);
    return isnan(result.error) ? (double)INFINITY : result.error;
}
