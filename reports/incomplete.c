#include "incomplete.h"

static bool is_incomplete(const struct results *results)
{
    return results->cases < results->study.cases;
}

bool report_is_incomplete(const struct report *report)
{
    for (size_t r = 0; r < report->run_count; r++)
        if (is_incomplete(&report->runs[r]))
            return true;
    return false;
}

static void count_text(const struct results *results, char *text, size_t size)
{
    snprintf(text, size, "%" PRIu64 " of %" PRIu64, results->cases, results->study.cases);
}

char *incomplete_sentence(const struct report *report)
{
    struct text text = {0};
    char count[48], letters[RUN_LETTERS];
    for (size_t r = 0; r < report->run_count; r++) {
        run_letters(r, letters);
        if (!is_incomplete(&report->runs[r]))
            continue;
        count_text(&report->runs[r], count, sizeof count);
        text_append(&text, "%sIncomplete: %s data sets%s%s were summed.", text.length > 0 ? " " : "", count,
                    report->run_count > 1 ? " of " : "", report->run_count > 1 ? letters : "");
    }
    return text_take(&text);
}

void incomplete_on_terminal(const struct report *report, const struct terminal *terminal)
{
    OWNED char *sentence = incomplete_sentence(report);
    if (*sentence) {
        terminal_word(terminal, TONE_BAD, sentence);
        fputs("\n\n", terminal->file);
    }
}

void more_heads(const struct report *report, struct more_columns *heads)
{
    size_t count = 0;
    *heads = (struct more_columns){{NULL}, ""};
    if (report->run_count > 1)
        heads->list[count++] = "run";
    if (report_is_incomplete(report))
        heads->list[count] = "incomplete";
}

void more_cells(const struct report *report, size_t run, struct more_columns *cells)
{
    size_t count = 0;
    *cells = (struct more_columns){{NULL}, ""};
    if (is_incomplete(&report->runs[run]))
        count_text(&report->runs[run], cells->incomplete, sizeof cells->incomplete);
    if (report->run_count > 1)
        cells->list[count++] = report->names[run];
    if (report_is_incomplete(report))
        cells->list[count] = cells->incomplete;
}
