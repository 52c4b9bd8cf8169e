/* --verify-reference reaches the exact reference from both commands, and a difference that it finds ends them with
 * NOT_MEASURED.  The linker puts these watchers before the reference (--wrap), which has no fault of its own to show.
 */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "reference/exact.h"
#include "src/commands/command.h"

/* ---- the reference, watched ---- */

static struct {
    struct exact_how how;
    uint64_t calls;
    bool fails; /* at the end, as after a difference */
} watched;

enum status __real_exact_stream_new(const struct format *, struct exact_how, struct exact_stream **);
enum status __wrap_exact_stream_new(const struct format *, struct exact_how, struct exact_stream **);
enum status __real_exact_stream_end(struct exact_stream *, struct exact_sum *);
enum status __wrap_exact_stream_end(struct exact_stream *, struct exact_sum *);
enum status __real_exact_sum_how(const struct format *, struct exact_how, const void *, uint64_t, struct exact_sum *);
enum status __wrap_exact_sum_how(const struct format *, struct exact_how, const void *, uint64_t, struct exact_sum *);

enum status __wrap_exact_stream_new(const struct format *format, struct exact_how how, struct exact_stream **stream)
{
    watched.how = how;
    return __real_exact_stream_new(format, how, stream);
}

enum status __wrap_exact_stream_end(struct exact_stream *stream, struct exact_sum *exact)
{
    watched.calls++;
    if (!watched.fails)
        return __real_exact_stream_end(stream, exact);
    exact_stream_free(stream);
    return NOT_MEASURED;
}

enum status __wrap_exact_sum_how(const struct format *format, struct exact_how how, const void *x, uint64_t n,
                                 struct exact_sum *exact)
{
    watched.calls++;
    watched.how = how;
    return watched.fails ? NOT_MEASURED : __real_exact_sum_how(format, how, x, n, exact);
}

/* ---- a command and what it says ---- */

static enum status command(const char *line, char **out)
{
    enum { ARGUMENTS_MOST = 24 };
    struct globals globals = {.command_line = (char *)(uintptr_t) "test", .quiet = true};
    char *words = strdup(line), *argv[ARGUMENTS_MOST + 1] = {NULL};
    int argc = 0;
    for (char *word = strtok(words, " "); word && argc < ARGUMENTS_MOST; word = strtok(NULL, " "))
        argv[argc++] = word;
    FILE *file = tmpfile();
    fflush(NULL);
    const int before = dup(STDOUT_FILENO);
    assert_true(file && before >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    watched.calls = 0;
    const enum status status = (strcmp(argv[0], "exact") == 0 ? command_exact : command_run)(argc, argv, &globals);
    fflush(NULL);
    dup2(before, STDOUT_FILENO);
    close(before);
    *out = take_stream(file);
    free(words);
    return status;
}

static const char *const lines[] = {"exact uniform:n=8 --jobs 3",
                                    "run -d uniform:n=8 --trials 1 -m naive --device host --jobs 3"};
enum { LINES = sizeof lines / sizeof *lines };

static int start_anew(void **state)
{
    (void)state;
    forget_variables();
    memset(&watched, 0, sizeof watched);
    return 0;
}

static void reference_is_verified_when_it_is_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < LINES; i++) {
        char line[128], *out;
        assert_int_equal(command(lines[i], &out), OK);
        assert_true(watched.calls == 1 && !watched.how.verify);
        free(out);
        snprintf(line, sizeof line, "%s --verify-reference", lines[i]);
        assert_int_equal(command(line, &out), OK);
        assert_true(watched.calls == 1 && watched.how.verify);
        assert_int_equal(watched.how.workers, 3);
        free(out);
    }
}

static void difference_ends_the_command_and_nothing_is_printed(void **state)
{
    (void)state;
    for (size_t i = 0; i < LINES; i++) {
        char *out;
        watched.fails = true;
        assert_int_equal(command(lines[i], &out), NOT_MEASURED);
        assert_string_equal(out, "");
        free(out);
        watched.fails = false;
        assert_int_equal(command(lines[i], &out), OK);
        assert_string_not_equal(out, "");
        free(out);
    }
}

#define VERIFY_FACT(name) cmocka_unit_test_setup(name, start_anew)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VERIFY_FACT(reference_is_verified_when_it_is_asked_for),
        VERIFY_FACT(difference_ends_the_command_and_nothing_is_printed),
    };
    return cmocka_run_group_tests_name("verified reference", tests, NULL, NULL);
}
