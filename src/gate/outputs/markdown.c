/* markdown: a comment on a pull request.  The verdict and what fails stand in the open, the rest is folded.
 *
 * A comment on GitHub has at most 65,536 characters.  Names may be of any length, and escaping makes up to five bytes
 * of one: so texts are cut, and each part has room of its own, of which it takes whole lines and counts the others.
 */
#include "reports/markdown_text.h"
#include "src/files/output.h"
#include "src/gate/findings/findings.h"

static const char MARKER[] = "<!-- ulpscope-check -->";

enum {
    EXPIRED_END = 12000,  /* where the list of gaps and expired allowances ends */
    FAILURES_END = 34000, /* and the table of what fails; a line of it has at most 12,000 */
    FOLDED_MOST = 8000,   /* for each of the three folded parts: 58,000 in all */
    SURVIVORS_MOST = 5000,
    LINES_MOST = 50, /* of a table or list */
    TEXT_MOST = 400  /* of a name, before it is escaped */
};

static void write_cut(FILE *file, const char *text, size_t most)
{
    OWNED char *cut = cut_text(text, most);
    markdown_name(file, cut);
}

enum { RULE, METHOD, SERIES, FOUND, CAUSE, RERUN, COLUMNS };

static void set_cut(struct grid *grid, size_t column, const char *text)
{
    OWNED char *cut = cut_text(text, TEXT_MOST);
    grid_set(grid, column, TONE_PLAIN, "%s", cut);
}

/* Cause and command stand beside the first rule that a series breaks; half a command is none. */
static void add_failure(struct grid *grid, const char *place, const struct subject *subject, size_t k)
{
    const char *rerun = subject->rerun ? subject->rerun : "";
    grid_row(grid);
    set_cut(grid, RULE, place);
    set_cut(grid, METHOD, subject->method);
    set_cut(grid, SERIES, subject->name);
    set_cut(grid, FOUND, subject->list[k].said);
    set_cut(grid, CAUSE, k > 0 ? "" : subject->cause ? subject->cause : "");
    set_cut(grid, RERUN, k > 0 ? "" : strlen(rerun) <= TEXT_MOST ? rerun : "too long for a comment");
}

static struct grid failures(const struct checked *checked, const struct findings *findings, size_t rows)
{
    struct grid grid = grid_headed(1, "limit | method | data | found | what it is | run it again");
    for (size_t i = 0; i < findings->count; i++) {
        const struct subject *subject = &findings->subjects[i];
        for (size_t k = 0; k < subject->count && grid.rows <= rows; k++)
            if (subject->list[k].finding->verdict == VERDICT_FAILED)
                add_failure(&grid, findings_rule(checked, findings, subject->list[k].finding)->place, subject, k);
    }
    return grid;
}

/* As many rows as there is room for. */
static void write_failures(FILE *file, const struct checked *checked, const struct findings *findings)
{
    const size_t count = checked->check->by[VERDICT_FAILED], room = FAILURES_END - (size_t)ftell(file);
    size_t rows = count < LINES_MOST ? count : LINES_MOST;
    if (count == 0)
        return;
    char *table = markdown_grid_taken(failures(checked, findings, rows));
    while (strlen(table) > room && rows > 1) {
        free(table);
        table = markdown_grid_taken(failures(checked, findings, rows /= 2));
    }
    fprintf(file, "\n%s", table);
    free(table);
    if (rows < count)
        fprintf(file, "\n%zu failures more are not shown; `--json` and `--junit` have them all.\n", count - rows);
}

struct list {
    FILE *file;
    size_t end; /* of the file, in bytes */
    size_t lines, left_out;
};

/* Takes the head, which is written as it is; the texts up to a NULL are cut. */
static void list_line(struct list *list, char *head, const char *const *texts)
{
    OWNED char *line = NULL;
    size_t length;
    FILE *file = text_stream(&line, &length);
    fputs(head, file);
    for (; *texts; texts++)
        write_cut(file, *texts, TEXT_MOST);
    fclose(file);
    const bool fits = list->lines < LINES_MOST && (size_t)ftell(list->file) + length <= list->end;
    if (fits)
        fprintf(list->file, "%s\n", line);
    list->lines += fits;
    list->left_out += !fits;
    free(head);
}

static void list_end(const struct list *list)
{
    if (list->left_out > 0)
        fprintf(list->file, "- and %zu lines more\n", list->left_out);
}

static void list_gaps(struct list *list, const struct told_gap *gaps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *const texts[] = {gaps[i].about, ": ", gaps[i].said, NULL};
        list_line(list, text_made("- "), texts);
    }
}

static void list_allowances(struct list *list, const struct checked *checked, const struct findings *findings,
                            enum allowance_state state)
{
    for (size_t i = 0; i < checked->check->limits->allowance_count; i++) {
        const struct told_allowance *told = &findings->allowances[i];
        const char *const texts[] = {told->place, ": ", told->about, ", ", told->until, NULL};
        if (told->state == state)
            list_line(list, text_made("- %s: ", allowance_words[state]), texts);
    }
}

static void list_groups(struct list *list, const struct checked *checked, const struct findings *findings,
                        enum verdict verdict)
{
    FREED_BY(finding_groups_free) struct finding_groups groups = {0};
    finding_groups_make(checked, findings, verdict, 0, &groups);
    for (size_t i = 0; i < groups.count; i++) {
        const struct finding_group *group = &groups.list[i];
        const char *const example = verdict == VERDICT_ALLOWED ? ": " : NULL;
        const char *const texts[] = {group->place,           ": ",   group->text,          example,
                                     group->subject->method, " on ", group->subject->name, ": ",
                                     group->finding->said,   NULL};
        list_line(list, text_made("- %zu series: ", group->count), texts);
    }
}

static void write_allowed(FILE *file, const struct checked *checked, const struct findings *findings)
{
    struct list list = {.file = file, .end = FOLDED_MOST};
    list_groups(&list, checked, findings, VERDICT_ALLOWED);
    list_allowances(&list, checked, findings, ALLOWANCE_UNUSED);
    list_end(&list);
}

static void write_skipped(FILE *file, const struct checked *checked, const struct findings *findings)
{
    struct list list = {.file = file, .end = FOLDED_MOST};
    list_groups(&list, checked, findings, VERDICT_SKIPPED);
    list_end(&list);
    if (findings->unruled > 0)
        fprintf(file, "- %zu series: no rule covers them\n", findings->unruled);
}

static void write_folded(FILE *file, const struct checked *checked, const struct findings *findings, const char *title,
                         void (*write)(FILE *file, const struct checked *checked, const struct findings *findings))
{
    OWNED char *text = NULL;
    size_t length;
    FILE *part = text_stream(&text, &length);
    write(part, checked, findings);
    fclose(part);
    fprintf(file, "\n<details><summary>%s</summary>\n\n%s\n</details>\n", title, text);
}

static void write_head(FILE *file, const struct checked *checked, const struct findings *findings)
{
    fprintf(file, "%s\n## ulpscope check: %s, ", MARKER,
            verdict_words[findings_pass(checked) ? VERDICT_PASSED : VERDICT_FAILED]);
    write_cut(file, checked->run, TEXT_MOST);
    if (findings->own)
        fprintf(file, "\n\nNote: %s.", findings->own);
    fprintf(file, "\n\n%s.\n", findings->sentence);
    if (checked->check->expired + findings->gap_count + findings->warning_count > 0)
        fputc('\n', file);
    struct list list = {.file = file, .end = EXPIRED_END};
    list_gaps(&list, findings->gaps, findings->gap_count);
    list_gaps(&list, findings->warnings, findings->warning_count);
    list_allowances(&list, checked, findings, ALLOWANCE_EXPIRED);
    list_end(&list);
}

static void write_all(FILE *file, const struct checked *checked, const struct findings *findings)
{
    const struct check *check = checked->check;
    write_head(file, checked, findings);
    write_failures(file, checked, findings);
    if (check->by[VERDICT_ALLOWED] + findings->unused > 0)
        write_folded(file, checked, findings, "Allowed", write_allowed);
    if (check->by[VERDICT_SKIPPED] + findings->unruled > 0)
        write_folded(file, checked, findings, "Skipped", write_skipped);
}

char *check_markdown(const struct checked *checked, const struct findings *findings)
{
    char *whole;
    size_t length;
    FILE *file = text_stream(&whole, &length);
    write_all(file, checked, findings);
    fclose(file);
    return whole;
}

static enum status markdown_write(const struct checked *checked, const char *path)
{
    FREED_BY(findings_free) struct findings findings = {0};
    struct output out;
    findings_make(checked, &findings);
    OWNED char *text = check_markdown(checked, &findings);
    TRY(output_open(&out, path));
    fputs(text, out.file);
    return output_close(&out);
}

const struct check_output check_output_markdown = {
    .id = "markdown",
    .option = "markdown",
    .argument = "FILE",
    .summary = "a comment on a pull request, at most 60,000 bytes",
    .write = markdown_write,
};
