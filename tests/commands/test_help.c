/* Help and lists: what is said, on stdout alone. */
#include "tests/support/program.h"

enum { WORDS_MOST = 7 };

struct said {
    const char *fact, *line;
    const char *words[WORDS_MOST]; /* on stdout */
};

static const struct said answers[] = {
    {"help_lists_the_commands", "help", {"Usage: ulpscope", "run ", "baseline ", "gen ", "exact ", "bench "}},
    {"help_of_help", "help -h", {"Usage: ulpscope", "exact "}},
    {"help_of_help_of_run", "help run -h", {"Usage: ulpscope run"}},
    {"help_of_an_action", "baseline save x -h", {"Usage: ulpscope baseline", "save NAME RUN"}},
    {"help_of_a_list", "list methods -h", {"Usage: ulpscope list", "[GLOB]..."}},
    {"help_between_numbers", "exact x.npy --compare -2 -h", {"Usage: ulpscope exact"}},
    {"help_of_plug_ins",
     "help plugin",
     {"  --plugin=FILE[:FUNCTION]", "  --python=FILE", "  --pipe=COMMAND", "  --no-plugins  ", "  --timeout=SECONDS",
      "  --memory=SIZE"}},
    {"colour_behind_the_command", "list config --color never", {"--color     never     --color"}},
    {"help_by_flag", "--help", {"Usage: ulpscope", "Exit: 0 fine"}},
    {"help_of_run",
     "help run",
     {"Usage: ulpscope run [OPTION...] [STUDY.yaml]", "Examples:", "--overwrite", "--slow", "--verify-reference"}},
    {"help_of_run_by_flag", "run --help", {"Usage: ulpscope run [OPTION...] [STUDY.yaml]", "Examples:"}},
    {"help_of_gen", "help gen", {"Usage: ulpscope gen", "Examples:"}},
    {"help_of_exact",
     "help exact",
     {"Usage: ulpscope exact", "Examples:", "--compare", "100 times as slow", "Exit: 0 fine"}},
    {"help_of_baseline",
     "help baseline",
     {"Usage: ulpscope baseline", "save NAME RUN", "Examples:", "--accept-worse", "CI=true", "Exit: 0 fine"}},
    {"help_of_list", "help list", {"Usage: ulpscope list", "generators"}},
    {"help_of_bench", "help bench", {"Usage: ulpscope bench [OPTION...]", "Examples:", "Exit: 0 fine", "--slow"}},
    {"help_of_grade",
     "help grade",
     {"Usage: ulpscope grade [OPTION...] METHOD", "Examples:", "--size-most", "Exit: 0"}},
    {"grade_explains_its_matrices",
     "grade --explain",
     {"zeros\n  A, B ", "\n\nscales\n", "\n\nblocks\n", "\n\ngrowth\n", "How to grade the accuracy"}},
    {"help_of_attack",
     "help attack",
     {"Usage: ulpscope attack [OPTION...] METHOD", "Examples:", "--until", "Exit: 0 fine"}},
    {"help_of_tolerance",
     "help tolerance",
     {"Usage: ulpscope tolerance [OPTION...] OPERATION", "Examples:", "--order", "--rtol", "Exit: 0 fine"}},
    {"help_of_determinism",
     "help determinism",
     {"Usage: ulpscope determinism [OPTION...] METHOD", "Examples:", "--across", "Exit: 0"}},
    {"help_of_completion",
     "help completion",
     {"Usage: ulpscope completion [OPTION...] bash|zsh|fish", "Examples:", "Exit: 0"}},
    {"help_of_doctor", "help doctor", {"Usage: ulpscope doctor", "Exit 3"}},
    {"version", "--version", {"ulpscope ", "commit "}},
    {"version_before_another_option", "--version -q", {"ulpscope ", "commit "}},
    {"list_of_methods",
     "list methods",
     {"plain/serial", "kahan/tree_atomic", "refused at 120 x 256: no atomic", "\ncub/device_reduce ", "\ncublas/dot ",
      "\ncuda/atomic_add ", "\nnaive "}},
    {"list_of_accumulators", "list accumulators", {"plain", "kahan", "neumaier", "binary64", "trace"}},
    {"list_of_orders", "list orders", {"serial", "tree_two_pass", "shuffle_two_pass", "tree_atomic"}},
    {"list_of_generators", "list generators", {"uniform", "gensum", "kahan_killer", "specials"}},
    {"help_of_run_names_all_families", "run --help", {"\"all\""}},
    {"list_of_one_generator", "list generators gensum", {"gensum:", "cond", "(default 4096, 2 to 2^40)", "source"}},
    {"list_of_generators_has_those_of_tensor_cores", "list generators", {"\ntc "}},
    {"list_of_generators_by_a_glob", "list generators '*_killer*'", {"kahan_killer "}},
    {"list_of_methods_by_a_glob", "list methods 'neumaier/*,!*/serial'", {"neumaier/tree_two_pass", " replay"}},
    {"list_of_methods_by_an_alias", "list methods naive", {"plain/serial"}},
    {"list_of_faults_by_two_globs", "list faults drop_last 'kahan*'", {"drop_last  ", "\nkahan_no_update  "}},
    {"exact_of_a_file_in_another_order",
     "gen gensum:n=99,order=psum -o x.npy && \"$ULPSCOPE\" exact x.npy:order=reversed",
     {"exact       -0x", "n           99 of binary32"}},
    {"run_of_a_column_in_another_order",
     "gen uniform:n=9 -o x.csv && \"$ULPSCOPE\" run -q -m naive -o - -d x.csv:column=1,order=ascending",
     {"\"x.csv:column=1,order=ascending\",9,"}},
    {"list_of_metrics", "list metrics", {"ulp_error", "relative_error", "backward_error", "bound_ratio"}},
    {"list_of_outputs", "list outputs", {"--json", "run.json", "--csv", "results.csv", "report.html"}},
    {"list_of_devices", "list devices", {"host", "replays", "cuda"}},
    {"list_of_faults", "list faults", {"drop_last", "the last element is left out", "kahan_no_update"}},
    {"list_of_config", "list config", {"--seed      1         built in", "--blocks    120", "--color"}},
    {"doctor_finds_all_well", "doctor", {"ok    rounding to nearest", "ok    subnormals are kept", "ok    MPFR"}},
    {"gen_to_stdout_is_hex_floats", "gen const:n=2,value=1", {"# ulpscope gen", "0x1p+0\n0x1p+0\n"}},
};

static void answer_is_on_stdout_alone(void **state)
{
    const struct said *said = *state;
    char line[256];
    struct outcome outcome;
    snprintf(line, sizeof line, "\"$ULPSCOPE\" %s", said->line);
    run_line(line, &outcome);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.err, "");
    for (size_t i = 0; i < WORDS_MOST && said->words[i]; i++)
        if (!strstr(outcome.out, said->words[i]))
            fail_msg("%s: no \"%s\" in \"%s\"", said->line, said->words[i], outcome.out);
    outcome_free(&outcome);
}

/* How many pages of commands have the words. */
static void assert_pages(const char *words, const char *count)
{
    char line[512];
    snprintf(line, sizeof line,
             "for c in $(\"$ULPSCOPE\" help | sed -nE 's/^  ([a-z]+) .*/\\1/p'); do \"$ULPSCOPE\" $c --help 2>&1; done "
             "| grep "
             "-c -e '%s' || :",
             words);
    char *found = output_of(line);
    assert_string_equal(found, count);
    free(found);
}

static void options_of_plug_ins_stand_on_one_page_which_others_name(void **state)
{
    (void)state;
    assert_pages("^Usage: ", "19\n");
    assert_pages("^ *--no-plugins ", "1\n");
    assert_pages("see `ulpscope help plugin`$", "12\n");
    assert_pages("--usage\\|^Mandatory or optional", "0\n");
}

static void every_black_box_of_the_list_runs_here_or_says_what_it_lacks(void **state)
{
    (void)state;
    char *list = output_of("\"$ULPSCOPE\" list methods");
    size_t black_boxes = 0;
    char *rest = list;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (strncmp(line, "cub", 3) != 0 && strncmp(line, "cuda", 4) != 0)
            continue;
        black_boxes++;
        assert_true(strstr(line, " not here: ") || strstr(line, " kernel without replay: "));
    }
    assert_int_equal(black_boxes, 6);
    free(list);
}

/* The twin: a word that is there is found in each list. */
static void nothing_unbuilt_is_listed(void **state)
{
    static const char *const subjects[][2] = {
        {"methods", "kahan"},     {"accumulators", "kahan"},   {"orders", "serial"}, {"generators", "gensum"},
        {"metrics", "ulp"},       {"formats", "bfloat16"},     {"outputs", "csv"},   {"devices", "host"},
        {"faults", "drop_first"}, {"lessons", "cancellation"}, {"config", "--seed"}, {"operations", "matmul"},
    };
    (void)state;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        char line[64];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" list %s", subjects[s][0]);
        char *list = output_of(line);
        assert_non_null(strstr(list, subjects[s][1]));
        assert_null(strstr(list, "not built"));
        assert_null(strstr(list, "waits for "));
        free(list);
    }
}

static void list_by_a_glob_has_nothing_else(void **state)
{
    (void)state;
    char *all = output_of("\"$ULPSCOPE\" list methods"), *some = output_of("\"$ULPSCOPE\" list methods 'neumaier/*'");
    assert_non_null(strstr(all, "plain/serial"));
    assert_null(strstr(some, "plain/serial"));
    for (const char *line = some; *line; line = strchr(line, '\n') + 1)
        assert_int_equal(strncmp(line, "neumaier/", 9), 0);
    free(all);
    free(some);
}

/* Its twin: a black box among others does not keep them from running. */
static void others_run_where_a_black_box_cannot(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" run --device host -m naive -m cub/device_reduce -d uniform:n=8 --csv -", &outcome);
    assert_int_equal(outcome.code, 0);
    assert_non_null(strstr(outcome.err, "skipping cub/device_reduce"));
    assert_non_null(strstr(outcome.out, "plain/serial,"));
    assert_null(strstr(outcome.out, "cub/"));
    outcome_free(&outcome);
}

static void no_arguments_show_the_usage_and_are_a_usage_error(void **state)
{
    (void)state;
    struct outcome outcome;
    run_line("\"$ULPSCOPE\"", &outcome);
    assert_int_equal(outcome.code, 2);
    assert_non_null(strstr(outcome.out, "Usage: ulpscope"));
    outcome_free(&outcome);
}

static void every_command_of_the_usage_has_help(void **state)
{
    (void)state;
    char *usage = output_of("\"$ULPSCOPE\" help");
    size_t commands = 0;
    char *rest = usage;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char name[32], command[256];
        if (strncmp(line, "  ", 2) != 0 || sscanf(line, " %31s", name) != 1)
            continue;
        snprintf(
            command, sizeof command,
            "\"$ULPSCOPE\" %s --help >a && \"$ULPSCOPE\" help %s >b && \"$ULPSCOPE\" -q %s -h >c && cmp a b && cmp a c",
            name, name, name);
        run_fine(command);
        commands++;
    }
    assert_true(commands >= 5);
    free(usage);
}

/* Lines of examples; argp wraps those that reach column 80, which then cannot be pasted. */
static size_t examples_of(const char *help, size_t *wrapped)
{
    size_t lines = 0;
    *wrapped = 0;
    for (const char *at = help; (at = strstr(at, "\nExamples:\n"));)
        for (at += strlen("\nExamples:\n"); *at && *at != '\n'; at += strcspn(at, "\n") + 1) {
            lines++;
            *wrapped += strcspn(at, "\n") >= 80;
        }
    return lines;
}

static void examples_end_before_column_80(void **state)
{
    (void)state;
    char *help = output_of("for c in $(\"$ULPSCOPE\" help | sed -nE 's/^  ([a-z]+) .*/\\1/p'); do "
                           "ARGP_HELP_FMT=rmargin=250 \"$ULPSCOPE\" $c --help; done");
    size_t wrapped, lines = examples_of(help, &wrapped);
    assert_true(lines >= 80);
    assert_int_equal(wrapped, 0);
    free(help);
}

/* Its twin. */
static void an_example_that_reaches_column_80_is_noticed(void **state)
{
    (void)state;
    char help[128];
    size_t wrapped;
    for (int width = 79; width <= 80; width++) {
        snprintf(help, sizeof help, "\nExamples:\n  run\n%*s\n\nExit:\n", width, "x");
        assert_int_equal(examples_of(help, &wrapped), 2);
        assert_int_equal(wrapped, width == 80);
    }
}

/* ---- the list ---- */

static const struct CMUnitTest facts[] = {
    FACT(an_example_that_reaches_column_80_is_noticed),
    FACT(every_black_box_of_the_list_runs_here_or_says_what_it_lacks),
    FACT(nothing_unbuilt_is_listed),
    FACT(list_by_a_glob_has_nothing_else),
    FACT(others_run_where_a_black_box_cannot),
    FACT(no_arguments_show_the_usage_and_are_a_usage_error),
    FACT(every_command_of_the_usage_has_help),
    FACT(examples_end_before_column_80),
    FACT(options_of_plug_ins_stand_on_one_page_which_others_name),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(answers, answer_is_on_stdout_alone);
    return run_all_tests();
}
