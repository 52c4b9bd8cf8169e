#include "findings.h"

#include <assert.h>

const char *const allowance_words[ALLOWANCE_STATES] = {
    [ALLOWANCE_USED] = "allowed", [ALLOWANCE_UNUSED] = "unused", [ALLOWANCE_EXPIRED] = "expired"};

/* A text, printable. */
__attribute__((format(printf, 1, 2))) static char *told(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *clean = clean_text_of(format, arguments);
    va_end(arguments);
    return clean;
}

/* ---- what the run lacks ---- */

/* Lines of the baseline, each once, in its order. */
struct missing {
    const struct baseline_series **list;
    size_t count;
};

static int by_address(const void *a, const void *b)
{
    const struct baseline_series *left = *(const struct baseline_series *const *)a;
    const struct baseline_series *right = *(const struct baseline_series *const *)b;
    return (left > right) - (left < right);
}

static struct missing missing_of(const struct check *check)
{
    size_t count = 0;
    struct missing missing = {.list = memory_cleared(check->count + 1, sizeof *missing.list)};
    for (size_t i = 0; i < check->count; i++)
        if (!check->findings[i].series)
            missing.list[count++] = check->findings[i].before;
    qsort(missing.list, count, sizeof *missing.list, by_address);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || missing.list[i] != missing.list[i - 1])
            missing.list[missing.count++] = missing.list[i];
    return missing;
}

/* ---- subjects ---- */

static size_t subject_of(const struct check *check, const struct missing *missing, const struct finding *finding)
{
    if (finding->series)
        return (size_t)(finding->series - check->results->series);
    const struct baseline_series **found =
        bsearch(&finding->before, missing->list, missing->count, sizeof *missing->list, by_address);
    assert(found);
    return check->results->series_count + (size_t)(found - missing->list);
}

static void name_subject(struct subject *subject)
{
    const struct series *series = subject->series;
    const struct baseline_series *before = subject->before;
    subject->backend = series ? series->backend : before->backend;
    subject->launch = series ? series->launch : before->launch;
    subject->method = told("%s", series ? series->method : before->method);
    subject->name = told("%s, %" PRIu32 " x %" PRIu32 ", %s", series ? series->data : before->data,
                         subject->launch.blocks, subject->launch.threads, subject->backend->id);
}

static void make_subjects(const struct check *check, const struct missing *missing, struct findings *findings)
{
    const size_t of_run = check->results->series_count;
    findings->subjects = memory_cleared(of_run + missing->count + 1, sizeof *findings->subjects);
    findings->count = of_run + missing->count;
    for (size_t i = 0; i < findings->count; i++) {
        struct subject *subject = &findings->subjects[i];
        subject->series = i < of_run ? &check->results->series[i] : NULL;
        subject->before = i < of_run ? NULL : missing->list[i - of_run];
        name_subject(subject);
    }
}

/* ---- names of their own ---- */

static int compare_names(const struct subject *left, const struct subject *right)
{
    const int order = strcmp(left->method, right->method);
    return order ? order : strcmp(left->name, right->name);
}

/* Then in their order, which is that of the addresses. */
static int by_name(const void *a, const void *b)
{
    const struct subject *left = *(struct subject *const *)a, *right = *(struct subject *const *)b;
    const int order = compare_names(left, right);
    return order ? order : (left > right) - (left < right);
}

static void rename_subject(struct subject *subject, size_t number)
{
    OWNED char *plain = subject->name;
    subject->name = told("%s #%zu", plain, number);
}

/* Again until no two are alike: a name that ends in " #2" may be somebody's own. */
static void name_apart(struct findings *findings)
{
    OWNED struct subject **sorted = memory_cleared(findings->count + 1, sizeof(struct subject *));
    bool changed = true;
    for (size_t i = 0; i < findings->count; i++)
        sorted[i] = &findings->subjects[i];
    while (changed) {
        size_t first = 0;
        changed = false;
        qsort(sorted, findings->count, sizeof *sorted, by_name);
        for (size_t i = 1; i < findings->count; i++) {
            if (compare_names(sorted[first], sorted[i]) != 0) {
                first = i;
                continue;
            }
            rename_subject(sorted[i], i - first + 1);
            changed = true;
        }
    }
}

/* ---- findings, by subject ---- */

static struct told_finding tell_finding(const struct finding *finding)
{
    const struct allowance *allowance = finding->allowance;
    const char *why = finding->rule->why;
    const bool lapsed = allowance && finding->verdict == VERDICT_FAILED;
    return (struct told_finding){
        .finding = finding,
        .said = told("%s%s%s%s%s%s", finding->said, why ? " (" : "", why ? why : "", why ? ")" : "",
                     lapsed ? "; it was allowed until " : "", lapsed ? allowance->until.text : ""),
        .allowed = finding->verdict == VERDICT_ALLOWED
                       ? told("until %s (%s)", allowance->until.text, allowance->why ? allowance->why : "")
                       : NULL,
    };
}

/* The first that fails for its sums, rather than for what changes their bits; NULL: none does.  A study with too few
 * trials has no worst one to look at. */
static const struct finding *failure_of_sums(const struct subject *subject)
{
    const struct finding *across = NULL;
    for (size_t k = 0; k < subject->count && subject->list[k].finding->verdict == VERDICT_FAILED; k++) {
        const struct finding *finding = subject->list[k].finding;
        if (finding->varied)
            across = across ? across : finding;
        else if (!finding_is_of_study(finding))
            return finding;
    }
    return across;
}

/* The first findings of a subject are its worst: they are sorted by verdict. */
static void judge_subject(struct subject *subject)
{
    subject->verdict = subject->count > 0 ? subject->list[0].finding->verdict : VERDICT_SKIPPED;
    const struct finding *failure = failure_of_sums(subject);
    if (!failure)
        return;
    const char *rerun = failure->varied   ? failure->varied->command
                        : subject->series ? series_rerun(subject->series, failure->rule->metric)
                                          : NULL;
    subject->cause = failure->cause ? clean_text(failure->cause) : NULL;
    subject->rerun = rerun ? clean_text(rerun) : NULL;
}

/* Hands out findings->list to the subjects, each as much as it needs, and leaves their counts 0. */
static void share_out(const struct check *check, const struct missing *missing, struct findings *findings)
{
    struct told_finding *next = findings->list;
    for (size_t i = 0; i < check->count; i++)
        findings->subjects[subject_of(check, missing, &check->findings[i])].count++;
    for (size_t i = 0; i < findings->count; i++) {
        findings->subjects[i].list = next;
        next += findings->subjects[i].count;
        findings->subjects[i].count = 0;
    }
}

static void sort_findings(const struct check *check, const struct missing *missing, struct findings *findings)
{
    findings->list = memory_cleared(check->count + 1, sizeof *findings->list);
    share_out(check, missing, findings);
    for (size_t i = 0; i < check->count; i++) {
        struct subject *subject = &findings->subjects[subject_of(check, missing, &check->findings[i])];
        subject->list[subject->count++] = tell_finding(&check->findings[i]);
    }
    for (size_t i = 0; i < findings->count; i++) {
        struct subject *subject = &findings->subjects[i];
        judge_subject(subject);
        findings->by[subject->verdict]++;
        findings->unruled += subject->count == 0;
        findings->missing += !subject->series && subject->verdict == VERDICT_FAILED;
    }
}

/* ---- rules and allowances ---- */

static void tell_rules(const struct limits *limits, struct findings *findings)
{
    findings->rules = memory_cleared(limits->rule_count + 1, sizeof *findings->rules);
    for (size_t r = 0; r < limits->rule_count; r++)
        findings->rules[r].place = told("%s:%zu", limits->path, limits->rules[r].line);
}

/* A misspelt method or data, most likely. */
static bool is_idle(const struct check *check, const struct allowance *allowance)
{
    for (size_t i = 0; i < check->results->series_count; i++)
        if (allowance_matches(allowance, check->results->series[i].method, check->results->series[i].data))
            return false;
    for (size_t i = 0; i < check->count; i++) {
        const struct baseline_series *before = check->findings[i].series ? NULL : check->findings[i].before;
        if (before && allowance_matches(allowance, before->method, before->data))
            return false;
    }
    return true;
}

const char *allowance_metric(const struct allowance *allowance)
{
    return allowance->metric == GATE_NO_CLAIM  ? "no_claim"
           : allowance->metric == GATE_METRICS ? NULL
                                               : gate_metric_names[allowance->metric];
}

static struct told_allowance tell_allowance(const struct check *check, size_t index)
{
    const struct allowance *allowance = &check->limits->allowances[index];
    const char *const metric = allowance_metric(allowance), *const why = allowance->why ? allowance->why : "";
    const enum allowance_state state = allowance_is_over(check, allowance) ? ALLOWANCE_EXPIRED
                                       : check->allowed_by[index] > 0      ? ALLOWANCE_USED
                                                                           : ALLOWANCE_UNUSED;
    return (struct told_allowance){
        .state = state,
        .is_idle = state == ALLOWANCE_UNUSED && is_idle(check, allowance),
        .place = told("%s:%zu", check->limits->path, allowance->line),
        .about = told("%s on %s%s%s", allowance->method, allowance->data, metric ? ", " : "", metric ? metric : ""),
        .until = *allowance->until.text ? told("until %s (%s)", allowance->until.text, why) : told("(%s)", why),
    };
}

static void tell_allowances(const struct check *check, struct findings *findings)
{
    const size_t count = check->limits->allowance_count;
    findings->allowances = memory_cleared(count + 1, sizeof *findings->allowances);
    for (size_t i = 0; i < count; i++) {
        findings->allowances[i] = tell_allowance(check, i);
        findings->unused += findings->allowances[i].state == ALLOWANCE_UNUSED;
    }
}

/* ---- gaps ---- */

static char *rule_text(const struct check *check, size_t index)
{
    const struct rule *rule = &check->limits->rules[index];
    return told("rule %zu: %s on %s, %s", index + 1, rule->method, rule->data, gate_metric_names[rule->metric]);
}

static struct told_gap tell_idle_rule(const struct check *check, size_t index)
{
    const struct rule *rule = &check->limits->rules[index];
    const size_t matched = check->matched_by[index];
    const char *path = check->limits->path;
    return (struct told_gap){
        .line = rule->line,
        .about = rule_text(check, index),
        .said = matched > 0 ? told("%s:%zu: this rule holds nothing: it can be compared with none of %zu series", path,
                                   rule->line, matched)
                            : told("%s:%zu: this rule holds nothing: it is about no series", path, rule->line),
    };
}

static struct told_gap tell_incomplete(const struct check *check)
{
    const struct results *results = check->results;
    return (struct told_gap){
        .about = told("the run"),
        .said = told("%" PRIu64 " of %" PRIu64
                     " cases are complete, and %zu series lack sums: the others were not held to the limits",
                     results->cases, results->study.cases, check->partial),
    };
}

static struct told_gap tell_unlike_kernels(const struct check *check)
{
    return (struct told_gap){
        .about = told("the kernels"),
        .said = told("%" PRIu64 " of %" PRIu64 " results of kernels have other bits than their replays",
                     check->kernels_differ, check->kernels_compared),
    };
}

static void tell_warnings(const struct check *check, struct findings *findings)
{
    findings->warnings = memory_cleared(check->limits->rule_count + 1, sizeof *findings->warnings);
    for (size_t r = 0; check->holds_nothing && r < check->limits->rule_count; r++)
        if (check->holds_nothing[r])
            findings->warnings[findings->warning_count++] = (struct told_gap){
                .line = check->limits->rules[r].line,
                .about = rule_text(check, r),
                .said = told("%s:%zu: this rule holds nothing: zeros pass it on all of its data, %zu series; a "
                             "relative_error below 1 would not pass them",
                             check->limits->path, check->limits->rules[r].line, check->compared_by[r])};
}

/* Behind sort_findings(), which names them. */
static void tell_unheld(const struct check *check, struct findings *findings)
{
    for (size_t i = 0; check->is_unheld && i < check->results->series_count; i++)
        if (check->is_unheld[i])
            findings->gaps[findings->gap_count++] = (struct told_gap){
                .about = told("%s on %s", findings->subjects[i].method, findings->subjects[i].name),
                .said = told("every rule about it holds nothing: zeros pass them; add one that they do not pass, or an "
                             "entry of allow_no_claim that says why")};
}

static void tell_gaps(const struct check *check, struct findings *findings)
{
    findings->gaps = memory_cleared(check->idle + check->unheld + 3, sizeof *findings->gaps);
    tell_unheld(check, findings);
    for (size_t r = 0; r < check->limits->rule_count; r++)
        if (check_is_idle(check, r))
            findings->gaps[findings->gap_count++] = tell_idle_rule(check, r);
    if (!check_is_complete(check))
        findings->gaps[findings->gap_count++] = tell_incomplete(check);
    if (check->kernels_differ > 0)
        findings->gaps[findings->gap_count++] = tell_unlike_kernels(check);
}

/* ---- sentences ---- */

/* "3 FAIL", "1 allowed": the counts that are not 0, joined. */
struct part {
    size_t count;
    const char *what;
};

static void say_parts(struct text *text, const char *separator, const struct part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].count > 0) {
            text_append(text, "%s%zu%s", separator, parts[i].count, parts[i].what);
            separator = ", ";
        }
}

static char *sentence_of(const struct check *check, const struct findings *findings)
{
    const size_t skipped = findings->by[VERDICT_SKIPPED], rules = check->limits->rule_count;
    const size_t expired = check->expired, unused = findings->unused;
    struct text text = {0};
    char failed[64];
    snprintf(failed, sizeof failed, findings->missing > 0 ? " %s (%zu missing)" : " %s", verdict_words[VERDICT_FAILED],
             findings->missing);
    const struct part verdicts[] = {{findings->by[VERDICT_FAILED], failed},
                                    {findings->by[VERDICT_ALLOWED], " allowed"},
                                    {findings->by[VERDICT_PASSED], " ok"}};
    const struct part others[] = {{skipped - findings->unruled, " skipped"},
                                  {findings->unruled, " that no rule covers"}};
    const struct part allowances[] = {{expired, expired == 1 ? " allowance expired" : " allowances expired"},
                                      {unused, expired       ? " unused"
                                               : unused == 1 ? " allowance unused"
                                                             : " allowances unused"}};
    const struct part gaps[] = {{check->idle, check->idle == 1 ? " rule holds nothing" : " rules hold nothing"}};
    const struct part empty[] = {
        {findings->warning_count, findings->warning_count == 1 ? " rule that zeros pass" : " rules that zeros pass"},
        {check->unheld, " series that no rule holds"}};
    text_append(&text, "%zu series checked by %zu rule%s", findings->count - skipped, rules, plural(rules));
    say_parts(&text, ": ", verdicts, 3);
    say_parts(&text, "; ", others, 2);
    say_parts(&text, "; ", allowances, 2);
    say_parts(&text, "; ", gaps, 1);
    say_parts(&text, "; ", empty, 2);
    if (!check_is_complete(check))
        text_append(&text, "; the run is not complete");
    return text_take(&text);
}

/* A gate that is green whatever breaks in the user's code must not look like one that holds it. */
static const char *own_of(const struct check *check)
{
    const struct study_record *study = &check->results->study;
    bool is_own = study->method_count > 0 && check_passes(check);
    for (size_t m = 0; m < study->method_count; m++)
        is_own &= !*study->methods[m].plugin_flag;
    return is_own ? "no code of yours was measured: all methods are ulpscope's own; plugins: of a study takes yours"
                  : NULL;
}

/* ---- the whole ---- */

void findings_make(const struct checked *checked, struct findings *findings)
{
    const struct check *check = checked->check;
    const struct missing missing = missing_of(check);
    *findings = (struct findings){0};
    make_subjects(check, &missing, findings);
    name_apart(findings);
    sort_findings(check, &missing, findings);
    tell_rules(check->limits, findings);
    tell_allowances(check, findings);
    tell_gaps(check, findings);
    tell_warnings(check, findings);
    findings->sentence = sentence_of(check, findings);
    findings->own = own_of(check);
    free(missing.list);
}

static void free_gaps(struct told_gap *gaps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free_all(gaps[i].about, gaps[i].said);
    free(gaps);
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct subject *subject = &findings->subjects[i];
        for (size_t k = 0; k < subject->count; k++)
            free_all(subject->list[k].said, subject->list[k].allowed);
        free_all(subject->method, subject->name, subject->cause, subject->rerun);
    }
    for (struct told_rule *rule = findings->rules; rule && rule->place; rule++) /* behind the last stands a zero one */
        free(rule->place);
    for (struct told_allowance *allowance = findings->allowances; allowance && allowance->place; allowance++)
        free_all(allowance->place, allowance->about, allowance->until);
    free_gaps(findings->gaps, findings->gap_count);
    free_gaps(findings->warnings, findings->warning_count);
    free_all(findings->subjects, findings->list, findings->rules, findings->allowances, findings->sentence);
    *findings = (struct findings){0};
}

const struct told_rule *findings_rule(const struct checked *checked, const struct findings *findings,
                                      const struct finding *finding)
{
    return &findings->rules[finding->rule - checked->check->limits->rules];
}

bool findings_pass(const struct checked *checked)
{
    return checked->check->idle == 0 && check_is_complete(checked->check) && check_passes(checked->check);
}
