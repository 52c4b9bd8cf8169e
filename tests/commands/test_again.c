/* A reported case again: one trial, and the worst of each series. */
#include "tests/support/csv_line.h"

/* How many lines `part` has below its header; each must stand in `whole`. */
static size_t count_rows_in(const char *part, const char *whole)
{
    size_t count = 0;
    for (const char *line = strchr(part, '\n') + 1; *line; line = strchr(line, '\n') + 1, count++) {
        char row[4096];
        snprintf(row, sizeof row, "\n%.*s\n", (int)strcspn(line, "\n"), line);
        if (!strstr(whole, row))
            fail_msg("%s is not in the full run", row + 1);
    }
    return count;
}

static void one_trial_gives_its_rows_of_the_full_run(void **state)
{
    (void)state;
    char *whole = output_of("\"$ULPSCOPE\" run -o -" SWEEP);
    for (int trial = 0; trial < 7; trial += 3) {
        char line[512];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" run -o - -d gensum:n=256,cond=1e8 -d normal:n=333 --trial %d",
                 trial);
        char *part = output_of(line);
        assert_true(count_rows_in(part, whole) >= 8);
        free(part);
    }
    free(whole);
}

/* Runs what stands in the column worst_command, and looks for the result in worst_bits. */
static void assert_witness(const char *row)
{
    const char *command = strstr(row, "ulpscope run");
    assert_true(command && command < row + strcspn(row, "\n"));
    const bool quoted = command[-1] == '"';
    const char *end = command + strcspn(command, quoted ? "\"" : ",\n");
    char bits[64], line[1024], found[64];
    const char *bits_at = command - quoted - 1;
    while (bits_at[-1] != ',')
        bits_at--;
    snprintf(bits, sizeof bits, "%.*s", (int)strcspn(bits_at, ","), bits_at);
    snprintf(line, sizeof line, "ulpscope() { \"$ULPSCOPE\" \"$@\"; }; %.*s -q -o -", (int)(end - command), command);
    char *csv = output_of(line);
    const char *rerun = strchr(csv, '\n') + 1;
    field_of(rerun, BITS_COLUMN, found);
    assert_string_equal(found, bits);
    assert_null(strchr(strchr(rerun, '\n') + 1, '\n')); /* one row alone */
    free(csv);
}

static void witness_of_every_series_gives_the_same_bits_again(void **state)
{
    (void)state;
    put_text("x y.csv", "x\n0.1\n\n1e8\n-1e8\n");
    put_text("z.csv", "0.1,\n,1\n1e8,2\n-1e8,3\n");
    run_fine(
        "\"$ULPSCOPE\" run -o out -m 'k*/tree_two_pass' -m naive -m superacc/serial --blocks 2 --threads 32" SWEEP);
    run_fine("\"$ULPSCOPE\" run -o file -d 'x y.csv:column=x' -m '*kahan/serial'");
    run_fine("\"$ULPSCOPE\" run -o skip -d z.csv:column=1 -m '*kahan/serial' --nonfinite skip");
    static const char *const summaries[] = {"out/summary.csv", "file/summary.csv", "skip/summary.csv"};
    size_t series = 0;
    for (size_t i = 0; i < sizeof summaries / sizeof *summaries; i++) {
        char *summary = take_file(summaries[i]);
        assert_non_null(summary);
        for (const char *row = strchr(summary, '\n') + 1; *row; row = strchr(row, '\n') + 1, series++)
            assert_witness(row);
        free(summary);
    }
    assert_true(series >= 30);
}

static void zero_numbers_sum_to_zero(void **state)
{
    (void)state;
    char *csv = output_of("\"$ULPSCOPE\" run -q -o - -d uniform:n=0 --trials 1");
    size_t rows = 0;
    for (const char *row = strchr(csv, '\n') + 1; *row; row = strchr(row, '\n') + 1, rows++) {
        char bits[64];
        field_of(row, BITS_COLUMN, bits);
        assert_string_equal(bits, "0x00000000");
    }
    assert_true(rows >= 4);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(one_trial_gives_its_rows_of_the_full_run),
        FACT(witness_of_every_series_gives_the_same_bits_again),
        FACT(zero_numbers_sum_to_zero),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
