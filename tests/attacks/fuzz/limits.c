#include "fuzz.h"

#include "src/gate/limits/limits.h"

static void one(const char *bytes, size_t size)
{
    struct limits limits;
    fuzz_file(bytes, size);
    const enum status status = limits_read(FUZZ_PATH, &limits);
    fuzz_check_words(status);
    fuzz_check(status != OK || limits.rule_count > 0, "limits without a rule");
    for (size_t i = 0; status == OK && i < limits.rule_count; i++)
        fuzz_check(limits.rules[i].method && limits.rules[i].data && limits.rules[i].limit.text, "half a rule");
    limits_free(&limits);
}

#define HEAD "schema: ulpscope-limits/1\nrules:\n"
static const struct fuzz_seed seeds[] = {
    SEED(HEAD "- {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto, why: \"theorem\"}\n"
              "- {method: kahan*, data: \"uniform*\", metric: ulp_error, statistic: p99, limit: 1.5ulp}\n"),
    SEED(HEAD "- {method: \"*\", data: \"i*\", metric: bits, same: exact}\n"
              "- {method: naive, data: \"*\", metric: ulp_error, statistic: count, least: 32}\n"
              "- {method: \"*\", data: \"*\", backend: replay, metric: nonfinite, limit: 0}\n"
              "allow:\n- {method: plain/serial, data: \"swamp*\", until: 2027-03-01, why: lesson}\n"),
    SEED(HEAD "- {method: \"*\", data: \"*\", metric: relative_error, limit: baseline*1.1}\n"
              "- {method: \"*\", data: \"*\", metric: spread, limit: 0}\n"),
    {0},
};
const struct fuzz_family fuzz_limits = {.one = one, .seeds = seeds};
