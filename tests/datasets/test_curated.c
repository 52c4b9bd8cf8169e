/* datasets/curated: each file holds what its header says, bit for bit, and its exact sum is the one that stands there.
 *
 *   test_curated --print harmonic        the numbers, as the file has them below its header
 */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "datasets/files/file.h"
#include "family.h"
#include "reference/exact.h"

#include <dirent.h>
#include <float.h>
#include <gmp.h>
#include <math.h>

#define CURATED SOURCE_DIRECTORY "/datasets/curated"

enum { NUMBERS_MOST = 1100, LINES_MOST = 1100, TERMS = 1000, LINE_SIZE = 4096 };

/* ---- constructions ---- */

/* 1001 numbers of NIST: the mean, then 500 times the two beside it. */
static uint64_t numacc(float *x, float mean, float below, float above)
{
    x[0] = mean;
    for (uint64_t i = 1; i < 1001; i += 2) {
        x[i] = below;
        x[i + 1] = above;
    }
    return 1001;
}

static uint64_t numacc2(float *x)
{
    return numacc(x, 1.2f, 1.1f, 1.3f);
}

static uint64_t numacc3(float *x)
{
    return numacc(x, 1000000.2f, 1000000.1f, 1000000.3f);
}

static uint64_t numacc4(float *x)
{
    return numacc(x, 10000000.2f, 10000000.1f, 10000000.3f);
}

static void reverse(float *x, uint64_t n)
{
    assert_int_equal(ordering_apply((struct ordering){.kind = REVERSED}, &FORMAT_BINARY32, x, n), OK);
}

/* Quotients of whole numbers below 2^24 are rounded once. */
static uint64_t harmonic(float *x)
{
    for (int k = 1; k <= TERMS; k++)
        x[k - 1] = 1.0f / (float)k;
    return TERMS;
}

static uint64_t harmonic_backward(float *x)
{
    reverse(x, harmonic(x));
    return TERMS;
}

static uint64_t alternating_harmonic(float *x)
{
    harmonic(x);
    for (int k = 1; k <= TERMS; k += 2)
        x[k - 1] = -x[k - 1];
    return TERMS;
}

static uint64_t basel(float *x)
{
    for (int k = 1; k <= TERMS; k++)
        x[k - 1] = 1.0f / (float)(k * k);
    return TERMS;
}

static uint64_t basel_backward(float *x)
{
    reverse(x, basel(x));
    return TERMS;
}

/* (-5.5)^k / k! = (-11)^k / (2^k k!), from the rational number itself. */
static uint64_t exp_minus_5_5(float *x)
{
    enum { LAST = 40 };
    mpfr_t rounded;
    mpq_t term, factor;
    mpfr_init2(rounded, FLT_MANT_DIG);
    mpq_inits(term, factor, NULL);
    mpq_set_ui(term, 1, 1);
    for (unsigned long k = 0; k <= LAST; k++) {
        mpfr_set_q(rounded, term, MPFR_RNDN);
        x[k] = mpfr_get_flt(rounded, MPFR_RNDN);
        mpq_set_si(factor, -11, 2 * (k + 1));
        mpq_canonicalize(factor);
        mpq_mul(term, term, factor);
    }
    mpq_clears(term, factor, NULL);
    mpfr_clear(rounded);
    return LAST + 1;
}

static uint64_t half_ulp_after(float *x, float first)
{
    x[0] = first;
    for (uint64_t i = 1; i <= TERMS; i++)
        x[i] = 0x1p-24f;
    return TERMS + 1;
}

static uint64_t half_ulp_ties(float *x)
{
    return half_ulp_after(x, 1);
}

static uint64_t half_ulp_ties_odd(float *x)
{
    return half_ulp_after(x, 0x1.000002p+0f);
}

/* t_0 = 1, t_(i+1) = 1.7 t_i rounded; the differences are exact by Sterbenz's lemma. */
static uint64_t telescoping_powers(float *x)
{
    uint64_t n = 0;
    float t = 1;
    for (float next; (next = t * 1.7f) <= FLT_MAX; t = next)
        x[n++] = next - t;
    x[n++] = -t;
    return n;
}

static uint64_t powers_of_two(float *x)
{
    uint64_t n = 0;
    for (int e = -149; e < 127; e++)
        x[n++] = ldexpf(1, e);
    x[n++] = -0x1p+127f;
    return n;
}

/* Each fills the 24 bits of a binary32: 2^23 - 2^21 + 1 of them. */
static uint64_t fsum_many_partials(float *x)
{
    uint64_t n = 0;
    for (int e = -149; e <= 103; e += 2)
        x[n++] = ldexpf(0x1p+23f - 0x1p+21f + 1, e);
    x[n++] = -0x1p+126f;
    return n;
}

/* ---- the table ---- */

static const struct curated {
    const char *name;
    uint64_t (*build)(float *x);
    uint64_t count; /* of `numbers`, where they are few */
    float numbers[13];
} table[] = {
    {"numacc1", NULL, 3, {10000001, 10000003, 10000002}},
    {"numacc2", numacc2, 0, {0}},
    {"numacc3", numacc3, 0, {0}},
    {"numacc4", numacc4, 0, {0}},
    {"harmonic", harmonic, 0, {0}},
    {"harmonic_backward", harmonic_backward, 0, {0}},
    {"alternating_harmonic", alternating_harmonic, 0, {0}},
    {"basel", basel, 0, {0}},
    {"basel_backward", basel_backward, 0, {0}},
    {"exp_minus_5_5", exp_minus_5_5, 0, {0}},
    {"half_ulp_ties", half_ulp_ties, 0, {0}},
    {"half_ulp_ties_odd", half_ulp_ties_odd, 0, {0}},
    {"telescoping_powers", telescoping_powers, 0, {0}},
    {"powers_of_two", powers_of_two, 0, {0}},
    {"overflow_and_back", NULL, 5, {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 1}},
    {"overflow_by_half_an_ulp", NULL, 3, {FLT_MAX, 0x1p+103f, -FLT_MAX}},
    {"overflow_to_the_least",
     NULL,
     9,
     {0x1p+127f, 0x1p+127f, 0x1p+127f, 0x1p+127f, 0x1p-149f, -0x1p+127f, -0x1p+127f, -0x1p+127f, -0x1p+127f}},
    {"one_big_one_minus_big", NULL, 4, {1, 1e30f, 1, -1e30f}},
    {"kahan_three_terms", NULL, 3, {10000, 3.14159f, 2.71828f}},
    {"kahan_off_by_an_ulp", NULL, 3, {-1, 0x1.000002p+24f, 1}},
    {"kahan_beyond_the_textbook",
     NULL,
     13,
     {-0x1.1p+15f, -0x1p+39f, 0x1.cp+12f, 0x1.6p+18f, 0x1p+13f, -0x1p+39f, -1, 0x1p+15f, 0x1p+15f, 0x1p+15f,
      -0x1.001p+40f, 0x1.fff8p+14f, 0x1.8p+16f}},
    {"kahan_two_sum_doubling", NULL, 6, {1, 0x1p+24f, 0x1p+24f, 2, 0x1p+25f, 4}},
    {"neumaier_four_terms", NULL, 4, {-0x1.fffffep+23f, 0x1.b54fbep+48f, 0x1p+24f, -0x1.b54fbep+48f}},
    {"fsum_cancels_twice", NULL, 7, {1e30f, 1, -1e30f, 1e-30f, 1e15f, -1, -1e15f}},
    {"fsum_above_a_tie", NULL, 3, {0x1p+24f, 1, 0x1p-100f}},
    {"fsum_below_a_power", NULL, 3, {0x1p+24f, -0.5f, -0x1p-25f}},
    {"fsum_many_partials", fsum_many_partials, 0, {0}},
    {"sum_precise_overflow", NULL, 9, {2e38f, 2e38f, 0.1f, 0.1f, 1e30f, 0.1f, -1e30f, -2e38f, -2e38f}},
    {"sum_precise_tenth", NULL, 3, {1e30f, 0.1f, -1e30f}},
};
enum { CURATED_COUNT = sizeof table / sizeof *table };

static uint64_t construct(const struct curated *curated, float x[NUMBERS_MOST])
{
    if (curated->build)
        return curated->build(x);
    memcpy(x, curated->numbers, curated->count * sizeof *x);
    return curated->count;
}

static struct path path_of(const char *name)
{
    struct path path;
    assert_true(snprintf(path.text, sizeof path.text, CURATED "/%s.f32", name) < (int)sizeof path.text);
    return path;
}

static struct dataset read_numbers(const char *path)
{
    struct dataset data;
    assert_int_equal(file_read(path, &(struct file_options){0}, &data), OK);
    return data;
}

/* ---- the constructions ---- */

static bool holds(const char *path, const float *x, uint64_t n)
{
    struct dataset data = read_numbers(path);
    const bool same = data.n == n && memcmp(data.x, x, n * sizeof *x) == 0;
    dataset_free(&data);
    return same;
}

static void every_file_is_its_construction(void **state)
{
    (void)state;
    for (size_t k = 0; k < CURATED_COUNT; k++) {
        float x[NUMBERS_MOST];
        const uint64_t n = construct(&table[k], x);
        if (!holds(path_of(table[k].name).text, x, n))
            fail_msg("%s.f32: not what test_curated --print %s prints", table[k].name, table[k].name);
    }
}

static void another_bit_is_no_construction(void **state) /* the twin */
{
    (void)state;
    float x[NUMBERS_MOST];
    const uint64_t n = harmonic(x);
    const struct path path = path_of("harmonic");
    assert_true(holds(path.text, x, n));
    assert_false(holds(path.text, x, n - 1));
    x[n - 1] = nextafterf(x[n - 1], 1);
    assert_false(holds(path.text, x, n));
}

/* ---- what the notes say of methods ---- */

static const struct {
    const char *name, *method;
    float computed;
} notes[] = {
    {"numacc1", "plain/serial", 30000006},
    {"numacc2", "plain/serial", 0x1.2c4c68p+10f},
    {"harmonic", "plain/serial", 7.4854784f},
    {"harmonic_backward", "plain/serial", 7.4854717f},
    {"basel_backward", "neumaier/serial", 0x1.a4d8e6p+0f},
    {"basel_backward", "kahan/serial", 0x1.a4d8e4p+0f},
    {"half_ulp_ties", "plain/serial", 1},
    {"half_ulp_ties_odd", "plain/serial", 0x1.000004p+0f},
    {"powers_of_two", "plain/serial", 0},
    {"powers_of_two", "superacc/serial", -0x1p-149f},
    {"overflow_and_back", "plain/serial", INFINITY},
    {"overflow_and_back", "binary64/serial", 1},
    {"overflow_by_half_an_ulp", "plain/serial", INFINITY},
    {"overflow_to_the_least", "binary64/serial", 0},
    {"overflow_to_the_least", "superacc/serial", 0x1p-149f},
    {"one_big_one_minus_big", "kahan/serial", 0},
    {"one_big_one_minus_big", "neumaier/serial", 2},
    {"kahan_three_terms", "plain/serial", 0x1.38aee2p+13f},
    {"kahan_off_by_an_ulp", "kahan/serial", 0x1.000004p+24f},
    {"kahan_off_by_an_ulp", "neumaier/serial", 0x1.000002p+24f},
    {"kahan_beyond_the_textbook", "kahan/serial", -0x1.0007fep+41f},
    {"kahan_beyond_the_textbook", "kahan_two_sum/serial", -0x1.0007fcp+41f},
    {"kahan_two_sum_doubling", "kahan_two_sum/serial", 0x1p+26f},
    {"kahan_two_sum_doubling", "neumaier/serial", 0x1.000002p+26f},
    {"neumaier_four_terms", "neumaier/serial", 0},
    {"neumaier_four_terms", "klein/serial", 1},
    {"fsum_cancels_twice", "kahan/serial", 0},
    {"fsum_cancels_twice", "neumaier/serial", 0},
    {"fsum_cancels_twice", "binary64/serial", -1},
    {"fsum_above_a_tie", "binary64/serial", 0x1p+24f},
    {"fsum_above_a_tie", "superacc/serial", 0x1.000002p+24f},
    {"fsum_below_a_power", "superacc/serial", 0x1.fffffep+23f},
    {"sum_precise_overflow", "plain/serial", INFINITY},
    {"sum_precise_overflow", "binary64/serial", 0},
    {"sum_precise_tenth", "kahan/serial", 0},
    {"sum_precise_tenth", "binary64/serial", 0},
    {"sum_precise_tenth", "neumaier/serial", 0.1f},
};

static void notes_on_methods_are_true(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
        struct dataset data = read_numbers(path_of(notes[k].name).text);
        const float computed = family_add(&data, notes[k].method);
        if (computed != notes[k].computed)
            fail_msg("%s: %s has %a", notes[k].name, notes[k].method, (double)computed);
        dataset_free(&data);
    }
}

/* ---- every file of the folder ---- */

/* What stands behind "# key " on top of the file; false when nothing does.  Lines of the file, if wanted. */
static bool header_of(const char *path, const char *key, char value[LINE_SIZE], size_t *lines)
{
    char line[LINE_SIZE];
    FILE *file = fopen(path, "r");
    bool found = false;
    size_t count = 0;
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); count++) {
        const size_t length = strlen(key);
        if (line[0] != '#' || line[1] != ' ' || strncmp(line + 2, key, length) != 0 || line[2 + length] != ' ')
            continue;
        const char *start = line + 2 + length + strspn(line + 2 + length, " ");
        snprintf(value, LINE_SIZE, "%.*s", (int)strcspn(start, "\n"), start);
        found = *value != '\0';
    }
    fclose(file);
    if (lines)
        *lines = count;
    return found;
}

/* Whether the exact sum of the header is that of the numbers. */
static bool exact_is_right(const char *path)
{
    char said[LINE_SIZE];
    struct dataset data = read_numbers(path);
    struct exact_sum exact;
    assert_int_equal(exact_sum(data.format, data.x, data.n, &exact), OK);
    char *hex = exact_hex(exact.sum);
    assert_non_null(hex);
    const bool right = header_of(path, "exact", said, NULL) && strcmp(said, hex) == 0;
    free(hex);
    exact_free(&exact);
    dataset_free(&data);
    return right;
}

/* The files of numbers; how many there are. */
static size_t for_each_file(void (*check)(const char *name, const char *path))
{
    DIR *directory = opendir(CURATED);
    size_t files = 0;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        struct path path;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README.md") == 0)
            continue;
        assert_true(snprintf(path.text, sizeof path.text, CURATED "/%s", entry->d_name) < (int)sizeof path.text);
        check(entry->d_name, path.text);
        files++;
    }
    closedir(directory);
    return files;
}

static void check_exact(const char *name, const char *path)
{
    if (!exact_is_right(path))
        fail_msg("%s: its line \"# exact\" is not the exact sum, or there is none", name);
}

static void every_file_has_its_exact_sum(void **state)
{
    (void)state;
    assert_true(for_each_file(check_exact) >= 16);
}

static void wrong_or_missing_exact_sum_is_found(void **state) /* the twin */
{
    (void)state;
    static const char *const texts[] = {
        "# exact 0x1.8p+1\n1\n2\n", "# exact 0x1.800002p+1\n1\n2\n", "# exact -0x1.8p+1\n1\n2\n", "# exact 3\n1\n2\n",
        "# exact\n1\n2\n",          "# sum 0x1.8p+1\n1\n2\n",        "# exactly 0x1.8p+1\n1\n2\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        put_text("x.f32", texts[k]);
        assert_int_equal(exact_is_right(in_folder("x.f32").text), k == 0);
    }
}

static void check_header(const char *name, const char *path)
{
    char value[LINE_SIZE];
    size_t lines = 0;
    if (!header_of(path, "source", value, NULL) || !header_of(path, "made", value, &lines))
        fail_msg("%s: no line \"# source\" or \"# made\"", name);
    assert_true(lines <= LINES_MOST);
}

static void every_file_says_its_source_and_its_making(void **state)
{
    (void)state;
    for_each_file(check_header);
}

static void check_known(const char *name, const char *path)
{
    (void)path;
    for (size_t k = 0; k < CURATED_COUNT; k++)
        if (strlen(name) == strlen(table[k].name) + 4 && strncmp(name, table[k].name, strlen(table[k].name)) == 0)
            return;
    fail_msg("%s: no construction of this name", name);
}

static void every_file_has_a_construction(void **state)
{
    (void)state;
    assert_int_equal(for_each_file(check_known), CURATED_COUNT);
}

static void check_listed(const char *name, const char *path)
{
    char *text = take_stream(fopen(CURATED "/README.md", "r")), row[PATH_SIZE], exact[LINE_SIZE];
    snprintf(row, sizeof row, "| %s |", name);
    if (!strstr(text, row) || !header_of(path, "exact", exact, NULL))
        fail_msg("%s: README.md does not list it", name);
    free(text);
}

static void readme_lists_every_file(void **state)
{
    (void)state;
    for_each_file(check_listed);
}

static int print_numbers(const char *name)
{
    for (size_t k = 0; k < CURATED_COUNT; k++)
        if (strcmp(table[k].name, name) == 0) {
            float x[NUMBERS_MOST];
            const struct dataset data = {.format = &FORMAT_BINARY32, .x = x, .n = construct(&table[k], x)};
            return file_write("-", &data, NULL) != OK;
        }
    fprintf(stderr, "test_curated: no construction is called %s\n", name);
    return 2;
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_its_construction), cmocka_unit_test(another_bit_is_no_construction),
        cmocka_unit_test(notes_on_methods_are_true),      cmocka_unit_test(every_file_has_its_exact_sum),
        IN_A_FOLDER(wrong_or_missing_exact_sum_is_found), cmocka_unit_test(every_file_says_its_source_and_its_making),
        cmocka_unit_test(every_file_has_a_construction),  cmocka_unit_test(readme_lists_every_file),
    };
    if (argc == 3 && strcmp(argv[1], "--print") == 0)
        return print_numbers(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
