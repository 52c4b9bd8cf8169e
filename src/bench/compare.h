/* Shares of this program beside those of a file or of another program: a table, a JSON object, a verdict a row. */
#pragma once

#include "shares.h"
#include "src/base/base.h"

struct compare {
    const struct shares *now, *then; /* then NULL: the shares alone are shown */
    const char *with;                /* the file or program that `then` is of */
    const char *json;                /* where to; "-": in place of the table; NULL: nowhere */
    bool quiet;
};

/* Names on stderr what else is not alike.  LIMIT_BROKEN where a row is slower; BAD_INPUT where none is comparable. */
enum status compare_write(const struct compare *compare);

/* Whether something became slower: two sets of shares compared, without a word about how they scatter.
 *
 * Of all quotients now_i / then_j the median says by how much (Hodges and Lehmann 1963), and those with so many before
 * or behind them that ranks alone would be so by chance once in 10,000 times say between what (Moses; Hollander, Wolfe
 * and Chicken, Nonparametric Statistical Methods, 4.3).  With 9 visits of each those are all but two at either end
 * of 81.
 */

enum speed_verdict { SAME_SPEED, FASTER, SLOWER, NOT_COMPARABLE };
extern const char *const speed_verdicts[];

/* Less than this is no verdict. */
#define LEAST_CHANGE 0.03

struct speed_change {
    double quotient, low, high; /* now / then: 0.95 is slower by 5 % */
    double seen_from;           /* the smallest slow-down that would be seen: 0.03 or more */
    enum speed_verdict verdict;
};

/* Of `nows` and `thens` shares, each above 0. */
struct speed_change speed_change_of(const double *now, size_t nows, const double *then, size_t thens);

/* Visits: `PROGRAM bench ... --json -` again and again, each a process of its own.  Two programs take turns, so that a
 * drift of the machine hits both alike. */

struct visits {
    const char *words;             /* the options of the bench, as a shell reads them */
    bool calls_are_given;          /* --calls is among them; else this program calls kernels as the other one does */
    const char *const *wholes;     /* whole commands of the program, timed by wall clock */
    size_t whole_count, count;     /* count: of the visits, 1 to 1000 */
    const char *other;             /* a program; NULL: none */
    const struct shares *files[2]; /* what `now` must be comparable with, and their names; NULL: nothing */
    const char *file_names[2];
    bool quiet;
};

/* `now` is of this program, `then` of the other.  A bench that fails costs everything: nothing is compared by halves.
 * Its own status, or NOT_MEASURED where it has none of ours. */
enum status visits_make(const struct visits *visits, struct shares *now, struct shares *then);
