/* github: annotations of a workflow, and the summary of its job.
 *
 *   ::error file=limits.yaml,line=4,title=FAIL kahan/serial on uniform%3An=1024%2C ...::ulp_error max 12.3 ulp
 * ...%0A...
 *
 * GitHub shows at most 10 errors and 10 warnings of a step; of more the last says how many.  The comment's Markdown is
 * appended to the file that GITHUB_STEP_SUMMARY names.
 */
#include "src/files/output.h"
#include "src/gate/findings/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { SHOWN = 10, TITLE_MOST = 250 };

/* The runner takes these for ends: a percent sign begins an escape, a line break ends the command, and a colon or a
 * comma ends a property. */
static void write_escaped(FILE *file, const char *text, bool is_property)
{
    for (; *text; text++) {
        const bool is_escaped = strchr("%\r\n", *text) || (is_property && strchr(":,", *text));
        fprintf(file, is_escaped ? "%%%02X" : "%c", (unsigned char)*text);
    }
}

/* Annotations of a kind, of which the first are written. */
struct annotations {
    FILE *file;
    const char *command; /* "error" */
    const char *limits;  /* the file that they point into; "-" is none */
    size_t all;          /* how many there will be */
    size_t written;      /* of them */
};

/* `line` 0: of no line. */
static void write_annotation(const struct annotations *annotations, size_t line, const char *title, const char *message)
{
    FILE *file = annotations->file;
    OWNED char *cut = cut_text(title, TITLE_MOST);
    fprintf(file, "::%s ", annotations->command);
    if (line > 0 && strcmp(annotations->limits, "-") != 0) {
        fputs("file=", file);
        write_escaped(file, annotations->limits, true);
        fprintf(file, ",line=%zu,", line);
    }
    fputs("title=", file);
    write_escaped(file, cut, true);
    fputs("::", file);
    write_escaped(file, message, false);
    fputc('\n', file);
}

/* Writes it if there is room for one of its own; takes the texts. */
static void annotate(struct annotations *annotations, size_t line, char *title, char *message)
{
    const size_t room = annotations->all <= SHOWN ? SHOWN : SHOWN - 1;
    if (annotations->written < room) {
        write_annotation(annotations, line, title, message);
        annotations->written++;
    }
    free_all(title, message);
}

/* The last says how many others there are. */
static void annotate_rest(const struct annotations *annotations)
{
    char message[128];
    if (annotations->all == annotations->written)
        return;
    snprintf(message, sizeof message, "and %zu more: the summary of the job lists them, --json has them all",
             annotations->all - annotations->written);
    write_annotation(annotations, 0, "ulpscope check", message);
}

static void annotate_failure(struct annotations *errors, const struct subject *subject)
{
    struct text message = {0};
    for (size_t k = 0; k < subject->count && subject->list[k].finding->verdict == VERDICT_FAILED; k++)
        text_append(&message, "%s%s", k > 0 ? "\n" : "", subject->list[k].said);
    if (subject->cause)
        text_append(&message, "\n%s", subject->cause);
    if (subject->rerun)
        text_append(&message, "\nrerun: %s", subject->rerun);
    annotate(errors, subject->list[0].finding->rule->line,
             text_made("%s %s on %s", verdict_words[VERDICT_FAILED], subject->method, subject->name),
             text_take(&message));
}

static void annotate_failures(struct annotations *errors, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->subjects[i].verdict == VERDICT_FAILED)
            annotate_failure(errors, &findings->subjects[i]);
}

static void annotate_gaps(struct annotations *annotations, const struct told_gap *gaps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        annotate(annotations, gaps[i].line, text_made("not checked: %s", gaps[i].about), text_made("%s", gaps[i].said));
}

static void annotate_allowances(struct annotations *annotations, const struct checked *checked,
                                const struct findings *findings, enum allowance_state state)
{
    for (size_t i = 0; i < checked->check->limits->allowance_count; i++) {
        const struct told_allowance *told = &findings->allowances[i];
        if (told->state == state)
            annotate(annotations, checked->check->limits->allowances[i].line,
                     text_made("%s allowance: %s", allowance_words[state], told->about),
                     text_made("%s, %s", told->about, told->until));
    }
}

static void write_errors(struct annotations *errors, const struct checked *checked, const struct findings *findings)
{
    errors->all = findings->gap_count + findings->by[VERDICT_FAILED] + checked->check->expired;
    annotate_gaps(errors, findings->gaps, findings->gap_count);
    annotate_failures(errors, findings);
    annotate_allowances(errors, checked, findings, ALLOWANCE_EXPIRED);
    annotate_rest(errors);
}

static void write_annotations(FILE *file, const struct checked *checked, const struct findings *findings,
                              const char *limits)
{
    struct annotations errors = {.file = file, .command = "error", .limits = limits};
    struct annotations warnings = {
        .file = file, .command = "warning", .limits = limits, .all = findings->unused + findings->warning_count};
    const struct annotations notices = {.file = file, .command = "notice", .limits = limits};
    if (findings->own)
        write_annotation(&notices, 0, "ulpscope check: no code of yours", findings->own);
    write_errors(&errors, checked, findings);
    annotate_gaps(&warnings, findings->warnings, findings->warning_count);
    annotate_allowances(&warnings, checked, findings, ALLOWANCE_UNUSED);
    annotate_rest(&warnings);
    write_annotation(&notices, 0, "ulpscope check", findings->sentence);
}

static const char summary_variable[] = "GITHUB_STEP_SUMMARY";

static enum status not_in_full(const char *path, const char *why)
{
    return not_measured(
        "%s: the summary of the job was not written in full: %s; free some room, or unset GITHUB_STEP_SUMMARY", path,
        why);
}

/* Other steps write there as well: it is appended, in one write. */
static enum status append_summary(const char *path, const char *text)
{
    const size_t length = strlen(text);
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        const int cause = errno;
        return caused_by(
            cause, "GITHUB_STEP_SUMMARY: %s: cannot be written: %s; expected a file; unset it outside of a workflow",
            path, strerror(cause));
    }
    const ssize_t written = write(file, text, length);
    if (written != (ssize_t)length)
        TRY(not_in_full(path, written < 0 ? strerror(errno) : "the disk is full"));
    if (close(file) != 0)
        TRY(not_in_full(path, strerror(errno)));
    return OK;
}

static enum status github_write(const struct checked *checked, const char *path)
{
    const char *summary = getenv(summary_variable);
    FREED_BY(findings_free) struct findings findings = {0};
    struct output out;
    findings_make(checked, &findings);
    OWNED char *limits = clean_text(checked->check->limits->path), *text = check_markdown(checked, &findings);
    TRY(output_open(&out, path));
    write_annotations(out.file, checked, &findings, limits);
    TRY(output_close(&out));
    if (summary && *summary)
        TRY(append_summary(summary, text));
    return OK;
}

const struct check_output check_output_github = {
    .id = "github",
    .option = "github",
    .argument = NULL,
    .summary = "annotations of a GitHub workflow, and the summary of its job",
    .variable = summary_variable,
    .write = github_write,
};
