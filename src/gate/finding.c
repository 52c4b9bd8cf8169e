#include "finding.h"

#include <fnmatch.h>

const char *const verdict_words[VERDICTS] = {
    [VERDICT_FAILED] = "FAIL", [VERDICT_ALLOWED] = "allowed", [VERDICT_PASSED] = "ok", [VERDICT_SKIPPED] = "skipped"};

static bool glob_matches(const char *glob, const char *text)
{
    return fnmatch(glob, text, 0) == 0;
}

bool rule_matches(const struct rule *rule, const char *method, const char *data, const struct backend *backend)
{
    return glob_matches(rule->method, method) && glob_matches(rule->data, data) &&
           (!rule->backend || rule->backend == backend);
}

bool allowance_matches(const struct allowance *allowance, const char *method, const char *data)
{
    return glob_matches(allowance->method, method) && glob_matches(allowance->data, data);
}
