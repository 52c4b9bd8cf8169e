#include "check.h"

#include "src/base/suggest.h"

enum { NAMES_MOST = 8 }; /* of what the run has; the others are counted */

/* What no series is like: the method, or else the data, or else the backend; or only not together. */
enum lack { NO_METHOD, NO_DATA, NO_BACKEND, NOT_TOGETHER };

static bool has_series(const struct check *check, const struct rule *rule)
{
    for (size_t i = 0; i < check->results->series_count; i++) {
        const struct series *series = &check->results->series[i];
        if (rule_matches(rule, series->method, series->data, series->backend))
            return true;
    }
    return false;
}

static enum lack lack_of(const struct check *check, const struct rule *rule)
{
    const struct rule alone[] = {[NO_METHOD] = {.method = rule->method, .data = "*"},
                                 [NO_DATA] = {.method = "*", .data = rule->data},
                                 [NO_BACKEND] = {.method = "*", .data = "*", .backend = rule->backend}};
    for (int lack = NO_METHOD; lack <= NO_BACKEND; lack++)
        if (!has_series(check, &alone[lack]))
            return (enum lack)lack;
    return NOT_TOGETHER;
}

static const char *name_of(const struct series *series, enum lack lack)
{
    return lack == NO_METHOD ? series->method : lack == NO_DATA ? series->data : series->backend->id;
}

/* The methods of the run, its data or its backends, each once; as many as `names` has room for: its series. */
static size_t names_of(const struct check *check, enum lack lack, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < check->results->series_count; i++) {
        const char *name = name_of(&check->results->series[i], lack);
        size_t same = 0;
        while (same < count && strcmp(names[same], name) != 0)
            same++;
        if (same == count)
            names[count++] = name;
    }
    return count;
}

/* "plain/serial, kahan/serial and 3 more; did you mean "kahan/serial"?" */
static char *say_names(const struct check *check, const struct rule *rule, enum lack lack)
{
    OWNED const char **names = memory_cleared(check->results->series_count, sizeof *names);
    struct text text = {0};
    const size_t count = names_of(check, lack, names);
    const char *near = lack == NO_BACKEND ? NULL : suggest(lack == NO_METHOD ? rule->method : rule->data, names, count);
    for (size_t i = 0; i < count && i < NAMES_MOST; i++)
        text_append(&text, "%s%s", i > 0 ? ", " : "", names[i]);
    if (count > NAMES_MOST)
        text_append(&text, " and %zu more", count - NAMES_MOST);
    if (near)
        text_append(&text, "; did you mean \"%s\"?", near);
    return text_take(&text);
}

static void tell_unlike(const struct check *check, const struct rule *rule)
{
    static const char *const words[] = {
        [NO_METHOD] = "one of its methods", [NO_DATA] = "some of its data", [NO_BACKEND] = "its backend"};
    const enum lack lack = lack_of(check, rule);
    OWNED char *names = lack == NOT_TOGETHER ? NULL : say_names(check, rule, lack);
    complain("%s:%zu: no series of the run has a method like \"%s\" and data like \"%s\"%s%s; expected %s%s%s",
             check->limits->path, rule->line, rule->method, rule->data, rule->backend ? " on the backend " : "",
             rule->backend ? rule->backend->id : "",
             lack == NOT_TOGETHER ? "a rule about some that it has together" : words[lack], names ? ": " : "",
             names ? names : "");
}

/* Methods that the rule is about, and that the run had no device for. */
static void tell_skipped(const struct check *check, const struct rule *rule)
{
    const struct rule about = {.method = rule->method, .data = "*"};
    for (size_t i = 0; i < check->results->fact_count; i++) {
        const struct provenance_fact *fact = &check->results->facts[i];
        if (strcmp(fact->topic, "skipped") == 0 && rule_matches(&about, fact->name, "", NULL))
            complain("%s:%zu: the run skipped %s: %s", check->limits->path, rule->line, fact->name, fact->value);
    }
}

static const char *first_reason(const struct check *check, const struct rule *rule)
{
    for (size_t i = 0; i < check->count; i++)
        if (check->findings[i].rule == rule)
            return check->findings[i].said;
    return "";
}

enum status idle_rules_refuse(struct check *check)
{
    for (size_t r = 0; r < check->limits->rule_count; r++) {
        const struct rule *rule = &check->limits->rules[r];
        if (check->compared_by[r] > 0)
            continue;
        check->idle++;
        if (check->matched_by[r] == 0)
            tell_unlike(check, rule);
        if (check->matched_by[r] == 0)
            tell_skipped(check, rule);
        else
            complain("%s:%zu: the rule is about %zu series and can be compared with none (%s); expected a rule that "
                     "holds something; change it, or the run",
                     check->limits->path, rule->line, check->matched_by[r], first_reason(check, rule));
    }
    return check->idle > 0 ? BAD_INPUT : OK;
}

bool check_is_idle(const struct check *check, size_t rule)
{
    return check->idle > 0 && check->compared_by[rule] == 0;
}
