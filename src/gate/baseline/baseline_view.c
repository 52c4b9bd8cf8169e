#include "baseline.h"

enum { REASONS_MOST = 5 };

struct where {
    struct launch launch;
    const struct backend *backend;
};

static struct where where_of_line(const struct baseline_series *line)
{
    return (struct where){line->launch, line->backend};
}

static struct where where_of_change(const struct baseline_change *change)
{
    return change->series ? (struct where){change->series->launch, change->series->backend}
                          : where_of_line(change->before);
}

static bool is_elsewhere(struct where a, struct where b)
{
    return !same_launch(a.launch, b.launch) || a.backend != b.backend;
}

static void set_where(struct grid *grid, size_t column, struct where where)
{
    grid_set(grid, column, TONE_PLAIN, "%" PRIu32 "x%" PRIu32 " %s", where.launch.blocks, where.launch.threads,
             where.backend->id);
}

static bool baseline_varies(const struct baseline *baseline)
{
    for (size_t i = 1; i < baseline->count; i++)
        if (is_elsewhere(where_of_line(&baseline->series[0]), where_of_line(&baseline->series[i])))
            return true;
    return false;
}

static bool diff_varies(const struct baseline_diff *diff)
{
    for (size_t i = 1; i < diff->count; i++)
        if (is_elsewhere(where_of_change(&diff->changes[0]), where_of_change(&diff->changes[i])))
            return true;
    return false;
}

/* "uniform:n=1024 #2" */
static void set_data(struct grid *grid, size_t column, const char *data, uint64_t which)
{
    if (which == 0)
        grid_set(grid, column, TONE_PLAIN, "%s", data);
    else
        grid_set(grid, column, TONE_PLAIN, "%s #%" PRIu64, data, which + 1);
}

char *baseline_heading(const struct baseline *baseline)
{
    struct text text = {0};
    text_append(&text, "%s: %zu series, seed %" PRIu64, baseline->title, baseline->count, baseline->seed);
    if (baseline->count > 0 && !baseline_varies(baseline))
        text_append(&text, "; %" PRIu32 " blocks of %" PRIu32 " threads, %s", baseline->series[0].launch.blocks,
                    baseline->series[0].launch.threads, baseline->series[0].backend->id);
    return text_take(&text);
}

/* As changes are sorted. */
static const enum became order[BECAMES] = {BECAME_WORSE, BECAME_MISSING, BECAME_NOT_COMPARABLE,
                                           BECAME_NEW,   BECAME_BETTER,  BECAME_SAME};

char *baseline_diff_sentence(const struct baseline_diff *diff)
{
    struct text text = {0};
    const char *separator = ": ";
    text_append(&text, "%zu series", diff->count);
    for (size_t i = 0; i < BECAMES; i++)
        if (diff->by[order[i]] > 0) {
            text_append(&text, "%s%zu %s", separator, diff->by[order[i]], became_words[order[i]]);
            separator = ", ";
        }
    if (diff->other_bits > 0)
        text_append(&text, " (%zu of them with other bits)", diff->other_bits);
    return text_take(&text);
}

/* How many changes from the i-th on have its reason; 0 when one before it has, or it has none. */
static size_t count_reason(const struct baseline_diff *diff, size_t i)
{
    const char *why = diff->changes[i].judged.why;
    size_t count = 0;
    for (size_t j = 0; *why && j < diff->count; j++) {
        const bool same = strcmp(diff->changes[j].judged.why, why) == 0;
        if (j < i && same)
            return 0;
        count += same;
    }
    return count;
}

char *baseline_diff_reasons(const struct baseline_diff *diff)
{
    struct text text = {0};
    for (size_t i = 0, reasons = 0; i < diff->count && reasons < REASONS_MOST; i++) {
        const size_t count = count_reason(diff, i);
        if (count == 0)
            continue;
        text_append(&text, "%s%zu %s: %s", reasons > 0 ? "; " : "", count,
                    diff->changes[i].became == BECAME_NOT_COMPARABLE ? "not comparable" : "elsewhere",
                    diff->changes[i].judged.why);
        reasons++;
    }
    return text_take(&text);
}

size_t baseline_diff_rows(const struct baseline_diff *diff)
{
    return diff->count - diff->by[BECAME_SAME] + diff->other_bits;
}

/* Of "ulp_error max". */
static const char *metric_of(enum decider decided)
{
    return decided >= BY_MAX ? "ulp_error " : "";
}

static void set_reason(struct grid *grid, size_t column, const struct baseline_change *change)
{
    const enum decider decided = change->judged.decided;
    if (decided)
        grid_set(grid, column, TONE_PLAIN, "%s%s", metric_of(decided), decider_words[decided]);
    else
        grid_set(grid, column, TONE_PLAIN, "%s",
                 change->became == BECAME_SAME && change->other_bits ? "other bits" : change->judged.why);
}

static void add_change(struct grid *grid, const struct baseline_change *change, bool varies)
{
    static const enum tone tones[BECAMES] = {
        [BECAME_WORSE] = TONE_BAD, [BECAME_MISSING] = TONE_BAD, [BECAME_BETTER] = TONE_GOOD};
    const struct baseline_series *before = change->before;
    const struct series *series = change->series;
    size_t column = 0;
    grid_row(grid);
    grid_set(grid, column++, tones[change->became], "%s", became_words[change->became]);
    grid_set(grid, column++, TONE_PLAIN, "%s", series ? series->method : before->method);
    set_data(grid, column++, series ? series->data : before->data, before ? before->which : 0);
    if (varies)
        set_where(grid, column++, where_of_change(change));
    set_reason(grid, column++, change);
    grid_error(grid, column++, change->judged.then);
    grid_error(grid, column++, change->judged.now);
    grid_number(grid, column, change->judged.decided ? change->judged.factor : NAN);
}

struct grid baseline_diff_grid(const struct baseline_diff *diff, size_t most)
{
    const bool varies = diff_varies(diff);
    struct grid grid = grid_headed(3, varies ? " | method | data | where | by | > then | > now | > now / then"
                                             : " | method | data | by | > then | > now | > now / then");
    for (size_t i = 0, shown = 0; i < diff->count && shown < most; i++)
        if (diff->changes[i].became != BECAME_SAME || diff->changes[i].other_bits) {
            add_change(&grid, &diff->changes[i], varies);
            shown++;
        }
    return grid;
}

char *baseline_change_text(const struct baseline_change *change)
{
    const struct where where = where_of_change(change);
    const struct baseline_series *before = change->before;
    const struct judgement *judged = &change->judged;
    struct text text = {0};
    text_append(&text, "%s: %s %s %" PRIu32 "x%" PRIu32 " %s", became_words[change->became],
                before ? before->method : change->series->method, before ? before->data : change->series->data,
                where.launch.blocks, where.launch.threads, where.backend->id);
    if (before && before->which > 0)
        text_append(&text, " #%" PRIu64, before->which + 1);
    if (*judged->why)
        text_append(&text, ": %s", judged->why);
    if (judged->decided)
        text_append(&text, ": %s%s %s then, %s now", metric_of(judged->decided), decider_words[judged->decided],
                    error_text(judged->then), error_text(judged->now));
    return text_take(&text);
}
