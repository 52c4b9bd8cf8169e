#include "limits.h"

#include "src/base/list.h"
#include "src/files/yaml_file.h"

enum { RULES_MOST = 10000 };
#define SUMS_MOST (UINT64_C(1) << 53)

static const struct yaml_kind limits_kind = {.noun = "limits", .schema = "ulpscope-limits/1", .command = "check"};

/* ---- texts and words ---- */

/* `run -m` takes more: globs behind commas, and what begins with ! is left out.  A rule has one glob. */
static enum status check_method(const struct yaml_file *file, const yaml_node_t *node, const char *glob)
{
    char place[WHERE_SIZE];
    const char *wrong = *glob == '!' ? "begins with !" : strchr(glob, ',') ? "has a comma" : NULL;
    if (!wrong)
        return OK;
    return bad_input(
        "%s: method \"%s\" %s, as `run -m` takes it; expected one glob, like \"kahan*\"; write an entry for each",
        yaml_where(file, node, place), glob, wrong);
}

/* An alias becomes the method that it stands for. */
static enum status read_globs(const struct yaml_file *file, const yaml_node_t *method, const yaml_node_t *data,
                              char **method_glob, char **data_glob)
{
    const char *methods = yaml_text(file, method, "method");
    const char *texts = methods ? yaml_text(file, data, "data") : NULL;
    if (!texts)
        return BAD_INPUT;
    TRY(check_method(file, method, methods));
    char room[UNALIAS_SIZE];
    *method_glob = memory_copy(method_unalias(methods, room));
    *data_glob = memory_copy(texts);
    return OK;
}

static enum status read_why(const struct yaml_file *file, const yaml_node_t *node, char **why)
{
    char place[WHERE_SIZE];
    const char *text = yaml_text(file, node, "why");
    if (!text)
        return BAD_INPUT;
    if (text[strspn(text, " \t\n")] == '\0')
        return bad_input("%s: why is blank; expected the reason, in words", yaml_where(file, node, place));
    return yaml_prose(file, node, "why", why);
}

/* The index of a word. */
static enum status read_word(const struct yaml_file *file, const yaml_node_t *node, const char *key,
                             const char *const *words, size_t count, size_t *index)
{
    const char *text = yaml_text(file, node, key);
    if (!text)
        return BAD_INPUT;
    for (*index = 0; *index < count; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return OK;
    return yaml_unknown(file, node, key, "a rule", text, words, count);
}

static enum status read_backend(const struct yaml_file *file, const yaml_node_t *node, const struct backend **backend)
{
    const char *words[BACKENDS];
    size_t index = 0;
    if (!node)
        return OK;
    for (size_t b = 0; b < BACKENDS; b++)
        words[b] = backend_table[b].id;
    TRY(read_word(file, node, "backend", words, BACKENDS, &index));
    *backend = &backend_table[index];
    return OK;
}

/* ---- metrics and statistics ---- */

static bool has_statistics(int metric)
{
    return metric >= METRICS || metric_table[metric].summarised;
}

static enum status read_metric(const struct yaml_file *file, const yaml_node_t *node, const char *what, int *metric)
{
    char place[WHERE_SIZE];
    const char *known[GATE_METRICS];
    size_t count = 0;
    const char *text = yaml_text(file, node, "metric");
    if (!text)
        return BAD_INPUT;
    for (*metric = 0; *metric < GATE_METRICS && strcmp(text, gate_metric_names[*metric]) != 0; ++*metric)
        if (has_statistics(*metric))
            known[count++] = gate_metric_names[*metric];
    if (*metric == GATE_METRICS)
        return yaml_unknown(file, node, "metric", what, text, known, count);
    if (has_statistics(*metric))
        return OK;
    return bad_input(
        "%s: %s has no statistics, because it grows with the data; expected a metric without their unit; use "
        "relative_error, ulp_error or backward_error",
        yaml_where(file, node, place), text);
}

/* Errors have every statistic; these have one. */
static const struct {
    enum gate_statistic only;
    const char *why;
} single[GATE_METRICS] = {
    [GATE_BITS] = {GATE_STATISTICS, "every sum is compared; expected none; leave it out"},
    [GATE_SPREAD] = {GATE_MAX, "it is the largest of a series; expected max, or no statistic"},
    [GATE_NONFINITE] = {GATE_COUNT, "it is a number of sums; expected count, or no statistic"},
};

static enum status read_statistic(const struct yaml_file *file, const yaml_node_t *node, struct rule *rule)
{
    char place[WHERE_SIZE];
    size_t index;
    rule->statistic = rule->metric == GATE_NONFINITE ? GATE_COUNT : GATE_MAX;
    if (!node)
        return OK;
    TRY(read_word(file, node, "statistic", gate_statistic_names, GATE_STATISTICS, &index));
    if (single[rule->metric].why && single[rule->metric].only != index)
        return bad_input("%s: %s has no statistic %s: %s", yaml_where(file, node, place),
                         gate_metric_names[rule->metric], gate_statistic_names[index], single[rule->metric].why);
    rule->statistic = (enum gate_statistic)index;
    return OK;
}

/* ---- what a rule asks for ---- */

static enum status read_limit(const struct yaml_file *file, const yaml_node_t *node, struct rule *rule)
{
    char place[WHERE_SIZE];
    const char *text = yaml_text(file, node, "limit");
    return text ? limit_read(text, yaml_where(file, node, place), rule->metric, rule->statistic, &rule->limit)
                : BAD_INPUT;
}

static enum status read_least(const struct yaml_file *file, const yaml_node_t *node, struct rule *rule)
{
    char place[WHERE_SIZE];
    uint64_t least;
    if (rule->metric >= METRICS || rule->statistic != GATE_COUNT)
        return bad_input(
            "%s: least is of the count of an error, and this rule is not; expected {metric: ulp_error, statistic: "
            "count, least: 100}; the most that is allowed is a limit",
            yaml_where(file, node, place));
    TRY(yaml_count(file, node, "least", 1, SUMS_MOST, &least));
    rule->limit = (struct limit){.kind = LIMIT_LEAST, .number = (double)least};
    rule->limit.text = memory_copy((const char *)node->data.scalar.value);
    return OK;
}

#define ACROSS "across("

static bool is_across(const char *text)
{
    return strncmp(text, ACROSS, strlen(ACROSS)) == 0;
}

/* "across(repeat, batch)" */
static enum status read_across(const struct yaml_file *file, const yaml_node_t *node, const char *text,
                               struct rule *rule)
{
    char place[WHERE_SIZE];
    char *axes = memory_copy(text + strlen(ACROSS));
    char *end = strchr(axes, ')');
    enum status status = BAD_INPUT;
    if (end && end[1] == '\0') {
        *end = '\0';
        rule->limit = (struct limit){.kind = LIMIT_SAME_ACROSS};
        status = axes_read(axes, yaml_where(file, node, place), &rule->limit.axes);
    } else
        complain("%s: same is \"%s\"; expected axes in brackets; write it in quotes, like same: \"across(repeat, "
                 "batch)\"",
                 yaml_where(file, node, place), text);
    free(axes);
    if (status == OK)
        rule->limit.text = memory_copy(text);
    return status;
}

static enum status read_same(const struct yaml_file *file, const yaml_node_t *node, struct rule *rule)
{
    enum { WORDS = 3 }; /* the last is for the complaint */
    static const char *const words[WORDS] = {"exact", "baseline", "across(repeat, batch)"};
    static const enum limit_kind kinds[WORDS] = {LIMIT_SAME_EXACT, LIMIT_SAME_BASELINE};
    char place[WHERE_SIZE];
    size_t index;
    if (rule->metric != GATE_BITS)
        return bad_input(
            "%s: same is of bits, and this rule is about %s; expected limit in place of same, or metric: bits",
            yaml_where(file, node, place), gate_metric_names[rule->metric]);
    const char *text = yaml_text(file, node, "same");
    if (!text)
        return BAD_INPUT;
    if (is_across(text))
        return read_across(file, node, text, rule);
    TRY(read_word(file, node, "same", words, WORDS, &index));
    rule->limit = (struct limit){.kind = kinds[index]};
    rule->limit.text = memory_copy(words[index]);
    return OK;
}

enum { DEMANDS = 3 };

/* `demanded`: the values of limit, least and same, one of which is there. */
static enum status read_demand(const struct yaml_file *file, const yaml_node_t *node,
                               const yaml_node_t *const demanded[DEMANDS], struct rule *rule)
{
    static enum status (*const read[DEMANDS])(const struct yaml_file *file, const yaml_node_t *node,
                                              struct rule *rule) = {read_limit, read_least, read_same};
    char place[WHERE_SIZE];
    int given = 0, which = 0;
    for (int i = 0; i < DEMANDS; i++)
        if (demanded[i]) {
            given++;
            which = i;
        }
    if (given == 1)
        return read[which](file, demanded[which], rule);
    return bad_input("%s: a rule has %s limit, least and same; expected one of them, like %s",
                     yaml_where(file, node, place), given == 0 ? "none of" : "several of",
                     rule->metric == GATE_BITS ? "same: exact" : "limit: auto");
}

/* ---- rules ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A second rule of the same kind hides that one of the two is looser than it seems. */
static bool is_again(const struct rule *a, const struct rule *b)
{
    return a->metric == b->metric && a->statistic == b->statistic && a->limit.kind == b->limit.kind &&
           a->limit.axes == b->limit.axes && a->backend == b->backend && same_text(a->method, b->method) &&
           same_text(a->data, b->data);
}

static enum status refuse_again(const struct limits *limits, const struct rule *rule)
{
    for (const struct rule *before = limits->rules; before < rule; before++)
        if (is_again(before, rule))
            return bad_input(
                "%s:%zu: the rule of line %zu has the same method, data, backend, metric, statistic and kind of "
                "limit; expected one of the two; remove one",
                limits->path, rule->line, before->line);
    return OK;
}

/* Between the braces of a rule a comma ends a value that has no quotes: what follows would be an unknown key. */
static enum status check_quotes(struct yaml_file *file, const yaml_node_t *rule)
{
    struct rule ignored;
    if (rule->type != YAML_MAPPING_NODE)
        return OK;
    for (const yaml_node_pair_t *pair = rule->data.mapping.pairs.start; pair < rule->data.mapping.pairs.top; pair++) {
        const yaml_node_t *value = yaml_document_get_node(&file->document, pair->value);
        const char *text = value->type == YAML_SCALAR_NODE ? (const char *)value->data.scalar.value : "";
        if (is_across(text) && !strchr(text, ')'))
            return read_across(file, value, text, &ignored);
    }
    return OK;
}

static enum status read_rule(struct yaml_file *file, const yaml_node_t *node, struct rule *rule)
{
    enum { METHOD, DATA, BACKEND, METRIC, STATISTIC, LIMIT, LEAST, SAME, WHY, KEYS };
    static const struct yaml_key keys[KEYS] = {
        {"method", true}, {"data", true},   {"backend", false}, {"metric", true}, {"statistic", false},
        {"limit", false}, {"least", false}, {"same", false},    {"why", false},
    };
    const yaml_node_t *values[KEYS];
    rule->line = node->start_mark.line + 1;
    TRY(check_quotes(file, node));
    TRY(yaml_mapping(file, node, "a rule", keys, KEYS, values));
    TRY(read_globs(file, values[METHOD], values[DATA], &rule->method, &rule->data));
    if (values[BACKEND])
        TRY(read_backend(file, values[BACKEND], &rule->backend));
    TRY(read_metric(file, values[METRIC], "a rule", &rule->metric));
    TRY(read_statistic(file, values[STATISTIC], rule));
    TRY(read_demand(file, node, &values[LIMIT], rule));
    return values[WHY] ? read_why(file, values[WHY], &rule->why) : OK;
}

/* ---- allowances ---- */

static enum status read_until(const struct yaml_file *file, const yaml_node_t *node, struct date *until)
{
    char place[WHERE_SIZE];
    const char *text = yaml_text(file, node, "until");
    if (!text)
        return BAD_INPUT;
    if (date_read(text, until))
        return OK;
    return bad_input("%s: until \"%s\" is not a date; expected the last day of the allowance, like 2027-03-01",
                     yaml_where(file, node, place), text);
}

/* An entry of allow_no_claim has no date, and the first keys alone. */
static enum status read_allowance(struct yaml_file *file, const yaml_node_t *node, bool is_dated,
                                  struct allowance *allowance)
{
    enum { METHOD, DATA, WHY, UNTIL, METRIC, KEYS };
    static const struct yaml_key keys[KEYS] = {
        {"method", true}, {"data", true}, {"why", true}, {"until", true}, {"metric", false},
    };
    const yaml_node_t *values[KEYS] = {0};
    allowance->line = node->start_mark.line + 1;
    allowance->metric = is_dated ? GATE_METRICS : GATE_NO_CLAIM;
    TRY(yaml_mapping(file, node, is_dated ? "an entry of allow" : "an entry of allow_no_claim", keys,
                     is_dated ? KEYS : UNTIL, values));
    TRY(read_globs(file, values[METHOD], values[DATA], &allowance->method, &allowance->data));
    if (values[METRIC])
        TRY(read_metric(file, values[METRIC], "an entry of allow", &allowance->metric));
    if (is_dated)
        TRY(read_until(file, values[UNTIL], &allowance->until));
    return read_why(file, values[WHY], &allowance->why);
}

/* ---- the file ---- */

/* The items of a list that is not empty. */
static enum status read_list(const struct yaml_file *file, const yaml_node_t *node, const char *key, const char *like,
                             const yaml_node_item_t **items, size_t *count)
{
    char place[WHERE_SIZE];
    if (node->type != YAML_SEQUENCE_NODE)
        return yaml_expected(file, node, key, like);
    *items = node->data.sequence.items.start;
    *count = (size_t)(node->data.sequence.items.top - *items);
    if (*count > 0 && *count <= RULES_MOST)
        return OK;
    if (*count == 0)
        complain("%s: %s is an empty list; expected %s", yaml_where(file, node, place), key, like);
    else
        complain("%s: %s lists %zu entries; expected at most %d; say more of them with a glob",
                 yaml_where(file, node, place), key, *count, RULES_MOST);
    return BAD_INPUT;
}

static enum status read_rules(struct yaml_file *file, const yaml_node_t *node, struct limits *limits)
{
    const yaml_node_item_t *items;
    size_t count;
    TRY(read_list(file, node, "rules",
                  "a list of rules like [{method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}]", &items,
                  &count));
    limits->rules = memory_cleared(count, sizeof *limits->rules);
    while (limits->rule_count < count) {
        struct rule *rule = &limits->rules[limits->rule_count];
        const yaml_node_t *item = yaml_document_get_node(&file->document, items[limits->rule_count]);
        limits->rule_count++; /* first, so that a rule that ends half way is freed */
        TRY(read_rule(file, item, rule));
        TRY(refuse_again(limits, rule));
    }
    return OK;
}

static enum status read_allow(struct yaml_file *file, const yaml_node_t *node, bool is_dated, struct limits *limits,
                              size_t *capacity)
{
    const yaml_node_item_t *items;
    size_t count;
    TRY(read_list(file, node, is_dated ? "allow" : "allow_no_claim",
                  is_dated
                      ? "a list like [{method: plain/serial, data: \"swamp*\", until: 2027-03-01, why: known}], or "
                        "no allow"
                      : "a list like [{method: plain/serial, data: \"gensum*\", why: known}], or no allow_no_claim",
                  &items, &count));
    for (size_t i = 0; i < count; i++) {
        limits->allowances =
            list_short(limits->allowances, limits->allowance_count, capacity, sizeof *limits->allowances);
        struct allowance *allowance = &limits->allowances[limits->allowance_count++];
        *allowance = (struct allowance){0};
        TRY(read_allowance(file, yaml_document_get_node(&file->document, items[i]), is_dated, allowance));
    }
    return OK;
}

static enum status read_root(struct yaml_file *file, struct limits *limits)
{
    enum { SCHEMA, RULES, ALLOW, ALLOW_NO_CLAIM, KEYS };
    static const struct yaml_key keys[KEYS] = {
        {"schema", true}, {"rules", true}, {"allow", false}, {"allow_no_claim", false}};
    const yaml_node_t *values[KEYS];
    size_t capacity = 0;
    TRY(yaml_mapping(file, yaml_root(file), "the limits file", keys, KEYS, values));
    TRY(yaml_check_schema(file, values[SCHEMA]));
    TRY(read_rules(file, values[RULES], limits));
    if (values[ALLOW])
        TRY(read_allow(file, values[ALLOW], true, limits, &capacity));
    return values[ALLOW_NO_CLAIM] ? read_allow(file, values[ALLOW_NO_CLAIM], false, limits, &capacity) : OK;
}

enum status limits_read(const char *path, struct limits *limits)
{
    struct yaml_file file;
    *limits = (struct limits){.path = memory_copy(path)};
    TRY(yaml_open(path, &limits_kind, &file));
    const enum status status = read_root(&file, limits);
    yaml_close(&file);
    return status;
}

void limits_free(struct limits *limits)
{
    for (size_t i = 0; i < limits->rule_count; i++) {
        struct rule *rule = &limits->rules[i];
        free(rule->method);
        free(rule->data);
        free(rule->limit.text);
        free(rule->why);
    }
    for (size_t i = 0; i < limits->allowance_count; i++) {
        free(limits->allowances[i].method);
        free(limits->allowances[i].data);
        free(limits->allowances[i].why);
    }
    free(limits->allowances);
    free(limits->rules);
    free(limits->path);
    *limits = (struct limits){0};
}
