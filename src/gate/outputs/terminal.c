/* terminal: what `ulpscope check` prints.  A line begins with the word that says what it is, so that grep finds it, and
 * is not broken; commands can be copied.
 *
 *   FAIL  limits.yaml:4  kahan/serial on uniform:n=1024, 120 x 256, replay: ulp_error max 12.3 ulp, limit 1.5ulp
 *         bit for bit plain/serial on 100 of 100: the compensation has no effect
 *         rerun: ulpscope run -m kahan/serial -d uniform:n=1024 --trial 17
 *   allowed  ...
 *
 *   4 series checked by 2 rules: 1 FAIL, 1 allowed, 2 ok
 */
#include "reports/terminal.h"
#include "reports/report.h"
#include "src/gate/findings/findings.h"

enum { TOLD_MOST = 20 }; /* series that fail, groups of a verdict: the others are counted */

static void print_line(const struct terminal *terminal, enum tone tone, const char *word, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void print_line(const struct terminal *terminal, enum tone tone, const char *word, const char *format, ...)
{
    va_list arguments;
    terminal_word(terminal, tone, word);
    fputs("  ", terminal->file);
    va_start(arguments, format);
    vfprintf(terminal->file, format, arguments);
    va_end(arguments);
    fputc('\n', terminal->file);
}

/* A comparison by itself. */
static void print_finding(const struct terminal *terminal, const struct checked *checked,
                          const struct findings *findings, const struct subject *subject, size_t k)
{
    const struct told_finding *told = &subject->list[k];
    const enum verdict verdict = told->finding->verdict;
    print_line(terminal, verdict == VERDICT_FAILED ? TONE_BAD : TONE_GOOD, verdict_words[verdict], "%s  %s on %s: %s",
               findings_rule(checked, findings, told->finding)->place, subject->method, subject->name, told->said);
}

static void print_failure(const struct terminal *terminal, const struct checked *checked,
                          const struct findings *findings, const struct subject *subject)
{
    for (size_t k = 0; k < subject->count && subject->list[k].finding->verdict == VERDICT_FAILED; k++)
        print_finding(terminal, checked, findings, subject, k);
    if (subject->cause)
        fprintf(terminal->file, "      %s\n", subject->cause);
    if (subject->rerun)
        fprintf(terminal->file, "      rerun: %s\n", subject->rerun);
}

/* Of what is not told one by one: a line for all series that break a rule for the same cause; one alone has its name.
 */
static void print_more_failures(const struct terminal *terminal, const struct finding_groups *groups)
{
    size_t others = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct finding_group *group = &groups->list[i];
        if (i >= TOLD_MOST)
            others += group->count;
        else if (group->count == 1)
            print_line(terminal, TONE_BAD, verdict_words[VERDICT_FAILED], "%s  %s on %s: %s%s%s", group->place,
                       group->subject->method, group->subject->name, group->finding->said,
                       *group->text ? "\n      " : "", group->text);
        else
            print_line(terminal, TONE_BAD, verdict_words[VERDICT_FAILED], "%s  %zu series more%s%s", group->place,
                       group->count, *group->text ? ": " : "", group->text);
    }
    if (others > 0)
        print_line(terminal, TONE_BAD, verdict_words[VERDICT_FAILED], "and %zu times more; --json FILE has them all",
                   others);
}

static void print_failures(const struct terminal *terminal, const struct checked *checked,
                           const struct findings *findings)
{
    FREED_BY(finding_groups_free) struct finding_groups groups = {0};
    size_t told = 0, i;
    for (i = 0; i < findings->count && told < TOLD_MOST; i++)
        if (findings->subjects[i].verdict == VERDICT_FAILED) {
            print_failure(terminal, checked, findings, &findings->subjects[i]);
            told++;
        }
    finding_groups_make(checked, findings, VERDICT_FAILED, i, &groups);
    print_more_failures(terminal, &groups);
}

static void print_allowed(const struct terminal *terminal, const struct finding_group *group)
{
    char more[32] = "";
    if (group->count > 1)
        snprintf(more, sizeof more, "; and %zu more", group->count - 1);
    print_line(terminal, TONE_PLAIN, verdict_words[VERDICT_ALLOWED], "%s  %s: %s on %s: %s%s", group->place,
               group->text, group->subject->method, group->subject->name, group->finding->said, more);
}

static void print_allowances(const struct terminal *terminal, const struct checked *checked,
                             const struct findings *findings, enum allowance_state state, const char *what_to_do)
{
    for (size_t i = 0; i < checked->check->limits->allowance_count; i++) {
        const struct told_allowance *allowance = &findings->allowances[i];
        if (allowance->state == state)
            print_line(terminal, state == ALLOWANCE_EXPIRED ? TONE_BAD : TONE_PLAIN, allowance_words[state],
                       "%s  %s, %s: %s", allowance->place, allowance->about, allowance->until,
                       allowance->is_idle ? "it matches no series of the run; correct its names, or remove it"
                                          : what_to_do);
    }
}

static void print_skipped(const struct terminal *terminal, const struct finding_group *group)
{
    print_line(terminal, TONE_PLAIN, verdict_words[VERDICT_SKIPPED], "%s  %zu series: %s", group->place, group->count,
               group->text);
}

static void print_groups(const struct terminal *terminal, const struct checked *checked,
                         const struct findings *findings, enum verdict verdict,
                         void (*print)(const struct terminal *terminal, const struct finding_group *group))
{
    FREED_BY(finding_groups_free) struct finding_groups groups = {0};
    finding_groups_make(checked, findings, verdict, 0, &groups);
    for (size_t i = 0; i < groups.count && i < TOLD_MOST; i++)
        print(terminal, &groups.list[i]);
    if (groups.count > TOLD_MOST)
        print_line(terminal, TONE_PLAIN, verdict_words[verdict], "and %zu lines more; --json FILE has them all",
                   groups.count - TOLD_MOST);
}

struct closest {
    const struct subject *subject;
    const struct told_finding *told;
    double share; /* of the limit */
    size_t count;
};

/* 0 where there is no such share: of two sums of bits that may not differ. */
static double share_of_limit(const struct finding *finding)
{
    const bool least = finding->rule->limit.kind == LIMIT_LEAST;
    const double share = least ? finding->limit / finding->value : finding->value / finding->limit;
    return isnan(share) ? 0 : share;
}

static void find_closest(const struct checked *checked, const struct findings *findings, struct closest *of_rules)
{
    for (size_t i = 0; i < findings->count; i++)
        for (size_t k = 0; k < findings->subjects[i].count; k++) {
            const struct told_finding *told = &findings->subjects[i].list[k];
            if (told->finding->verdict != VERDICT_PASSED)
                continue;
            struct closest *closest = &of_rules[told->finding->rule - checked->check->limits->rules];
            const double share = share_of_limit(told->finding);
            if (!closest->told || share > closest->share) {
                closest->subject = &findings->subjects[i];
                closest->told = told;
                closest->share = share;
            }
            closest->count++;
        }
}

/* Of bits, and where all errors are 0, none is closer than another. */
static void print_closest(const struct terminal *terminal, const char *place, const struct closest *closest)
{
    const struct rule *rule = closest->told->finding->rule;
    const char *const passed = verdict_words[VERDICT_PASSED];
    if (closest->share > 0 || isnan(closest->told->finding->value))
        print_line(terminal, TONE_GOOD, passed, "%s  %zu series%s: %s on %s: %s", place, closest->count,
                   closest->share > 0 ? "; closest to its limit" : "", closest->subject->method, closest->subject->name,
                   closest->told->said);
    else
        print_line(terminal, TONE_GOOD, passed, "%s  %zu series: %s, %s %s", place, closest->count,
                   gate_metric_names[rule->metric], rule->metric == GATE_BITS ? "same:" : "limit", rule->limit.text);
}

static void print_fine(const struct terminal *terminal, const struct checked *checked, const struct findings *findings)
{
    const size_t rules = checked->check->limits->rule_count;
    OWNED struct closest *closest = memory_cleared(rules + 1, sizeof *closest);
    find_closest(checked, findings, closest);
    for (size_t r = 0; r < rules; r++)
        if (closest[r].count > 0)
            print_closest(terminal, findings->rules[r].place, &closest[r]);
}

/* Each comparison by itself: which rules are about a series, and what each allows it. */
static void print_passed(const struct terminal *terminal, const struct checked *checked,
                         const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        for (size_t k = 0; k < findings->subjects[i].count; k++)
            if (findings->subjects[i].list[k].finding->verdict == VERDICT_PASSED)
                print_finding(terminal, checked, findings, &findings->subjects[i], k);
}

static void print_unheld(const struct terminal *terminal, const struct findings *findings, size_t unheld)
{
    for (size_t i = 0; i < unheld && i < TOLD_MOST; i++) /* the first of the gaps */
        print_line(terminal, TONE_BAD, verdict_words[VERDICT_FAILED], "%s: %s", findings->gaps[i].about,
                   findings->gaps[i].said);
    if (unheld > TOLD_MOST)
        print_line(terminal, TONE_BAD, verdict_words[VERDICT_FAILED], "and %zu series more; --json FILE has them all",
                   unheld - TOLD_MOST);
}

static void print_all(const struct terminal *terminal, const struct checked *checked, const struct findings *findings)
{
    if (findings->own)
        fprintf(terminal->file, "note  %s\n", findings->own);
    if (!checked->verbose && check_passes(checked->check) && findings->gap_count == 0)
        print_fine(terminal, checked, findings);
    print_failures(terminal, checked, findings);
    print_unheld(terminal, findings, checked->check->unheld);
    if (checked->verbose)
        print_passed(terminal, checked, findings);
    print_groups(terminal, checked, findings, VERDICT_ALLOWED, print_allowed);
    print_allowances(terminal, checked, findings, ALLOWANCE_EXPIRED, "mend what it allows, or set another day");
    print_allowances(terminal, checked, findings, ALLOWANCE_UNUSED, "nothing that it is about fails; remove it");
    print_groups(terminal, checked, findings, VERDICT_SKIPPED, print_skipped);
    if (findings->unruled > 0)
        print_line(terminal, TONE_PLAIN, verdict_words[VERDICT_SKIPPED], "%zu series: no rule covers them",
                   findings->unruled);
    for (size_t i = 0; i < findings->warning_count; i++)
        print_line(terminal, TONE_PLAIN, "warning", "%s", findings->warnings[i].said);
    fputc('\n', terminal->file);
    terminal_bold(terminal, findings->sentence);
}

static enum status terminal_write(const struct checked *checked, const char *path)
{
    FREED_BY(findings_free) struct findings findings = {0};
    struct output out;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    findings_make(checked, &findings);
    print_all(&terminal, checked, &findings);
    return output_close(&out);
}

const struct check_output check_output_terminal = {
    .id = "terminal",
    .option = NULL,
    .argument = NULL,
    .summary = "what fails, why, and how to run it again",
    .write = terminal_write,
};
