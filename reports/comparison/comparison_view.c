#include "comparison.h"

#include "reports/incomplete.h"
#include "reports/speed_text.h"

/* What the tables of one comparison are made of. */
struct maker {
    const struct comparison *comparison;
    char other[RUN_LETTERS]; /* the letters of the other run; the first is A */
    size_t most;             /* changed series that are shown */
};

/* ---- the runs ---- */

static const struct {
    const char *title, *topic, *name;
} run_facts[] = {
    {"device", "device", "name"},        {"driver", "device", "driver"},  {"toolkit", "build", "CUDA compiler"},
    {"compiler", "build", "C compiler"}, {"commit", "program", "commit"}, {"date", "run", "date"},
};
enum { RUN_FACTS = sizeof run_facts / sizeof *run_facts };

/* "-" for a fact that is not stated, and for a toolkit that there is not. */
static const char *run_fact(const struct results *results, size_t which)
{
    const char *fact = results_fact(results, run_facts[which].topic, run_facts[which].name);
    return *fact == '\0' || strcmp(fact, "none") == 0 ? "-" : fact;
}

static bool some_run_states(const struct report *report, size_t which)
{
    for (size_t r = 0; r < report->run_count; r++)
        if (strcmp(run_fact(&report->runs[r], which), "-") != 0)
            return true;
    return false;
}

struct grid comparison_runs(const struct report *report)
{
    bool shown[RUN_FACTS];
    size_t columns = 2;
    for (size_t i = 0; i < RUN_FACTS; i++)
        columns += shown[i] = some_run_states(report, i);
    struct grid grid = grid_of(columns, 1);
    grid_row(&grid);
    grid_head(&grid, 0, true, "run");
    grid_head(&grid, 1, true, "name");
    for (size_t i = 0, c = 2; i < RUN_FACTS; i++)
        if (shown[i])
            grid_head(&grid, c++, true, run_facts[i].title);
    for (size_t r = 0; r < report->run_count; r++) {
        char letters[RUN_LETTERS];
        run_letters(r, letters);
        grid_add(&grid, cell_text("%s", letters), cell_text("%s", report->names[r]));
        for (size_t i = 0, c = 2; i < RUN_FACTS; i++)
            if (shown[i])
                grid_set(&grid, c++, TONE_PLAIN, "%s", run_fact(&report->runs[r], i));
    }
    return grid;
}

static struct grid make_facts(const struct maker *maker, char **note)
{
    OWNED char *heads = text_made("fact | A | %s", maker->other);
    struct grid grid = grid_headed(1, heads);
    for (size_t i = 0; i < maker->comparison->fact_count; i++) {
        const struct fact_pair *fact = &maker->comparison->facts[i];
        grid_add(&grid, cell_text("%s: %s", fact->topic, fact->name), cell_text("%s", *fact->first ? fact->first : "-"),
                 cell_text("%s", *fact->other ? fact->other : "-"));
    }
    *note = memory_copy("What the runs state of themselves, as far as it differs.");
    return grid;
}

/* ---- changed series ---- */

/* Which columns tell the pairs apart. */
struct shown {
    bool launch, backend;
};

static struct shown what_varies(const struct comparison *comparison)
{
    struct shown shown = {false, false};
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct series_pair *pair = &comparison->pairs[i], *zeroth = &comparison->pairs[0];
        shown.launch |= !same_launch(pair->first->launch, zeroth->first->launch);
        shown.backend |= pair->first->backend != zeroth->first->backend || pair->first->backend != pair->other->backend;
    }
    return shown;
}

/* "worse, x 2.40"; "same"; "not comparable: seed 1 against 2" */
static void set_change(struct grid *grid, size_t column, const struct judgement *judged)
{
    static const enum tone tones[BECAMES] = {[BECAME_BETTER] = TONE_GOOD, [BECAME_WORSE] = TONE_BAD};
    const char *word = became_words[judged->became];
    if (*judged->why)
        grid_set(grid, column, TONE_PLAIN, "%s: %s", word, judged->why);
    else if (judged->factor == 1 || !isfinite(judged->factor))
        grid_set(grid, column, tones[judged->became], "%s", word);
    else
        grid_set(grid, column, tones[judged->became], "%s, x %s", word, rounded_text(judged->factor));
}

/* "max 0.48 | 1.15", or what else decided. */
static void set_errors(struct grid *grid, size_t column, const struct series_pair *pair)
{
    const struct judgement *judged = &pair->judged;
    const double first = judged->decided ? judged->then : series_error(pair->first);
    const double other = judged->decided ? judged->now : series_error(pair->other);
    const char *const texts[] = {error_text(first), error_text(other)};
    const bool same = strcmp(texts[0], texts[1]) == 0;
    grid_set(grid, column, isfinite(first) && isfinite(other) ? TONE_PLAIN : TONE_BAD, "%s %s%s%s",
             judged->decided ? decider_words[judged->decided] : "max", texts[0], same ? "" : " | ",
             same ? "" : texts[1]);
}

static void head_changed(struct grid *grid, const struct maker *maker, struct shown shown)
{
    OWNED char *both = text_made("ulp, A | %s", maker->other);
    size_t c = 0;
    grid_row(grid);
    grid_head(grid, c++, true, "method");
    grid_head(grid, c++, true, "data");
    if (shown.launch)
        grid_head(grid, c++, true, "launch");
    if (shown.backend)
        grid_head(grid, c++, true, "backend");
    grid_head(grid, c++, true, "error");
    grid_head(grid, c++, false, "other bits");
    grid_head(grid, c, false, both);
}

static void changed_row(struct grid *grid, const struct series_pair *pair, struct shown shown)
{
    const struct series *first = pair->first, *other = pair->other;
    const bool one_backend = first->backend == other->backend;
    size_t c = 0;
    grid_row(grid);
    grid_set(grid, c++, TONE_PLAIN, "%s", first->method);
    grid_set(grid, c++, TONE_PLAIN, "%s", first->data);
    if (shown.launch)
        grid_set(grid, c++, TONE_PLAIN, "%u x %u", first->launch.blocks, first->launch.threads);
    if (shown.backend)
        grid_set(grid, c++, TONE_PLAIN, "%s%s%s", first->backend->id, one_backend ? "" : " | ",
                 one_backend ? "" : other->backend->id);
    set_change(grid, c++, &pair->judged);
    if (pair->common == 0)
        grid_set(grid, c++, TONE_PLAIN, "-");
    else
        grid_set(grid, c++, TONE_PLAIN, "%" PRIu64 " of %" PRIu64, pair->differ, pair->common);
    set_errors(grid, c++, pair);
}

static struct grid make_changed(const struct maker *maker, char **note)
{
    const struct comparison *comparison = maker->comparison;
    const struct shown shown = what_varies(comparison);
    const size_t count = comparison->changed_count < maker->most ? comparison->changed_count : maker->most;
    struct grid grid = grid_of(5u + shown.launch + shown.backend, 2);
    struct text text = {0};
    head_changed(&grid, maker, shown);
    for (size_t i = 0; i < count; i++)
        changed_row(&grid, &comparison->pairs[comparison->changed[i]], shown);
    text_append(&text, "Series with other errors (the first that differs decides; wrong NaN and infinities, the "
                       "largest in ulp, p99, p50) or other bits, worst first");
    if (count < comparison->changed_count)
        text_append(&text, "; the first %zu of %zu, all of which --json lists", count, comparison->changed_count);
    text_append(&text, ".");
    *note = text_take(&text);
    return grid;
}

/* ---- new and missing ---- */

static void add_absences(struct grid *grid, const char *word, enum tone tone, const struct absences *absences)
{
    for (size_t i = 0; i < absences->count; i++)
        grid_add(grid, cell_toned(tone, "%s", word), cell_text("%s", absences->list[i].kind),
                 cell_text("%s", absences->list[i].name), cell_count(absences->list[i].series));
}

static struct grid make_absences(const struct maker *maker, char **note)
{
    struct grid grid = grid_headed(2, "change | what | name | > series");
    add_absences(&grid, "missing", TONE_BAD, &maker->comparison->missing);
    add_absences(&grid, "new", TONE_GOOD, &maker->comparison->added);
    *note = text_made("Missing: only A has it. New: only %s has it.", maker->other);
    return grid;
}

/* ---- speeds ---- */

/* One machine's clock differs by some percent from one run to the next. */
static void set_ratio(struct grid *grid, size_t column, const struct speed *first, const struct speed *other)
{
    const double ratio = other->nanoseconds / first->nanoseconds;
    if (speeds_overlap(first, other) || (ratio < 1.1 && ratio > 1 / 1.1))
        grid_set(grid, column, TONE_PLAIN, "%s", rounded_text(ratio));
    else
        grid_set(grid, column, ratio > 1 ? TONE_BAD : TONE_GOOD, ratio > 1 ? "%s slower" : "%s faster",
                 rounded_text(ratio));
}

static struct grid make_speeds(const struct maker *maker, char **note)
{
    OWNED char *heads = text_made("method | backend | launch | > A | > %s | > %s / A", maker->other, maker->other);
    struct grid grid = grid_headed(1, heads);
    for (size_t i = 0; i < maker->comparison->speed_count; i++) {
        const struct speed *first = maker->comparison->speeds[i].first, *other = maker->comparison->speeds[i].other;
        grid_add(&grid, cell_text("%s", first->method), cell_text("%s", first->backend->id),
                 cell_text("%u x %u", first->launch.blocks, first->launch.threads));
        grid_speed(&grid, 3, first);
        grid_speed(&grid, 4, other);
        set_ratio(&grid, 5, first, other);
    }
    *note =
        text_made("Speed: %s; %s / A is of times; slower, faster: by more than 10 %%, and the spreads do not overlap.",
                  speed_legend(maker->comparison->first), maker->other);
    return grid;
}

/* ---- the whole ---- */

static const struct {
    const char *title;
    struct grid (*make)(const struct maker *maker, char **note);
} parts[] = {
    {"What differs in the making", make_facts},
    {"Changed series", make_changed},
    {"New and missing", make_absences},
    {"Speeds", make_speeds},
};

static void make_parts(const struct maker *maker, struct comparison_view *view)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct comparison_part *part = &view->parts[view->part_count++];
        *part = (struct comparison_part){.title = parts[i].title};
        part->grid = parts[i].make(maker, &part->note);
        if (part->grid.rows > 1)
            continue;
        grid_free(&part->grid); /* only a header */
        free(part->note);
        view->part_count--;
    }
}

enum status comparison_view_make(const struct report *report, size_t other, size_t most, struct comparison_view *view)
{
    FREED_BY(comparison_free) struct comparison comparison = {0};
    struct maker maker = {.comparison = &comparison, .most = most};
    *view = (struct comparison_view){0};
    run_letters(other, maker.other);
    snprintf(view->heading, sizeof view->heading, "%s against A", maker.other);
    TRY(comparison_make(&report->runs[0], &report->runs[other], &comparison));
    view->sentence = comparison_sentence(&comparison, "A", maker.other);
    make_parts(&maker, view);
    return OK;
}

void comparison_view_free(struct comparison_view *view)
{
    for (size_t i = 0; i < view->part_count; i++) {
        grid_free(&view->parts[i].grid);
        free(view->parts[i].note);
    }
    free(view->sentence);
    *view = (struct comparison_view){0};
}

/* ---- on a terminal, and on the page ---- */

enum { CHANGED_ON_SCREEN = 20, CHANGED_MOST = 200 }; /* changed series that are shown at most */

static enum status print_comparison(const struct terminal *terminal, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_ON_SCREEN, &view));
    fputc('\n', terminal->file);
    terminal_bold(terminal, view.sentence);
    for (size_t i = 0; i < view.part_count; i++) {
        fputc('\n', terminal->file);
        terminal_bold(terminal, view.parts[i].title);
        terminal_faint(terminal, view.parts[i].note);
        terminal_grid(terminal, &view.parts[i].grid);
    }
    return OK;
}

enum status comparison_table(const struct report *report, const char *path)
{
    struct output out;
    enum status status = OK;
    TRY(output_open(&out, path));
    const struct terminal terminal = terminal_of(out.file, report_colour && strcmp(path, "-") == 0);
    struct grid runs = comparison_runs(report);
    incomplete_on_terminal(report, &terminal);
    terminal_grid_taken(&terminal, &runs);
    for (size_t r = 1; r < report->run_count && status == OK; r++)
        status = print_comparison(&terminal, report, r);
    return output_end(&out, status);
}

static void write_part(struct page *page, struct comparison_part *part, size_t top)
{
    part->grid.top = top;
    page_heading(page, 4, "%s", part->title);
    page_element_as(page, "p", "context", part->note);
    page_named_grid(page, &part->grid, part->title);
}

static enum status write_comparison(struct page *page, const struct report *report, size_t other)
{
    FREED_BY(comparison_view_free) struct comparison_view view = {0};
    TRY(comparison_view_make(report, other, CHANGED_MOST, &view));
    page_heading(page, 3, "%s: %s", view.heading, report->names[other]);
    page_element(page, "p", "%s", view.sentence);
    for (size_t i = 0; i < view.part_count; i++)
        write_part(page, &view.parts[i], report->top);
    return OK;
}

enum status comparison_section(struct page *page, const struct report *report)
{
    page_open(page, "section");
    page_identify(page, "comparison");
    page_heading(page, 2, "Comparison");
    struct grid runs = comparison_runs(report);
    page_named_grid(page, &runs, "The runs");
    grid_free(&runs);
    for (size_t r = 1; r < report->run_count; r++)
        TRY(write_comparison(page, report, r));
    page_close(page);
    return OK;
}
