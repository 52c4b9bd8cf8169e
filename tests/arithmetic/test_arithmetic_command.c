/* `ulpscope grade --arithmetic` finds each unit of kernels/fused_units.def, and says how blocks, multiply-adds and
 * rounded products are added. */
#include "tests/support/program.h"

struct unit {
    const char *method, *before, *after; /* of its row, on both sides of the floor */
    int floor;
};

static const struct unit units[] = {
#define FUSED_UNIT(id, sum_format, terms, fraction, floor, output, rounding, dropped, own_blocks, claim)               \
    {"matmul:" #id "/chain@" #sum_format, "FUSED_UNIT(found, " #sum_format ", " #terms ", " #fraction ", ",            \
     ", " #output ", " #rounding ", " #dropped ", " #own_blocks ", \"found\")", floor},
#include "kernels/fused_units.def"
};
enum { UNITS = sizeof units / sizeof *units };

static char *page_of(const char *method, const char *options)
{
    static char line[256];
    snprintf(line, sizeof line, "\"$ULPSCOPE\" grade --arithmetic --device host %s %s", method, options);
    return output_of(line);
}

/* A floor that products do not show is found as "at most". */
static bool has_row(const struct unit *unit, const char *page)
{
    const char *at = strstr(page, unit->before);
    char *end;
    if (!at)
        return false;
    const long floor = strtol(at + strlen(unit->before), &end, 10);
    const bool is_at_most = strstr(page, "at most") != NULL;
    return strncmp(end, unit->after, strlen(unit->after)) == 0 &&
           (is_at_most ? floor >= unit->floor : floor == unit->floor);
}

static void each_unit_is_found_as_its_row(void **state)
{
    int found = 0, told = 0;
    (void)state;
    for (int u = 0; u < UNITS; u++) {
        char method[96];
        snprintf(method, sizeof method, "%s", units[u].method);
        if (strstr(method, "@binary32") && strcmp(strstr(method, "@binary32"), "@binary32") == 0)
            *strstr(method, "@binary32") = '\0';
        char *page = page_of(method, "--size-most 256");
        if (!has_row(&units[u], page))
            print_message("%s is not found:\n%s\n", method, page);
        found += has_row(&units[u], page) && strstr(page, "\npass: ") != NULL;
        told += !has_row(&units[(u + 1) % UNITS], page) || strcmp(units[u].before, units[(u + 1) % UNITS].before) == 0;
        free(page);
    }
    assert_int_equal(found, UNITS);
    assert_int_equal(told, UNITS);
    assert_true(UNITS >= 24);
}

static void orders_are_said_in_words(void **state)
{
    static const struct {
        const char *method, *words;
        int size; /* as few products as show it */
    } orders[] = {
        {"matmul:hopper_wgmma/chain@e4m3", "one chain, never promoted", 128},
        {"matmul:hopper_wgmma/promoted_4@e4m3",
         "promoted every 128 of k, added in a row, rounded to nearest to 24 bits", 512},
        {"matmul:hopper_wgmma/promoted_4_kahan@e4m3",
         "promoted every 128 of k, added in a row, compensated as Kahan's, to 24 bits", 512},
        {"matmul:hopper_wgmma/split_8@bfloat16_to_binary32", "split in 8 parts of k, added in a row", 512},
        {"matmul:hopper_mma/chain@e4m3", "promoted every 32 of k", 128},
        {"matmul:plain/naive", "products added in a row, rounded to nearest to 24 bits", 128},
        {"matmul_fma:plain/naive", "one chain", 128},
        {"matmul_fma:plain/naive@binary64", "one chain, never promoted", 128},
        {"matmul:plain/naive@binary64", "products added in a row, rounded to nearest to 53 bits", 128},
        {"matmul:kahan/naive", "products added in a row, compensated as Kahan's, to 24 bits", 128},
        {"matmul:plain/split_4", "products added in a row; split in 4 parts of k", 128},
        {"matmul:plain/split_4_rounded@bfloat16", "split in 4 parts of k, added in a row, rounded to nearest to 8 bits",
         512},
    };
    enum { ORDERS = sizeof orders / sizeof *orders };
    int said = 0;
    (void)state;
    for (int o = 0; o < ORDERS; o++) {
        char size[32];
        snprintf(size, sizeof size, "--size-most %d", orders[o].size);
        char *page = page_of(orders[o].method, size);
        const bool is_said = strstr(page, orders[o].words) && strstr(page, "\npass: ");
        if (!is_said)
            print_message("%s:\n%s\n", orders[o].method, page);
        said += is_said;
        free(page);
    }
    assert_int_equal(said, ORDERS);
}

static void where_c_enters_is_said_of_methods_that_take_it(void **state)
{
    static const struct {
        const char *method, *words;
    } places[] = {{"matmul_fma:plain/naive@binary64", "C           added to the sum, rounded to nearest"},
                  {"matmul:plain/split_4_rounded@bfloat16", "C           what the parts are added to\n"},
                  {"matmul:hopper_mma/chain@e4m3", "C           not asked for: the method takes none\n"}};
    (void)state;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        char *page = page_of(places[p].method, "--size-most 128");
        if (!strstr(page, places[p].words))
            fail_msg("%s: %s", places[p].method, page);
        free(page);
    }
}

static void what_is_no_model_fails(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" grade --arithmetic --device host matmul:binary64/naive --size-most 64", &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "FAIL: no model known (order along k)"));
    outcome_free(&outcome);
    run_line("\"$ULPSCOPE\" grade --arithmetic --device host matmul:double_float/naive@binary64 --size-most 64",
             &outcome);
    assert_int_equal(outcome.code, 1);
    assert_non_null(strstr(outcome.out, "FAIL: no model known"));
    outcome_free(&outcome);
    assert_refused("\"$ULPSCOPE\" grade --arithmetic matmul:plain/naive --size-most 100", 2, "no power of two");
}

static const struct CMUnitTest facts[] = {
    FACT(each_unit_is_found_as_its_row),
    FACT(orders_are_said_in_words),
    FACT(where_c_enters_is_said_of_methods_that_take_it),
    FACT(what_is_no_model_fails),
};

int main(void)
{
    ADD_FACTS(facts);
    return run_all_tests();
}
