/* order=: each is a permutation of what is given, and the one that its word says. */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "datasets/ordering.h"
#include "tests/support/heard.h"
#include "tests/support/random.h"

static const char *const all_orders[] = {"given",        "reversed",
                                         "ascending",    "descending",
                                         "magnitude",    "magnitude_descending",
                                         "psum",         "bit_reversed",
                                         "shuffled:0",   "shuffled:18446744073709551615",
                                         "shuffled:2..9"};
enum { ORDERS = sizeof all_orders / sizeof *all_orders, MOST = 1000 };

static struct ordering ordering_of(const char *text)
{
    struct ordering ordering;
    char wrong[WRONG_TEXT];
    assert_true(ordering_read(text, &ordering, wrong));
    return ordering;
}

static void put_in_order(const char *text, float *x, uint64_t n)
{
    assert_int_equal(ordering_apply(ordering_of(text), &FORMAT_BINARY32, x, n), OK);
}

/* ---- words ---- */

static void every_order_is_written_as_it_is_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; k++) {
        char text[ORDERING_TEXT];
        ordering_write(ordering_of(all_orders[k]), text);
        assert_string_equal(text, all_orders[k]);
    }
}

static void other_words_are_no_orders(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "Ascending",
                                        "ascending ",
                                        "sorted",
                                        "shuffled",
                                        "shuffled:",
                                        "shuffled:x",
                                        "shuffled:-1",
                                        "shuffled:1:2",
                                        "psum:1",
                                        "shuffled:1..",
                                        "shuffled:..3",
                                        "shuffled:1..2..3",
                                        "shuffled:1..8*2",
                                        "shuffled:1..x"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct ordering ordering;
        char wrong[WRONG_TEXT];
        assert_false(ordering_read(texts[k], &ordering, wrong));
        assert_non_null(strstr(wrong, "shuffled:SEED"));
    }
}

static void ranges_of_shuffles_end_where_they_begin_or_later(void **state)
{
    (void)state;
    static const char *const texts[] = {"shuffled:3..2", "shuffled:0..1000000", "shuffled:1..18446744073709551615"};
    struct ordering ordering;
    char wrong[WRONG_TEXT];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        assert_false(ordering_read(texts[k], &ordering, wrong));
        assert_non_null(strstr(wrong, "is not a range; expected shuffled:A..B"));
    }
    assert_true(ordering_read("shuffled:3..3", &ordering, wrong) && ordering.further == 0); /* the twins */
    assert_true(ordering_read("shuffled:1..1000000", &ordering, wrong) && ordering.further == 999999);
}

/* ---- a permutation ---- */

static int by_bits(const void *left, const void *right)
{
    const uint32_t a = float_bits(*(const float *)left), b = float_bits(*(const float *)right);
    return a < b ? -1 : a > b;
}

/* Whether both hold the same bits as often. */
static bool same_numbers(const float *x, const float *y, uint64_t n)
{
    static float a[MOST], b[MOST];
    memcpy(a, x, n * sizeof *x);
    memcpy(b, y, n * sizeof *y);
    qsort(a, n, sizeof *a, by_bits);
    qsort(b, n, sizeof *b, by_bits);
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Many equal ones, both zeros, infinities and NaNs of several payloads among them. */
static void fill_with_anything(float *x, uint64_t n)
{
    static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, 1, -1, 0x1p-149f, -0x1p-149f};
    for (uint64_t i = 0; i < n; i++)
        switch (below(8)) {
        case 0:
            x[i] = special[below(8)];
            break;
        case 1:
            x[i] = float_from_bits(0x7f800001u + (uint32_t)below(3) + ((uint32_t)below(2) << 31));
            break;
        default:
            x[i] = i > 0 && below(2) ? -x[below(i)] : any_float();
        }
}

static void every_order_keeps_every_number(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {0, 1, 2, 3, 4, 5, 31, 32, 33, 257, MOST};
    seed_random(1);
    for (size_t k = 0; k < ORDERS; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            static float x[MOST + 1], y[MOST + 1];
            const uint64_t n = lengths[l];
            fill_with_anything(x, n);
            y[n] = x[n] = 42; /* what no order touches */
            memcpy(y, x, n * sizeof *x);
            put_in_order(all_orders[k], y, n);
            if (!same_numbers(x, y, n) || y[n] != 42)
                fail_msg("%s changes the numbers of n=%d", all_orders[k], (int)n);
        }
}

static void check_of_numbers_sees_one_bit(void **state) /* the twin */
{
    (void)state;
    const float x[] = {1, 2, 2, -0.0f}, y[] = {2, -0.0f, 1, 2}, z[] = {2, 0.0f, 1, 2}, twice[] = {2, -0.0f, 1, 1};
    assert_true(same_numbers(x, y, 4));
    assert_false(same_numbers(x, z, 4));
    assert_false(same_numbers(x, twice, 4));
}

static void no_numbers_have_every_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; k++)
        assert_int_equal(ordering_apply(ordering_of(all_orders[k]), &FORMAT_BINARY32, NULL, 0), OK);
}

static void given_and_reversed_are_what_they_say(void **state)
{
    (void)state;
    float x[] = {3, 1, 2, -0.0f, 5};
    const float given[] = {3, 1, 2, -0.0f, 5}, reversed[] = {5, -0.0f, 2, 1, 3};
    put_in_order("given", x, 5);
    assert_memory_equal(x, given, sizeof x);
    put_in_order("reversed", x, 5);
    assert_memory_equal(x, reversed, sizeof x);
    put_in_order("reversed", x, 5);
    assert_memory_equal(x, given, sizeof x);
}

/* ---- sorted ---- */

/* Whether a may stand before b. */
typedef bool may_precede(float a, float b);

static bool ascends(float a, float b)
{
    return isnan(b) || a < b || (a == b && (signbit(a) || !signbit(b)));
}

static bool descends(float a, float b)
{
    return isnan(b) || a > b || (a == b && (!signbit(a) || signbit(b)));
}

static bool grows(float a, float b)
{
    return isnan(b) || fabsf(a) < fabsf(b) || (fabsf(a) == fabsf(b) && (!signbit(a) || signbit(b)));
}

static bool shrinks(float a, float b)
{
    return isnan(b) || fabsf(a) > fabsf(b) || (fabsf(a) == fabsf(b) && (signbit(a) || !signbit(b)));
}

static bool is_sorted(const float *x, uint64_t n, may_precede *may)
{
    for (uint64_t i = 1; i < n; i++)
        if (!may(x[i - 1], x[i]))
            return false;
    return true;
}

/* Each check fails for the three other orders, and for what is given: those are the twins. */
static void sorted_orders_are_sorted_as_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *order;
        may_precede *may;
    } sorted[] = {
        {"ascending", ascends}, {"descending", descends}, {"magnitude", grows}, {"magnitude_descending", shrinks}};
    static float given[MOST], x[MOST];
    seed_random(2);
    fill_with_anything(given, MOST);
    for (size_t k = 0; k < 4; k++) {
        memcpy(x, given, sizeof x);
        assert_false(is_sorted(x, MOST, sorted[k].may));
        put_in_order(sorted[k].order, x, MOST);
        for (size_t other = 0; other < 4; other++)
            assert_int_equal(is_sorted(x, MOST, sorted[other].may), other == k);
    }
}

static void equal_numbers_stand_as_the_header_says(void **state)
{
    (void)state;
    const float nan = float_from_bits(0x7fc00000);
    static const char *const orders[] = {"ascending", "descending", "magnitude", "magnitude_descending", "psum"};
    const float expected[][9] = {
        {-INFINITY, -2, -1, -0.0f, 0.0f, 1, 2, INFINITY, nan}, {INFINITY, 2, 1, 0.0f, -0.0f, -1, -2, -INFINITY, nan},
        {0.0f, -0.0f, 1, -1, 2, -2, INFINITY, -INFINITY, nan}, {-INFINITY, INFINITY, -2, 2, -1, 1, -0.0f, 0.0f, nan},
        {-0.0f, 0.0f, -1, 1, -2, 2, -INFINITY, INFINITY, nan},
    };
    seed_random(3);
    for (size_t k = 0; k < 5; k++)
        for (int again = 0; again < 50; again++) {
            float x[9];
            memcpy(x, expected[0], sizeof x);
            shuffle_floats(x, 9);
            put_in_order(orders[k], x, 9);
            assert_memory_equal(x, expected[k], sizeof x);
        }
}

/* ---- psum ---- */

/* As it is defined, in n^2 steps; of two that leave as much the smaller. */
static void psum_by_looking_at_all(float *x, uint64_t n)
{
    double partial = 0;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t best = k;
        for (uint64_t i = k + 1; i < n; i++) {
            const double left = fabs(partial + (double)x[i]), least = fabs(partial + (double)x[best]);
            if (left < least || (left == least && x[i] < x[best]))
                best = i;
        }
        const float chosen = x[best];
        x[best] = x[k];
        x[k] = chosen;
        partial += (double)chosen;
    }
}

/* As values: which of two zeros comes first does not matter to it. */
static bool same_values(const float *x, const float *y, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return false;
    return true;
}

/* Whole numbers of few sizes, so that many leave as much, and sums of them do not round. */
static void psum_takes_what_leaves_the_least(void **state)
{
    (void)state;
    seed_random(4);
    for (int set = 0; set < 20000; set++) {
        float x[24], fast[24], slow[24];
        const uint64_t n = below(24) + 1, sizes = below(12) + 1;
        const int scale = (int)below(3);
        for (uint64_t i = 0; i < n; i++)
            x[i] = scale == 2 ? (float)(int32_t)next_random()
                              : (float)((int)below(2 * sizes + 1) - scale * (int)sizes) * 0.5f;
        memcpy(fast, x, sizeof x);
        memcpy(slow, x, sizeof x);
        put_in_order("psum", fast, n);
        psum_by_looking_at_all(slow, n);
        assert_true(same_values(fast, slow, n));
    }
}

static void psum_puts_infinities_behind(void **state)
{
    (void)state;
    float x[] = {INFINITY, 1, -INFINITY, INFINITY, -2, -INFINITY}, smallest[] = {-INFINITY, INFINITY, FLT_MAX, FLT_MAX};
    put_in_order("psum", x, 6);
    assert_true(x[0] == 1 && x[1] == -2);
    assert_true(x[2] == -INFINITY && x[3] == -INFINITY && x[4] == INFINITY && x[5] == INFINITY);
    put_in_order("psum", smallest, 4);
    assert_true(smallest[1] == FLT_MAX && smallest[2] == -INFINITY && smallest[3] == INFINITY);
}

static void psum_is_none_of_the_sorted_orders(void **state) /* the twin */
{
    (void)state;
    float x[] = {-3, 1, 2, 4}, slow[] = {-3, 1, 2, 4};
    const float expected[] = {1, -3, 2, 4};
    put_in_order("psum", x, 4);
    psum_by_looking_at_all(slow, 4);
    assert_memory_equal(x, expected, sizeof x);
    assert_memory_equal(slow, expected, sizeof x);
    put_in_order("magnitude", x, 4);
    assert_false(same_values(x, slow, 4));
}

static double largest_partial_sum(const float *x, uint64_t n)
{
    double partial = 0, largest = 0;
    for (uint64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(partial += (double)x[i]));
    return largest;
}

/* Where all add up to 0 there is always one of the other sign left, and no partial sum is larger than a number.  2^18
 * of them would take 3 10^10 steps of looking at all. */
static void psum_of_a_sum_of_zero_stays_within_its_largest_number(void **state)
{
    (void)state;
    enum { MANY = 1 << 18 };
    float *x = malloc(MANY * sizeof *x);
    assert_non_null(x);
    seed_random(5);
    for (uint64_t i = 0; i < MANY; i += 2)
        x[i + 1] = -(x[i] = (float)(1 + below(1 << 20)));
    put_in_order("ascending", x, MANY);
    assert_true(largest_partial_sum(x, MANY) > 1e10); /* the twin */
    put_in_order("psum", x, MANY);
    assert_true(largest_partial_sum(x, MANY) <= (double)(1 << 20));
    free(x);
}

/* ---- bit_reversed ---- */

static uint64_t digits_backwards(uint64_t i, uint64_t places)
{
    uint64_t backwards = 0;
    for (uint64_t place = 1; place < places; place *= 2, i /= 2)
        backwards = 2 * backwards + i % 2;
    return backwards;
}

static void bit_reversed_puts_x_i_where_its_digits_read_backwards(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 512; n *= 2) {
        float x[512];
        for (uint64_t i = 0; i < n; i++)
            x[i] = (float)i;
        put_in_order("bit_reversed", x, n);
        for (uint64_t i = 0; i < n; i++)
            assert_true(x[digits_backwards(i, n)] == (float)i);
        put_in_order("bit_reversed", x, n);
        for (uint64_t i = 0; i < n; i++)
            assert_true(x[i] == (float)i);
    }
}

static void bit_reversed_passes_over_places_that_are_not_there(void **state)
{
    (void)state;
    float five[] = {0, 1, 2, 3, 4}, six[] = {0, 1, 2, 3, 4, 5};
    const float of_five[] = {0, 4, 2, 1, 3}, of_six[] = {0, 4, 2, 1, 5, 3}; /* of 0 4 2 6 1 5 3 7 */
    put_in_order("bit_reversed", five, 5);
    assert_memory_equal(five, of_five, sizeof five);
    put_in_order("bit_reversed", six, 6);
    assert_memory_equal(six, of_six, sizeof six);
}

/* ---- shuffled ---- */

enum { FOUR_FACTORIAL = 24, SHUFFLES = 24000 };

/* chi^2 of how often each order of four stood there, 23 degrees of freedom: 23 +- 6.8, above 60 once in 40,000. */
static double chi_squared(const unsigned seen[FOUR_FACTORIAL])
{
    const double expected = (double)SHUFFLES / FOUR_FACTORIAL;
    double sum = 0;
    for (int k = 0; k < FOUR_FACTORIAL; k++)
        sum += ((double)seen[k] - expected) * ((double)seen[k] - expected) / expected;
    return sum;
}

/* Which of the 24 it is. */
static unsigned rank_of(const float x[4])
{
    unsigned rank = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned smaller = 0;
        for (unsigned k = i + 1; k < 4; k++)
            smaller += x[k] < x[i];
        rank = rank * (4 - i) + smaller;
    }
    return rank;
}

static void every_order_of_four_is_as_likely(void **state)
{
    (void)state;
    unsigned seen[FOUR_FACTORIAL] = {0};
    for (uint64_t seed = 0; seed < SHUFFLES; seed++) {
        float x[] = {0, 1, 2, 3};
        assert_int_equal(ordering_apply((struct ordering){.kind = SHUFFLED, .seed = seed}, &FORMAT_BINARY32, x, 4), OK);
        seen[rank_of(x)]++;
    }
    assert_true(chi_squared(seen) < 60);
}

/* The well-known wrong one exchanges each with any, 4^4 ways for 24 orders. */
static void wrong_shuffle_is_found(void **state) /* the twin */
{
    (void)state;
    unsigned seen[FOUR_FACTORIAL] = {0};
    seed_random(6);
    for (unsigned again = 0; again < SHUFFLES; again++) {
        float x[] = {0, 1, 2, 3};
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t k = below(4);
            const float kept = x[i];
            x[i] = x[k];
            x[k] = kept;
        }
        seen[rank_of(x)]++;
    }
    assert_true(chi_squared(seen) > 60);
}

/* A number stands where it was with probability 1/n: one of n does, on average. */
static void large_shuffle_leaves_few_in_place(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        float x[MOST];
        unsigned in_place = 0;
        for (unsigned i = 0; i < MOST; i++)
            x[i] = (float)i;
        assert_int_equal(ordering_apply((struct ordering){.kind = SHUFFLED, .seed = seed}, &FORMAT_BINARY32, x, MOST),
                         OK);
        for (unsigned i = 0; i < MOST; i++)
            in_place += x[i] == (float)i;
        assert_true(in_place < 10);
    }
}

static void seed_alone_decides_the_shuffle(void **state)
{
    (void)state;
    float a[MOST], b[MOST], c[MOST];
    for (unsigned i = 0; i < MOST; i++)
        a[i] = b[i] = c[i] = (float)i;
    put_in_order("shuffled:7", a, MOST);
    put_in_order("shuffled:7", b, MOST);
    put_in_order("shuffled:8", c, MOST);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
}

/* ---- through a spec: families and files alike ---- */

static struct data_spec *spec_of(const char *text)
{
    struct data_spec *spec;
    size_t count;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_IEEE, &spec, &count), OK);
    assert_int_equal(count, 1);
    return spec;
}

static struct dataset trial_of(const char *text, uint64_t seed, uint64_t trial)
{
    struct data_spec *spec = spec_of(text);
    struct dataset data;
    assert_int_equal(dataset_make(spec, seed, trial, &data), OK);
    data_specs_free(spec, 1);
    return data;
}

static struct dataset data_of(const char *text)
{
    return trial_of(text, 1, 0);
}

struct kept {
    float x[MOST];
    uint64_t n, starts;
};

static enum status on_start(void *context, const struct format *format, uint64_t most)
{
    struct kept *kept = context;
    (void)most;
    assert_string_equal(format->name, "binary32");
    kept->starts++;
    return OK;
}

static enum status on_take(void *context, const void *x, uint64_t n)
{
    struct kept *kept = context;
    assert_true(kept->n + n <= MOST);
    memcpy(kept->x + kept->n, x, n * sizeof *kept->x);
    kept->n += n;
    return OK;
}

/* The data of a spec with order=..., made and in pieces, are those of the spec without it, put in that order. */
static void assert_orders_of(const char *spec, char separator)
{
    for (size_t k = 0; k < ORDERS; k++) {
        char text[PATH_SIZE + 64];
        struct kept kept = {.n = 0};
        const struct consumer consumer = {on_start, on_take, &kept, NULL};
        struct dataset about;
        snprintf(text, sizeof text, "%s%corder=%s", spec, separator, all_orders[k]);
        struct dataset given = data_of(spec), made = data_of(text);
        struct data_spec *read = spec_of(text);
        put_in_order(all_orders[k], given.x, given.n);
        assert_int_equal(made.n, given.n);
        assert_memory_equal(made.x, given.x, given.n * sizeof(float));
        assert_int_equal(dataset_stream(read, 1, 0, &consumer, &about), OK);
        assert_true(kept.starts == 1 && kept.n == given.n);
        assert_memory_equal(kept.x, given.x, given.n * sizeof(float));
        data_specs_free(read, 1);
        dataset_free(&given);
        dataset_free(&made);
    }
}

static void families_take_every_order(void **state)
{
    (void)state;
    assert_orders_of("uniform:n=333,low=-1", ',');
    assert_orders_of("gensum:n=100,cond=1e10", ',');
    assert_orders_of("specials:n=50,mix=4", ',');
    assert_orders_of("const:n=0", ',');
}

static void files_take_every_order(void **state)
{
    (void)state;
    static const char *const names[] = {"x.npy", "x.csv", "x.f32", "x.raw"};
    struct dataset data = data_of("specials:n=200,mix=2");
    for (size_t k = 0; k < 4; k++) {
        const struct path path = in_folder(names[k]);
        assert_int_equal(file_write(path.text, &data, NULL), OK);
        if (k < 3)
            assert_orders_of(path.text, ':');
    }
    assert_orders_of(in_folder("x.raw:format=binary32").text, ','); /* with infinities, it looks like binary64 */
    dataset_free(&data);
    put_text("two.csv", "a,b\n1,9\n2,-7\n3,8\n");
    assert_orders_of(in_folder("two.csv:column=2").text, ',');
    struct dataset column = data_of(in_folder("two.csv:column=2,order=ascending").text);
    const float sorted[] = {-7, 8, 9};
    assert_memory_equal(column.x, sorted, sizeof sorted);
    dataset_free(&column);
}

/* Numbers of binary64 in every order that puts them where those of binary32 are put, though binary32 would not tell
 * them apart. */
static void orders_of_binary64_are_those_of_binary32(void **state)
{
    (void)state;
    enum { N = 9 };
    static const float narrow[N] = {3, -1, 0, -0.0f, 7, -7, 2, INFINITY, 5};
    for (size_t k = 0; k < sizeof all_orders / sizeof *all_orders; k++) {
        float x[N];
        double wide[N];
        memcpy(x, narrow, sizeof x);
        for (int i = 0; i < N; i++)
            wide[i] = 1e30 * (double)narrow[i] * (1 + 0x1p-50);
        assert_int_equal(ordering_apply(ordering_of(all_orders[k]), &FORMAT_BINARY32, x, N), OK);
        assert_int_equal(ordering_apply(ordering_of(all_orders[k]), &FORMAT_BINARY64, wide, N), OK);
        for (int i = 0; i < N; i++)
            assert_true(double_bits(wide[i]) == double_bits(1e30 * (double)x[i] * (1 + 0x1p-50)));
    }
    double close[] = {1 + 0x1p-52, 1, 1 - 0x1p-53};
    assert_int_equal(ordering_apply(ordering_of("ascending"), &FORMAT_BINARY64, close, 3), OK);
    assert_true(close[0] < close[1] && close[1] < close[2]);
}

/* ---- trials ---- */

static bool same_trials(const char *text, uint64_t seed, uint64_t trial, const char *other, uint64_t seed_of_other,
                        uint64_t trial_of_other)
{
    struct dataset a = trial_of(text, seed, trial), b = trial_of(other, seed_of_other, trial_of_other);
    const bool same = a.n == b.n && memcmp(a.x, b.x, a.n * sizeof(float)) == 0;
    dataset_free(&a);
    dataset_free(&b);
    return same;
}

static bool same_numbers_in_trials(const char *text, uint64_t trial, uint64_t other)
{
    struct dataset a = trial_of(text, 1, trial), b = trial_of(text, 1, other);
    const bool same = a.n == b.n && same_numbers(a.x, b.x, a.n);
    dataset_free(&a);
    dataset_free(&b);
    return same;
}

static void assert_trials_are_permutations(const char *text)
{
    for (uint64_t trial = 1; trial <= 20; trial++) {
        assert_true(same_numbers_in_trials(text, 0, trial));
        assert_true(same_trials(text, 1, trial, text, 1, trial));
        assert_false(same_trials(text, 1, trial, text, 2, trial));
        for (uint64_t before = 0; before < trial; before++)
            assert_false(same_trials(text, 1, trial, text, 1, before));
    }
    assert_true(same_trials(text, 1, 0, text, 2, 0)); /* as it stands, whatever the seed */
}

static void trials_of_what_no_seed_changes_are_its_permutations(void **state)
{
    (void)state;
    struct dataset data = data_of("specials:n=200,mix=2");
    assert_int_equal(file_write(in_folder("x.npy").text, &data, NULL), OK);
    dataset_free(&data);
    assert_trials_are_permutations("harmonic:n=1000");
    assert_trials_are_permutations(in_folder("x.npy").text);
    assert_false(same_numbers_in_trials("uniform:n=100", 0, 1)); /* the twin: the seed changes them */
}

static void trials_in_an_order_that_was_asked_for_have_it(void **state)
{
    (void)state;
    assert_true(same_trials("harmonic:n=100,order=reversed", 1, 0, "harmonic:n=100,order=reversed", 1, 7));
    assert_true(same_trials("harmonic:n=100,order=shuffled:5", 1, 0, "harmonic:n=100,order=shuffled:5", 1, 7));
    assert_false(same_trials("harmonic:n=100", 1, 0, "harmonic:n=100", 1, 7)); /* the twin */
}

static void trial_of_a_range_has_a_shuffle_of_its_own(void **state)
{
    (void)state;
    static const char range[] = "harmonic:n=100,order=shuffled:3..5";
    static const char *const shuffles[] = {"harmonic:n=100,order=shuffled:3", "harmonic:n=100,order=shuffled:4",
                                           "harmonic:n=100,order=shuffled:5"};
    for (uint64_t trial = 0; trial < 7; trial++)
        for (uint64_t k = 0; k < 3; k++)
            assert_int_equal(same_trials(range, 1, trial, shuffles[k], 1, 0), trial % 3 == k);
}

/* What `exact` adds in pieces. */
static void permutation_in_pieces_is_the_one_that_is_made(void **state)
{
    (void)state;
    struct data_spec *spec = spec_of("harmonic:n=1000");
    struct dataset made = trial_of("harmonic:n=1000", 1, 3);
    struct kept kept = {.n = 0};
    const struct consumer consumer = {on_start, on_take, &kept, NULL};
    struct dataset about;
    assert_int_equal(dataset_stream(spec, 1, 3, &consumer, &about), OK);
    assert_true(kept.n == made.n);
    assert_memory_equal(kept.x, made.x, made.n * sizeof(float));
    data_specs_free(spec, 1);
    dataset_free(&made);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_is_written_as_it_is_read),
        cmocka_unit_test(other_words_are_no_orders),
        cmocka_unit_test(ranges_of_shuffles_end_where_they_begin_or_later),
        cmocka_unit_test(every_order_keeps_every_number),
        cmocka_unit_test(check_of_numbers_sees_one_bit),
        cmocka_unit_test(no_numbers_have_every_order),
        cmocka_unit_test(given_and_reversed_are_what_they_say),
        cmocka_unit_test(sorted_orders_are_sorted_as_they_say),
        cmocka_unit_test(equal_numbers_stand_as_the_header_says),
        cmocka_unit_test(psum_takes_what_leaves_the_least),
        cmocka_unit_test(psum_puts_infinities_behind),
        cmocka_unit_test(psum_is_none_of_the_sorted_orders),
        cmocka_unit_test(psum_of_a_sum_of_zero_stays_within_its_largest_number),
        cmocka_unit_test(bit_reversed_puts_x_i_where_its_digits_read_backwards),
        cmocka_unit_test(bit_reversed_passes_over_places_that_are_not_there),
        cmocka_unit_test(every_order_of_four_is_as_likely),
        cmocka_unit_test(wrong_shuffle_is_found),
        cmocka_unit_test(large_shuffle_leaves_few_in_place),
        cmocka_unit_test(seed_alone_decides_the_shuffle),
        cmocka_unit_test(families_take_every_order),
        IN_A_FOLDER(files_take_every_order),
        cmocka_unit_test(orders_of_binary64_are_those_of_binary32),
        IN_A_FOLDER(trials_of_what_no_seed_changes_are_its_permutations),
        cmocka_unit_test(trials_in_an_order_that_was_asked_for_have_it),
        cmocka_unit_test(trial_of_a_range_has_a_shuffle_of_its_own),
        cmocka_unit_test(permutation_in_pieces_is_the_one_that_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
