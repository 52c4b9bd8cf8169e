/* A baseline; what is written of it is written again when it is read. */
#include "fuzz.h"

#include "src/gate/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

static void check_again(const struct baseline *baseline)
{
    struct baseline again;
    fuzz_check(baseline_write(baseline, "baseline.json") == OK, "a baseline that cannot be written");
    const size_t size = fuzz_written_size;
    char *first = fuzz_text(fuzz_written, size);
    fuzz_file(first, size);
    fuzz_check(baseline_read(FUZZ_PATH, &again) == OK, "a baseline that was written is refused");
    fuzz_check(baseline_write(&again, "baseline.json") == OK, "a baseline that cannot be written");
    fuzz_check(fuzz_written_size == size && memcmp(fuzz_written, first, size) == 0,
               "a baseline that is read is another");
    baseline_free(&again);
    free(first);
}

static void one(const char *bytes, size_t size)
{
    struct baseline baseline;
    fuzz_file(bytes, size);
    const enum status status = baseline_read(FUZZ_PATH, &baseline);
    fuzz_check_words(status);
    if (status == OK)
        check_again(&baseline);
    baseline_free(&baseline);
}

#define HASH "4344975ffb68cb99e0a7b2bf2000529cec9ea52686158a02245bf4b2165cb199"
#define ERRORS(name) "\"" name "\": {\"count\": 32, \"max\": 0.5, \"mean\": 1.7655505e-14, \"p50\": 0, \"p99\": 0.25}, "
#define LINE(name)                                                                                                     \
    "\"" name "\": {" ERRORS("backward_error") "\"bits\": \"" HASH "\", " ERRORS(                                      \
        "bound_ratio") "\"count\": 32, \"format\": \"binary32\", \"n\": 1001, \"nonfinite\": 0, \"operation\": "       \
                       "\"sum\", " ERRORS("relative_error") "\"spread\": 0, \"ulp_error\": {\"count\": 32, \"max\": "  \
                                                            "0.484375, \"mean\": 0.238, \"p50\": 0.234375, \"p99\": "  \
                                                            "0.484375}}"
#define HEAD "{\n\"schema\": \"ulpscope-baseline/2\",\n\"seed\": 1,\n\"title\": \"The sums\",\n\"series\": {\n"
static const struct fuzz_seed seeds[] = {
    SEED(HEAD LINE("kahan/serial uniform:n=1001 4x64 replay") "\n}\n}\n"),
    SEED(HEAD LINE("kahan/serial uniform:n=1001 4x64 replay") ",\n" LINE(
        "kahan/serial uniform:n=1001 4x64 replay #2") "\n}\n}\n"),
    SEED(HEAD "}}"),
    {0},
};
const struct fuzz_family fuzz_baseline = {.one = one, .seeds = seeds};
