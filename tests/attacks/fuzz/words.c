/* Short texts of the command line and of files.  The first byte says which; a newline parts two texts. */
#include "fuzz.h"

#include "datasets/ordering.h"
#include "reports/report.h"
#include "src/base/clean_text.h"
#include "src/base/suggest.h"
#include "src/base/text.h"
#include "src/gate/baseline/baseline.h"
#include "src/gate/limits/limits.h"
#include "src/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 8 };

/* The lines of the text, which is cut up. */
static size_t cut_lines(char *text, char *lines[WORDS_MOST])
{
    size_t count = 0;
    for (char *line = text; line && count < WORDS_MOST; count++) {
        lines[count] = line;
        line = strchr(line, '\n');
        if (line)
            *line++ = '\0';
    }
    return count;
}

static void select_methods(char *text)
{
    char *globs[WORDS_MOST];
    struct study study = {0};
    const size_t count = cut_lines(text, globs);
    const enum status status = study_select_methods(&study, globs, count, "fuzz");
    fuzz_check((status == OK) == (study.method_count > 0), "a selection of no method");
    fuzz_check_words(status);
    study_free(&study);
}

static void name_method(char *text)
{
    const struct method *method = NULL;
    const enum status status = study_method_named(text, "fuzz", &method);
    char room[UNALIAS_SIZE];
    fuzz_check(status != OK || strcmp(method->id, method_unalias(text, room)) == 0,
               "another method than the one named");
    (void)study_names_methods(text);
    fuzz_check_words(status);
}

static void set_launches(char *text)
{
    char *sweeps[WORDS_MOST];
    struct study study = {0};
    const size_t count = cut_lines(text, sweeps);
    fuzz_check_words(study_set_launches(&study, sweeps[0], sweeps[count - 1], "fuzz"));
    for (size_t i = 0; i < study.launch_count; i++)
        fuzz_check(study.launches[i].blocks > 0 && study.launches[i].threads > 0, "a launch of nothing");
    study_free(&study);
}

/* The first two letters are metric and statistic. */
static void read_limit(char *text)
{
    if (strlen(text) < 2)
        return;
    struct limit limit;
    const int metric = (unsigned char)text[0] % GATE_METRICS;
    const enum gate_statistic statistic = (enum gate_statistic)((unsigned char)text[1] % GATE_STATISTICS);
    const enum status status = limit_read(text + 2, "fuzz", metric, statistic, &limit);
    fuzz_check_words(status);
    fuzz_check(status != OK || !(limit.number < 0), "a negative limit");
    free(limit.text);
}

static void read_target(char *text)
{
    struct target target = {0};
    const enum status status = target_read(text, "fuzz", &target);
    fuzz_check(status != OK || target.limit > 0, "a target of nothing");
    fuzz_check_words(status);
}

static void read_small(char *text)
{
    enum nonfinite nonfinite;
    struct date date;
    fuzz_check(!date_read(text, &date) || strcmp(date.text, text) == 0, "another day than the one written");
    fuzz_check_words(nonfinite_read(text, "fuzz", &nonfinite));
    fuzz_check_words(baseline_check_name(text));
    free(baseline_path(text, "baselines"));
}

static void read_series_name(char *text)
{
    struct baseline_series line = {0};
    if (baseline_name_read(text, &line)) {
        char *again = baseline_name(&line);
        fuzz_check(again && strcmp(again, text) == 0, "the name of a series is another");
        free(again);
    }
    free(line.method);
    free(line.data);
}

static void read_order(char *text)
{
    struct ordering ordering = {0}, again = {0};
    char wrong[WRONG_TEXT], written[ORDERING_TEXT];
    if (!ordering_read(text, &ordering, wrong))
        return;
    ordering_write(ordering, written);
    fuzz_check(ordering_read(written, &again, wrong) && again.kind == ordering.kind && again.seed == ordering.seed &&
                   again.further == ordering.further,
               "an order that is written is another");
}

/* One character of $'a\033b': octal, or what a backslash protects. */
static const char *dollar_character(const char *p, char *character)
{
    int digits = 0;
    *character = *p;
    if (*p != '\\')
        return p + 1;
    for (*character = 0; digits < 3 && p[1 + digits] >= '0' && p[1 + digits] <= '7'; digits++)
        *character = (char)(*character * 8 + p[1 + digits] - '0');
    if (digits > 0)
        return p + 1 + digits;
    fuzz_check(p[1] == '\\' || p[1] == '\'', "an escape of another kind");
    *character = p[1];
    return p + 2;
}

/* What a shell makes of the word: quotes are dropped, \' outside of them is '. */
static bool shell_reads(const char *quoted, const char *word)
{
    const bool dollar = *quoted == '$' && quoted[1] == '\'';
    bool inside = dollar;
    for (const char *p = quoted + (dollar ? 2 : 0); *p != '\0';) {
        char character = *p;
        if (*p == '\'') {
            inside = !inside;
            p++;
            continue;
        }
        if (dollar)
            p = dollar_character(p, &character);
        else if (!inside && *p == '\\')
            character = p[1], p += 2;
        else if (!inside && strchr(" \t\n\"$`&|;<>()*?[]#~!{}", *p))
            return false;
        else
            p++;
        if (character != *word++)
            return false;
    }
    return *word == '\0' && !inside;
}

static void quote_word(char *text)
{
    struct text quoted = {0};
    text_append_shell_word(&quoted, text);
    char *taken = text_take(&quoted);
    fuzz_check(taken && *taken != '\0' && shell_reads(taken, text), "a shell reads another word");
    free(taken);
}

static void clean_word(char *text)
{
    char *clean = clean_text(text), *again = clean ? clean_text(clean) : NULL;
    fuzz_check(clean && again && is_clean_text(clean) && strcmp(clean, again) == 0, "what was cleaned is not clean");
    for (const char *p = clean; *p != '\0'; p++)
        fuzz_check((unsigned char)*p >= ' ' && *p != 0x7f, "a clean text has a control character");
    fuzz_check(text_width(clean) <= strlen(clean), "a text wider than its bytes");
    free(clean);
    free(again);
}

static void suggest_word(char *text)
{
    static const char *const known[] = {"kahan/serial", "serial", "neumaier", "uniform", "n"};
    fuzz_suggests = true;
    (void)suggest(text, known, sizeof known / sizeof *known);
    fuzz_suggests = false;
}

static void one(const char *bytes, size_t size)
{
    static void (*const readers[])(char *) = {select_methods, name_method, set_launches,     read_limit,
                                              read_target,    read_small,  read_series_name, read_order,
                                              quote_word,     clean_word,  suggest_word};
    enum { READERS = sizeof readers / sizeof *readers };
    if (size == 0)
        return;
    char *text = fuzz_text(bytes + 1, size - 1);
    readers[(unsigned char)(*bytes - '0') % READERS](text);
    free(text);
}

/* '0' + the reader's number. */
static const struct fuzz_seed seeds[] = {
    SEED("0kahan/*\n!*/serial"),
    SEED("0*[a-z]*[!b]*?*"),
    SEED("1naive"),
    SEED("2uniform*\n!gensum*"),
    SEED("31..1024*2\n64"),
    SEED("3120\n32..1024*2"),
    SEED("4001.5ulp"),
    SEED("4104u"),
    SEED("4200.1 %"),
    SEED("430bound * 0.5"),
    SEED("440baseline*1.1"),
    SEED("450auto"),
    SEED("52ulp"),
    SEED("51e-6"),
    SEED("62027-03-01"),
    SEED("6skip"),
    SEED("7kahan/serial uniform:n=1024 120x256 replay #2"),
    SEED("8shuffled:1..9"),
    SEED("9it's $HOME"),
    SEED(":a\tb\xff\xe2\x80\xae"),
    SEED(";kahn"),
    {0},
};
const struct fuzz_family fuzz_words = {.one = one, .seeds = seeds};
