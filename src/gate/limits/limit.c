/* One limit, from its text (src/base/limit_text.h) to a number in the unit of the metric, and the words for what it is
 * about.  u is that of binary32; rule_judge.c takes the u of each series.
 *
 * A limit that no summation could keep, or that none could break, is refused with the reason.
 */
#include "limits.h"
#include "src/base/limit_text.h"
#include "src/base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <time.h>

const char *const gate_metric_names[GATE_METRICS] = {
#define METRIC(id, summarised, unit, meaning) [METRIC_##id] = #id,
#include "src/measure/metrics.def"
    [GATE_BITS] = "bits",
    [GATE_SPREAD] = "spread",
    [GATE_NONFINITE] = "nonfinite",
};

const char *const gate_statistic_names[GATE_STATISTICS] = {
    [GATE_MAX] = "max", [GATE_P99] = "p99", [GATE_P50] = "p50", [GATE_MEAN] = "mean", [GATE_COUNT] = "count"};

/* What a limit may be about: a metric, by its number, or how many sums have an error. */
enum { COUNT_OF_SUMS = GATE_METRICS, SUBJECTS };

static int subject_of(int metric, enum gate_statistic statistic)
{
    return metric < METRICS && statistic == GATE_COUNT ? COUNT_OF_SUMS : metric;
}

const char *gate_unit(int metric, enum gate_statistic statistic)
{
    static const char *const units[SUBJECTS] = {
        [GATE_BITS] = "", [GATE_SPREAD] = "ulp", [GATE_NONFINITE] = "sums", [COUNT_OF_SUMS] = "sums"};
    const int subject = subject_of(metric, statistic);
    return subject < METRICS ? metric_table[subject].unit : units[subject];
}

bool limit_is_in_u(const struct limit *limit)
{
    return limit->unit && strcmp(limit->unit, "u") == 0;
}

static bool is_in_ulp(int subject)
{
    return subject == GATE_SPREAD || (subject < METRICS && strcmp(metric_table[subject].unit, "ulp") == 0);
}

/* ---- what is refused ---- */

enum { WRONG_SIZE = 512, HINT_SIZE = 64 };

struct reading {
    const char *text, *where;
    int metric, subject;
    enum gate_statistic statistic;
    struct limit *limit; /* its kind and number are set */
};

/* As the end of "limits.yaml:3: limit "2u" of ulp_error max". */
__attribute__((format(printf, 2, 3))) static enum status refuse(const struct reading *reading, const char *format, ...)
{
    char wrong[WRONG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wrong, sizeof wrong, format, arguments);
    va_end(arguments);
    const bool has_statistic = reading->metric < METRICS;
    complain("%s: limit \"%s\" of %s%s%s %s", reading->where, reading->text, gate_metric_names[reading->metric],
             has_statistic ? " " : "", has_statistic ? gate_statistic_names[reading->statistic] : "", wrong);
    return BAD_INPUT;
}

/* What is expected of a limit. */
static const char *takes(const struct reading *reading)
{
#define AN_ERROR(number) "a number" number ", baseline*X, bound*X or auto"
    static const char *const expected[SUBJECTS] = {
        [METRIC_bound_ratio] = "a number up to 1 like 0.5 or 50%, baseline*X or auto",
        [GATE_SPREAD] = AN_ERROR(" of ulp like 0 or 1.5ulp"),
        [GATE_NONFINITE] = "a whole number of sums like 0, baseline*X or auto",
        [COUNT_OF_SUMS] = "a whole number of sums like 100",
    };
    if (expected[reading->subject])
        return expected[reading->subject];
    return is_in_ulp(reading->subject) ? AN_ERROR(" of ulp like 1.5ulp") : AN_ERROR(" like 4u, 0.1% or 0x1p-20");
#undef AN_ERROR
}

/* "; did you mean "ulp"?", or nothing. */
static const char *hint(const char *word, const char *const *known, size_t count, char text[HINT_SIZE])
{
    const char *near = suggest(word, known, count);
    snprintf(text, HINT_SIZE, "%s%s%s", near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return text;
}

#define WRITE_BITS "if every sum is to be correctly rounded, write {metric: bits, same: exact}"

static enum status refuse_half_an_ulp(const struct reading *reading, const char *least)
{
    return refuse(reading,
                  "is below half an ulp, which a correctly rounded sum may be off by already; expected at least "
                  "%s; " WRITE_BITS,
                  least);
}

static const double U_BINARY32 = 0x1p-24, U_BINARY64 = 0x1p-53;

/* Numbers that no summation could keep, and those that none could break.  The median and the mean of correctly rounded
 * sums are below half an ulp; their largest errors are not, nor is the distance of two results that differ. */
static enum status check_number(const struct reading *reading)
{
    const double number = reading->limit->number;
    const bool of_the_worst = reading->statistic == GATE_MAX || reading->statistic == GATE_P99;
    if (reading->subject == GATE_SPREAD && number > 0 && number < 0.5)
        return refuse(reading, "is less than two results near s can differ by; expected at least 0.5ulp, or 0: all "
                               "results of one data set are the same");
    if (reading->subject == GATE_SPREAD)
        return OK;
    if (reading->subject == METRIC_ulp_error && of_the_worst && number < 0.5)
        return refuse_half_an_ulp(reading, "0.5ulp");
    if (reading->subject == METRIC_relative_error && of_the_worst &&
        number < (limit_is_in_u(reading->limit) ? U_BINARY32 : U_BINARY64))
        return refuse_half_an_ulp(reading, limit_is_in_u(reading->limit) ? "1u" : "2^-53, 1u of binary64");
    if (number == 0)
        return refuse(reading, "is 0, which one rounding exceeds; expected %s; " WRITE_BITS, takes(reading));
    if (reading->subject == METRIC_bound_ratio && number > 1)
        return refuse(reading, "gates nothing: theory forbids a ratio above 1, and one is a bug in the code or in "
                               "the theorem; expected at most 1");
    return OK;
}

/* ---- words: auto, bound*X, baseline*X ---- */

static const enum limit_kind kinds[FORMS] = {
    [FORM_AUTO] = LIMIT_AUTO, [FORM_BOUND] = LIMIT_BOUND, [FORM_BASELINE] = LIMIT_BASELINE};

static const struct {
    enum limit_kind kind;
    int subject;
    const char *why;
} senseless[] = {
    {LIMIT_BOUND, METRIC_bound_ratio, "is a share of a share: bound_ratio is error / bound already; write limit: X"},
    {LIMIT_BOUND, GATE_NONFINITE, "asks for a bound on errors, and nonfinite is a number of sums"},
    {LIMIT_BOUND, COUNT_OF_SUMS, "asks for a bound on errors, and count is a number of sums"},
    {LIMIT_AUTO, COUNT_OF_SUMS, "asks for a theory, and none says how many sums there are"},
    {LIMIT_BASELINE, COUNT_OF_SUMS,
     "is needless: whatever is compared with a baseline must have as many sums as it anyway"},
};

static enum status check_form(const struct reading *reading, enum limit_kind kind)
{
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++)
        if (senseless[i].kind == kind && senseless[i].subject == reading->subject)
            return refuse(reading, "%s; expected %s", senseless[i].why, takes(reading));
    return OK;
}

static enum status unknown_word(const struct reading *reading)
{
    char word[HINT_SIZE], near[HINT_SIZE];
    size_t length = 0;
    while (length < HINT_SIZE - 1 && isalpha((unsigned char)reading->text[length]))
        length++;
    snprintf(word, sizeof word, "%.*s", (int)length, reading->text);
    return refuse(reading, "is neither a number nor a known word; expected %s%s", takes(reading),
                  hint(word, &limit_words[FORM_AUTO], FORMS - FORM_AUTO, near));
}

/* The word of a tree behind auto, of what is divided by sum |x_i| or can be. */
static enum status read_tree(const struct reading *reading, const char *text, struct tree_word *tree)
{
    char why[TREE_WHY_SIZE];
    if (reading->subject >= METRICS)
        return refuse(reading, "has a tree, which bounds errors; expected %s", takes(reading));
    return tree_word_read(text, tree, why) ? OK : refuse(reading, "names no tree: %s", why);
}

/* auto, or a word and "*X". */
static enum status read_form(const struct reading *reading, const struct limit_text *read, enum limit_fault fault)
{
    const bool has_factor = read->form != FORM_AUTO;
    if (fault == LIMIT_UNKNOWN_WORD)
        return unknown_word(reading);
    if (read->form == FORM_EXACT)
        return refuse(reading, "is of bits; expected %s; " WRITE_BITS, takes(reading));
    TRY(check_form(reading, kinds[read->form]));
    struct tree_word tree = {0};
    if (read->tree)
        TRY(read_tree(reading, read->tree, &tree));
    if (fault == LIMIT_WRONG_FACTOR)
        return refuse(reading, "has \"%.40s\" after %s; expected %s%s", read->rest, limit_words[read->form],
                      has_factor ? "*X with a number X above 0, without unit" : "nothing",
                      has_factor ? "" : "; write bound*X for a share of what theory promises");
    if (read->form == FORM_BOUND && read->number > 1)
        return refuse(reading, "gates nothing: theory forbids an error above the bound, and one is a bug in the "
                               "code or in the theorem; expected at most bound*1");
    *reading->limit = (struct limit){.kind = kinds[read->form], .number = read->number, .tree = tree};
    if (reading->subject == GATE_NONFINITE && read->form == FORM_AUTO)
        *reading->limit = (struct limit){.kind = LIMIT_NUMBER, .number = 0};
    return OK;
}

/* ---- numbers and their units ---- */

/* So many of a unit are 1. */
static const double parts_of[FORMS] = {[FORM_ULP] = 1, [FORM_U] = 0x1p24, [FORM_PERCENT] = 100, [FORM_ABS] = 1};

/* ulp is of what is measured in ulps; abs of backward errors; the others are of quotients, but u of no share. */
static bool has_unit(int subject, enum limit_form unit)
{
    if (is_in_ulp(subject) || subject >= METRICS)
        return is_in_ulp(subject) && unit == FORM_ULP;
    if (unit == FORM_ABS)
        return subject == METRIC_backward_error;
    return metric_table[subject].summarised && unit != FORM_ULP && !(unit == FORM_U && subject == METRIC_bound_ratio);
}

static enum status unknown_unit(const struct reading *reading, const char *text)
{
    char near[HINT_SIZE];
    return refuse(reading, "has the unknown unit \"%.40s\"; expected %s%s", text, takes(reading),
                  hint(text, limit_words, FORM_NUMBER, near));
}

static enum status unit_of_others(const struct reading *reading, enum limit_form unit)
{
    struct text others = {0};
    for (int metric = 0; metric < GATE_METRICS; metric++)
        if (has_unit(metric, unit))
            text_append(&others, "%s%s", others.text ? ", " : "", gate_metric_names[metric]);
    OWNED char *names = text_take(&others);
    return refuse(reading, "has the unit of other metrics (%s: %s); expected %s", limit_words[unit], names,
                  takes(reading));
}

static enum status convert(const struct reading *reading, enum limit_form unit)
{
    if (unit == FORM_NUMBER)
        return OK;
    if (!has_unit(reading->subject, unit))
        return unit_of_others(reading, unit);
    reading->limit->number /= parts_of[unit];
    if (parts_of[unit] != 1) {
        reading->limit->unit = limit_words[unit];
        reading->limit->parts = parts_of[unit];
    }
    return OK;
}

/* What is wrong with the text as a number. */
static const char *wrong_number(const char *text)
{
    char *end;
    double number;
    errno = 0;
    const bool vanishes = strtod(text, &end) == 0 && errno == ERANGE;
    OWNED char *copy = text_made("%.*s", (int)(end - text), text);
    const char *wrong = vanishes ? "is below binary64 (least 0x1p-1074)" : read_real(copy, &number);
    return wrong ? wrong : "is negative";
}

static enum status read_quantity(const struct reading *reading, const struct limit_text *read, enum limit_fault fault)
{
    if (fault == LIMIT_NO_NUMBER)
        return refuse(reading, "%s; expected %s", wrong_number(reading->text), takes(reading));
    if (fault == LIMIT_UNKNOWN_UNIT)
        return unknown_unit(reading, read->rest);
    reading->limit->number = read->number;
    TRY(convert(reading, read->form));
    return check_number(reading);
}

static enum status read_number_of_sums(const struct reading *reading)
{
    uint64_t sums;
    const char *wrong = read_size(reading->text, &sums);
    if (!wrong && sums > UINT64_C(1) << 53)
        wrong = "is above 2^53";
    if (!wrong && sums == 0 && reading->subject == COUNT_OF_SUMS)
        wrong = "is 0, which a run without sums keeps";
    if (wrong)
        return refuse(reading, "%s; expected %s", wrong, takes(reading));
    reading->limit->number = (double)sums;
    return OK;
}

enum status limit_read(const char *text, const char *where, int metric, enum gate_statistic statistic,
                       struct limit *limit)
{
    const struct reading reading = {text, where, metric, subject_of(metric, statistic), statistic, limit};
    struct limit_text read;
    const enum limit_fault fault = limit_text_read(text, &read);
    *limit = (struct limit){.kind = LIMIT_NUMBER};
    if (metric == GATE_BITS)
        return refuse(&reading, "is a number, and bits are the same or not; expected same: exact or same: baseline");
    if (metric < METRICS && !metric_table[metric].summarised)
        return refuse(&reading, "is of a metric without statistics; expected another metric");
    if (isalpha((unsigned char)*text))
        TRY(read_form(&reading, &read, fault));
    else if (reading.subject == GATE_NONFINITE || reading.subject == COUNT_OF_SUMS)
        TRY(read_number_of_sums(&reading));
    else
        TRY(read_quantity(&reading, &read, fault));
    limit->text = memory_copy(text);
    return OK;
}

double gate_value(const struct series *series, int metric, enum gate_statistic statistic)
{
    if (statistic == GATE_COUNT && metric < METRICS)
        return (double)series->defined[metric];
    switch (metric) {
    case GATE_BITS:
        return (double)series->not_nearest;
    case GATE_SPREAD:
        return series->spread;
    case GATE_NONFINITE:
        return (double)wrong_nonfinite(series);
    default: {
        const struct statistics *of = &series->statistics[metric];
        const double values[GATE_COUNT] = {
            [GATE_MAX] = of->max, [GATE_P99] = of->p99, [GATE_P50] = of->p50, [GATE_MEAN] = of->mean};
        return values[statistic];
    }
    }
}

/* ---- days ---- */

static struct date date_of(const struct tm *day)
{
    struct date date = {""};
    strftime(date.text, sizeof date.text, "%F", day);
    return date;
}

/* strptime takes "2027-3-1" and timegm makes a day of March of 2027-02-30: neither is written as it was read.
 * "27-03-01" is, a day of the year 27. */
bool date_read(const char *text, struct date *date)
{
    struct tm day = {0};
    if (!strptime(text, "%F", &day))
        return false;
    timegm(&day);
    *date = date_of(&day);
    return strlen(text) == sizeof date->text - 1 && strcmp(date->text, text) == 0;
}

bool date_is_after(struct date date, struct date other)
{
    return strcmp(date.text, other.text) > 0;
}

struct date date_today(void)
{
    const time_t now = time(NULL);
    struct tm day = {0}; /* which a clock beyond all years leaves as it is */
    (void)gmtime_r(&now, &day);
    return date_of(&day);
}
