/* The matrix of families and accumulators: which error a cell names, what counts as a defeat, and what is passed over.
 */
#include "tests/support/program.h"

#define RUN "\"$ULPSCOPE\" run -q -o run --device host --matrix - "
#define TWO_ORDERS "-m plain/serial,plain/tree_two_pass,superacc/serial "

static void expect(const char *line, const char *const *words, const char *missing)
{
    char *out = output_of(line);
    for (; *words; words++)
        if (!strstr(out, *words))
            fail_msg("%s: no \"%s\" in\n%s", line, *words, out);
    if (missing && strstr(out, missing))
        fail_msg("%s: there is \"%s\" in\n%s", line, missing, out);
    free(out);
}

static void an_error_of_1e_3_is_a_defeat_and_says_in_how_many_orders(void **state)
{
    (void)state;
    /* 2^24 + 2^16 - 1 exactly; serially 2^24, an error of 0.0039 */
    expect(RUN TWO_ORDERS "-d swamp:n=64Ki",
           (const char *const[]){"| family | plain | superacc |", "| swamp | **0.0039 (1 of 2)** |",
                                 "| plain | swamp |", "| superacc | none |", NULL},
           NULL);
}

/* The twin: a smaller one is none. */
static void an_error_below_1e_3_is_no_defeat(void **state)
{
    (void)state;
    expect(RUN TWO_ORDERS "-d swamp:n=8Ki", (const char *const[]){"| swamp | 4.88e-04 |", "| plain | none |", NULL},
           "**");
}

static void a_family_has_one_line_for_all_its_specs(void **state)
{
    (void)state;
    expect(RUN TWO_ORDERS "-d swamp:n=8Ki -d swamp:n=64Ki -d integers:n=8,most=3",
           (const char *const[]){"| swamp | **0.0039 (1 of 2)** |", "| integers | exact | exact |",
                                 "2 families, 2 accumulators, 3 methods; seed 1", NULL},
           NULL);
}

/* Not the last one that was run. */
static void a_cell_has_the_worst_of_its_sums(void **state)
{
    (void)state;
    expect(RUN TWO_ORDERS "-d swamp:n=64Ki -d swamp:n=8Ki",
           (const char *const[]){"| swamp | **0.0039 (1 of 2)** |", NULL}, NULL);
    expect(RUN "--overwrite -m plain/serial -d specials:n=5,mix=7 -d specials:n=5,mix=8",
           (const char *const[]){"| specials | **overflow** |", NULL}, NULL);
}

static void another_number_than_the_sum_0_is_a_defeat(void **state)
{
    (void)state;
    expect(RUN "-m plain/serial -d mirror:n=1000,second=repeated",
           (const char *const[]){"| mirror | **not 0** |", NULL}, NULL);
}

static void a_sum_that_is_no_number_is_passed_over(void **state)
{
    (void)state;
    expect(RUN "-m plain/serial -d specials:n=10,mix=1", (const char *const[]){"| specials | - |", NULL}, "**");
}

static void an_overflow_on_the_way_is_a_defeat(void **state)
{
    (void)state;
    expect(RUN "-m plain/serial,binary64/serial -d specials:n=5,mix=7",
           (const char *const[]){"| specials | **overflow** | exact |", NULL}, NULL);
}

static void a_file_is_named_as_it_is(void **state)
{
    (void)state;
    put_text("x.csv", "16777216\n1\n1\n");
    expect(RUN "-m plain/serial -d x.csv:order=reversed", (const char *const[]){"| x.csv:order=reversed |", NULL},
           NULL);
}

#define TEST(fact) cmocka_unit_test_setup_teardown(fact, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_error_of_1e_3_is_a_defeat_and_says_in_how_many_orders),
        TEST(an_error_below_1e_3_is_no_defeat),
        TEST(a_family_has_one_line_for_all_its_specs),
        TEST(a_cell_has_the_worst_of_its_sums),
        TEST(another_number_than_the_sum_0_is_a_defeat),
        TEST(a_sum_that_is_no_number_is_passed_over),
        TEST(an_overflow_on_the_way_is_a_defeat),
        TEST(a_file_is_named_as_it_is),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
