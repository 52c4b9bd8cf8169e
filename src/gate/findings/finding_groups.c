#include "findings.h"

/* Groups of one finding each; then equal ones are merged. */
static void start_group(const struct checked *checked, const struct findings *findings, const struct subject *subject,
                        const struct told_finding *told, struct finding_group *group)
{
    const struct finding *finding = told->finding;
    *group = (struct finding_group){.subject = subject, .finding = told, .count = 1};
    if (finding->verdict == VERDICT_ALLOWED) {
        group->source = (const char *)finding->allowance;
        group->place = findings->allowances[finding->allowance - checked->check->limits->allowances].place;
        group->text = told->allowed;
        return;
    }
    group->source = (const char *)finding->rule;
    group->place = findings_rule(checked, findings, finding)->place;
    group->text = finding->verdict != VERDICT_FAILED ? told->said : subject->cause ? subject->cause : "";
}

/* Of one verdict all are rules, or all allowances, in the order of the file; findings stand in one array, by subject.
 */
static int in_order(const void *a, const void *b)
{
    const struct finding_group *left = a, *right = b;
    if (left->source != right->source)
        return left->source < right->source ? -1 : 1;
    return (left->finding > right->finding) - (left->finding < right->finding);
}

static bool are_alike(const struct finding_group *left, const struct finding_group *right)
{
    return left->source == right->source && strcmp(left->text, right->text) == 0;
}

static int alike_together(const void *a, const void *b)
{
    const struct finding_group *left = a, *right = b;
    const int order = strcmp(left->text, right->text);
    return left->source != right->source || order == 0 ? in_order(a, b) : order;
}

static void merge(struct finding_groups *groups)
{
    size_t kept = 0;
    qsort(groups->list, groups->count, sizeof *groups->list, alike_together);
    for (size_t i = 0; i < groups->count; i++) {
        if (kept > 0 && are_alike(&groups->list[kept - 1], &groups->list[i]))
            groups->list[kept - 1].count++;
        else
            groups->list[kept++] = groups->list[i];
    }
    groups->count = kept;
    qsort(groups->list, groups->count, sizeof *groups->list, in_order);
}

void finding_groups_make(const struct checked *checked, const struct findings *findings, enum verdict verdict,
                         size_t first, struct finding_groups *groups)
{
    *groups = (struct finding_groups){.list = memory_cleared(checked->check->count + 1, sizeof *groups->list)};
    for (size_t i = first; i < findings->count; i++) {
        const struct subject *subject = &findings->subjects[i];
        for (size_t k = 0; k < subject->count; k++)
            if (subject->list[k].finding->verdict == verdict)
                start_group(checked, findings, subject, &subject->list[k], &groups->list[groups->count++]);
    }
    merge(groups);
}

void finding_groups_free(struct finding_groups *groups)
{
    free(groups->list);
    *groups = (struct finding_groups){0};
}

static const char ELLIPSIS[] = "\xe2\x80\xa6";

char *cut_text(const char *text, size_t most)
{
    const size_t length = strlen(text);
    if (length <= most)
        return memory_copy(text);
    size_t kept = most - strlen(ELLIPSIS);
    while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) /* within a character */
        kept--;
    return text_made("%.*s%s", (int)kept, text, ELLIPSIS);
}
