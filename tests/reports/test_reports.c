/* Reports do not lie: what they write is parsed back, and the numbers are the same. */
#include "reports/charts/apart_axis.h"
#include "reports/csv_field.h"
#include "reports/json_builder.h"
#include "reports/markdown_text.h"
#include "reports/outcome.h"
#include "reports/page/page.h"
#include "reports/report.h"
#include "reports/spec_labels.h"
#include "reports/terminal.h"
#include "src/base/clean_text.h"
#include "src/base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <math.h>
#include <nettle/base64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a small run by hand, with names and numbers that are hard to write down ---- */

static const char NASTY[] = "a<b&\"c\"]]> it's &#0; 2^{3} \xc3\xbc\xff\x01\n-- `x`";

static char serial[] = "plain/serial", tree[] = "kahan/tree_two_pass", plain[] = "plain", kahan[] = "kahan",
            serial_order[] = "serial", tree_order[] = "tree_two_pass", as_it_is[] = "as it is",
            left_to_right[] = "left to right", compensated[] = "compensated & <small>", a_tree[] = "a tree";
static char none[] = "";
static struct method_record methods[] = {
    {serial, plain, serial_order, as_it_is, left_to_right, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX,
     false, none, none},
    {tree, kahan, tree_order, compensated, a_tree, &FORMAT_BINARY32, OPERATION_sum, DETERMINISTIC, UINT64_MAX, false,
     none, none},
};
static char sweep_text[] = "uniform:n=1Ki..32Ki*32", small_text[] = "uniform:n=1024", large_text[] = "uniform:n=32768",
            uniform[] = "uniform", arguments[] = "-d x";
static struct spec_record sweep_specs[] = {{small_text, small_text, uniform, arguments, false},
                                           {large_text, large_text, uniform, arguments, false}};
static struct spec_record nasty_spec = {(char *)NASTY, (char *)NASTY, (char *)NASTY, (char *)NASTY, false};
static struct entry_record entries[] = {
    {.text = sweep_text, .specs = sweep_specs, .spec_count = 2, .trials = 10},
    {.text = (char *)NASTY, .specs = &nasty_spec, .spec_count = 1, .trials = 10},
};
static struct launch launches[] = {{120, 256}};
static char topic[] = "build", name[] = "C compiler",
            command[] = "ulpscope run -m plain/serial -d 'uniform:n=1024,x=1'";
static struct provenance_fact facts[] = {{topic, name, (char *)NASTY}};
static struct series series[6];
static struct results results = {
    .study = {.title = (char *)NASTY,
              .text = (char *)NASTY,
              .methods = methods,
              .method_count = 2,
              .launches = launches,
              .launch_count = 1,
              .entries = entries,
              .entry_count = 2,
              .seed = 1,
              .repeats = 1,
              .cases = 30},
    .cases = 30,
    .series = series,
    .series_count = 6,
    .facts = facts,
    .fact_count = 1,
};
static const char *const run_name = NASTY;
static const struct report report = {&results, &run_name, 1, {0}, 0};

static struct series ordinary(size_t entry, size_t method, const char *data)
{
    struct series one = {
        .entry = entry,
        .method = methods[method].id,
        .data = data,
        .n = 1024,
        .format = &FORMAT_BINARY32,
        .backend = BACKEND_OF(replay),
        .device = "host",
        .launch = {120, 256},
        .count = 10,
        .distinct_bits = 1,
        .median_condition = 1,
        .worst_ulp_error = 4.5,
        .worst_bits = 0x40490fdb,
        .worst_exact = "0x1.921fb6p+1",
        .worst_command = command,
    };
    one.classes[CLASS_FINITE] = 8;
    one.classes[CLASS_EXACT] = 2;
    for (int m = 0; m < METRICS; m++)
        one.statistics[m] = (struct statistics){0, 0.1, 1.0 / 3, 0x1.fffffffffffffp-25, 0x1.8p-20, 0x1p-1074};
    one.statistics[METRIC_ulp_error].max = 4.5;
    one.histogram.bin[-24 - HISTOGRAM_LEAST] = 7;
    one.histogram.bin[-20 - HISTOGRAM_LEAST] = 1;
    one.histogram.exact = 2;
    return one;
}

/* All four counts apart, and statistics that are no numbers. */
static struct series ill(size_t method, const char *data)
{
    struct series one = ordinary(1, method, data);
    memset(one.classes, 0, sizeof one.classes);
    one.classes[CLASS_EXACT] = 1, one.classes[CLASS_FINITE] = 4, one.classes[CLASS_ZERO_SUM] = 2;
    one.classes[CLASS_OVERFLOW] = 3;
    one.histogram = (struct histogram){.exact = 1, .no_digit = 4, .undefined = 2, .nonfinite = 3};
    one.statistics[METRIC_ulp_error].max = INFINITY;
    one.statistics[METRIC_bound_ratio] = (struct statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    one.worst_ulp_error = NAN;
    one.worst_bits = 0x7f800000;
    return one;
}

static int build(void **state)
{
    (void)state;
    series[0] = ordinary(0, 1, small_text); /* not in the order of the study: the reports put that right */
    series[1] = ordinary(0, 0, small_text);
    series[2] = ordinary(0, 1, large_text);
    series[3] = ordinary(0, 0, large_text);
    series[4] = ill(0, NASTY);
    series[5] = ordinary(1, 1, NASTY);
    series[5].count = 0; /* zero counts */
    series[5].histogram = (struct histogram){0};
    memset(series[5].classes, 0, sizeof series[5].classes);
    return 0;
}

/* ---- writing into a folder and reading back ---- */

static char folder[] = "/tmp/test_reports.XXXXXX";

static char *in_folder(const char *file)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', file) >= 0);
    fclose(file);
    return text;
}

static char *written(const char *format)
{
    char *path = in_folder(format);
    assert_int_equal(report_find(format)->write(&report, path), OK);
    return slurp(path);
}

/* What a function prints, as text. */
static char *printed(void (*print)(FILE *file))
{
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    print(file);
    fclose(file);
    return text;
}

static size_t entries_of(const char *path)
{
    size_t count = 0;
    DIR *list = opendir(path);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

/* NULL when it is not well-formed. */
static xmlDocPtr parsed(const char *text)
{
    return xmlReadMemory(text, (int)strlen(text), "report", NULL,
                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
}

static double xpath_number(xmlDocPtr document, const char *expression)
{
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEval(BAD_CAST expression, context);
    assert_non_null(found);
    const double number = xmlXPathCastToNumber(found);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return number;
}

static char *xpath_text(xmlDocPtr document, const char *expression)
{
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEval(BAD_CAST expression, context);
    assert_non_null(found);
    char *text = (char *)xmlXPathCastToString(found);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return text;
}

/* ---- the table of formats, and words ---- */

static void every_format_is_found_by_its_id(void **state)
{
    (void)state;
    size_t count;
    const struct report_format *const *formats = report_formats(&count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(report_find(formats[i]->id), formats[i]);
    assert_null(report_find("ps"));
}

static void what_acts_becomes_visible(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"a\tb\r\n", "a\\tb\\r\\n"},
        {"\xc3\xbc", "\xc3\xbc"},
        {"\xff", "\\xff"},
        {"\x1b[1m\x7f", "\\x1b[1m\\x7f"},
        {"\xc2\x9b", "\\u009b"},             /* a C1 control */
        {"\xc0\x80", "\\xc0\\x80"},          /* overlong */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* a surrogate */
        {"\xe2\x82", "\\xe2\\x82"},          /* cut off */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"\xe2\x80\xae", "\\u202e"}, /* turns the direction: U+202E, U+2066 */
        {"\xe2\x81\xa6", "\\u2066"},
        {"\xe2\x80\xaf", "\xe2\x80\xaf"}, /* the twin: a narrow blank, U+202F */
        {"\xef\xbf\xbe", "\\ufffe"},
        {"\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81"}, /* a tag, which nobody sees */
        {"::error::x", "\\x3a:error::x"},
        {"a ::error::x", "a \\x3a:error::x"},
        {"a##[error]#x", "a\\x23#[error]#x"},
        {"std::sum ##", "std::sum ##"}, /* the twin */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *clean = clean_text(pairs[i][0]), *again = clean_text(clean);
        assert_string_equal(clean, pairs[i][1]);
        assert_string_equal(again, clean);
        assert_true(is_clean_text(clean));
        assert_int_equal(is_clean_text(pairs[i][0]), strcmp(clean, pairs[i][0]) == 0);
        free(again);
        free(clean);
    }
}

static void a_width_is_in_letters(void **state)
{
    (void)state;
    assert_int_equal(text_width("a\xc3\xbc\xf0\x9f\x98\x80"), 3);
    assert_int_equal(text_width(""), 0);
}

static void labels_name_only_what_varies(void **state)
{
    (void)state;
    static const char *const specs[] = {"gensum:n=4096,cond=100", "gensum:n=4096,cond=1e+14",
                                        "gensum:n=4096,cond=32768"};
    static const char *const expected[] = {"1e2", "1e14", "32Ki"};
    static const char *const others[] = {"uniform:n=3", "a.npy"};
    char text[LABEL_TEXT];
    struct spec_labels labels = spec_labels_of(specs, 3);
    assert_int_equal(labels.columns, 1);
    assert_string_equal(labels.names[0], "cond");
    for (size_t s = 0; s < 3; s++) {
        spec_label(&labels, 0, s, text);
        assert_string_equal(text, expected[s]);
    }
    labels = spec_labels_of(others, 2);
    assert_string_equal(labels.names[0], "data");
    spec_label(&labels, 0, 1, text);
    assert_string_equal(text, "a.npy");
    assert_int_equal(spec_labels_of(specs, 1).columns, 0);
}

static void verdict_of(double ulp_error, double relative_error, double bound_ratio, const char *expected)
{
    const struct outcome outcome = {.count = 10,
                                    .classes = {[CLASS_FINITE] = 10},
                                    .distinct_bits = 1,
                                    .ulp_error = ulp_error,
                                    .relative_error = relative_error,
                                    .bound_ratio = bound_ratio};
    char text[OUTCOME_TEXT];
    outcome_verdict(&outcome, text);
    assert_string_equal(text, expected);
}

static void a_verdict_says_the_worst(void **state)
{
    (void)state;
    verdict_of(0.5, 0x1p-24, 1, "correctly rounded");
    verdict_of(0.50001, 1e-7, 1, "7 correct digits");
    verdict_of(0.50001, 0x1.ad7f29abcaf4ap-24, 1, "6 correct digits"); /* the next above 1e-7 */
    verdict_of(1e6, 0.1, 1, "1 correct digit");
    verdict_of(1e6, 0.99, 1, "under 1 correct digit");
    verdict_of(0.5, 0x1p-24, 1.0000001, "ABOVE ITS BOUND");
    struct outcome outcome = outcome_of_nothing();
    char text[OUTCOME_TEXT];
    outcome_add(&outcome, &series[4]);
    assert_int_equal(outcome_verdict(&outcome, text), TONE_BAD);
    assert_string_equal(text, "overflow");
}

static void share_of(uint64_t count, double bound_ratio, const char *expected, enum tone tone)
{
    const struct outcome outcome = {.count = count, .classes = {[CLASS_FINITE] = count}, .bound_ratio = bound_ratio};
    char text[OUTCOME_TEXT];
    assert_int_equal(outcome_share(&outcome, text), tone);
    assert_string_equal(text, expected);
}

static void a_share_tells_no_claim_from_no_sum(void **state)
{
    (void)state;
    share_of(10, 0.5, "50.0 %", TONE_PLAIN);
    share_of(10, 1e-9, "< 0.001 %", TONE_PLAIN);
    share_of(10, NAN, "no claim", TONE_PLAIN);
    share_of(0, NAN, "-", TONE_PLAIN);
    share_of(10, INFINITY, "inf %", TONE_BAD); /* a finite bound, and the result is NaN */
    struct outcome outcome = outcome_of_nothing();
    char text[OUTCOME_TEXT];
    outcome_add(&outcome, &series[4]);
    outcome_share(&outcome, text);
    assert_string_equal(text, "no claim");
    outcome_add(&outcome, &series[3]); /* a claim beside none: the share of those that have one */
    outcome_share(&outcome, text);
    assert_string_equal(text, "< 0.001 %");
}

/* ---- groups: what is counted together ---- */

/* The sums that the tally of the group of a series counts for a method. */
static uint64_t tallied(size_t first, const char *method)
{
    struct group group;
    struct tally tally;
    uint64_t total = 0;
    group_make(&results, first, &group);
    tally_of_group(&group, &tally);
    for (size_t m = 0; m < tally.count; m++)
        total += strcmp(tally.methods[m], method) == 0 ? histogram_total(&tally.histograms[m]) : 0;
    tally_free(&tally);
    group_free(&group);
    return total;
}

static void a_tally_adds_up_specs(void **state)
{
    (void)state;
    assert_int_equal(tallied(0, methods[0].id), 20);
    assert_int_equal(tallied(0, methods[1].id), 20);
}

static void a_tally_keeps_launches_apart(void **state)
{
    (void)state;
    series[2].launch = series[3].launch = (struct launch){120, 512};
    assert_int_equal(tallied(0, methods[0].id), 10);
    assert_int_equal(tallied(2, methods[0].id), 10);
}

static void a_tally_keeps_backends_apart(void **state)
{
    (void)state;
    series[2].backend = series[3].backend = BACKEND_OF(cuda);
    assert_int_equal(tallied(0, methods[1].id), 10);
    assert_int_equal(tallied(2, methods[1].id), 10);
}

/* ---- CSV ---- */

static const char contract[] =
    "method,data,n,format,operation,seed,trial,backend,device,blocks,threads,repeat,computed,computed_bits,exact,"
    "nearest_bits,abs_error,relative_error,ulp_error,backward_error,condition,bound,bound_ratio,class";

static void write_header(FILE *file)
{
    csv_write_header(file, NULL);
}

static void csv_header_begins_with_the_contract(void **state)
{
    (void)state;
    char *text = printed(write_header);
    const char after = text[sizeof contract - 1];
    assert_memory_equal(text, contract, sizeof contract - 1);
    assert_true(after == '\n' || after == ',');
    free(text);
}

/* Columns of this name. */
static size_t columns_named(const char *header, const char *id)
{
    const size_t length = strlen(id);
    size_t count = 0;
    for (const char *at = header; (at = strstr(at, id)); at += length)
        count += (at == header || at[-1] == ',') && strchr(",\n", at[length]);
    return count;
}

/* The number of every other metric is written too; see csv_rows_have_a_field_a_column. */
static void csv_has_a_column_for_every_metric(void **state)
{
    (void)state;
    char *text = printed(write_header);
    for (int m = 0; m < METRICS; m++)
        assert_int_equal(columns_named(text, metric_table[m].id), 1);
    assert_int_equal(columns_named(text, "error"), 0); /* the twin: part of a name is no column */
    free(text);
}

static void print_fields(FILE *file)
{
    static const char *const fields[] = {"plain",  "a,b", "say \"so\"", "two\nlines", " blank",
                                         "blank ", "",    "it's",       "=1+1",       "@x",
                                         "-1+1",   "-a1", "-0x1.8p-3",  "+1e+5",      "-inf"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        csv_text(file, i == 0 ? "" : ",", fields[i]);
}

static void csv_quotes_only_what_it_must(void **state)
{
    (void)state;
    char *text = printed(print_fields);
    assert_string_equal(text, "plain,\"a,b\",\"say \"\"so\"\"\",two\\nlines,\" blank\",\"blank \",,it's,"
                              "'=1+1,'@x,'-1+1,'-a1,-0x1.8p-3,+1e+5,-inf");
    free(text);
}

static struct result row = {
    .method = "plain/serial",
    .data = "gensum:n=4096,cond=1e8",
    .n = 4096,
    .format = &FORMAT_BINARY32,
    .operation = OPERATION_sum,
    .seed = 5000000001,
    .trial = 7,
    .backend = BACKEND_OF(cuda),
    .device = "NVIDIA H200, 0",
    .launch = {120, 256},
    .repeat = 2,
    .weight = 1,
    .computed = (double)0.1f,
    .computed_bits = 0x3dcccccd,
    .exact = "0x1.99999ap-4",
    .digest = "",
    .map = "",
    .nearest_bits = 0x3dccccce,
    .metrics = {0.1, NAN, INFINITY, 0x1p-1074, -INFINITY},
    .condition = 1e8,
    .bound = INFINITY,
    .class = CLASS_OVERFLOW,
};

static void print_row(FILE *file)
{
    csv_write_row(file, &row, NULL);
}

static void csv_row_is_written_in_full(void **state)
{
    (void)state;
    static const char expected[] =
        "plain/serial,\"gensum:n=4096,cond=1e8\",4096,binary32,sum,5000000001,7,cuda,\"NVIDIA H200, "
        "0\",120,256,2,0.10000000149011612,0x3dcccccd,"
        "0x1.99999ap-4,0x3dccccce,0.1,nan,inf,5e-324,100000000,inf,-inf,overflow";
    char *text = printed(print_row);
    const char after = text[sizeof expected - 1];
    assert_memory_equal(text, expected, sizeof expected - 1);
    assert_true(after == '\n' || after == ',');
    free(text);
}

/* Fields of the record at *text, which moves to the next record. */
static size_t fields_of_record(const char **text)
{
    size_t fields = 1;
    bool quoted = false;
    for (; **text && (quoted || **text != '\n'); ++*text) {
        quoted ^= **text == '"';
        fields += !quoted && **text == ',';
    }
    *text += **text == '\n';
    return fields;
}

static void csv_rows_have_a_field_a_column(void **state)
{
    (void)state;
    char *header = printed(write_header), *line = printed(print_row);
    const char *at_header = header, *at_line = line;
    assert_int_equal(fields_of_record(&at_line), fields_of_record(&at_header));
    assert_int_equal(*at_line, '\0');
    free(header);
    free(line);
}

static void summary_has_a_line_a_series_and_equal_fields(void **state)
{
    (void)state;
    char *text = written("summary");
    const char *at = text;
    assert_non_null(strstr(
        text,
        ",count_exact,count_finite,count_zero_sum,count_overflow,count_out_of_range,count_nan,count_inf,count_negative,"
        "relative_error_min,relative_error_p50,relative_error_p90,relative_error_p99,"
        "relative_error_max,relative_error_mean,ulp_error_min,"));
    assert_null(strstr(text, ",abs_error_min")); /* not summarised */
    const size_t fields = fields_of_record(&at);
    for (size_t i = 0; i < results.series_count; i++)
        assert_int_equal(fields_of_record(&at), fields);
    assert_int_equal(*at, '\0');
    free(text);
}

/* ---- JSON ---- */

static bool json_is(const json_t *value, double number)
{
    if (isnan(number))
        return json_is_string(value) && strcmp(json_string_value(value), "nan") == 0;
    if (isinf(number))
        return json_is_string(value) && strcmp(json_string_value(value), number > 0 ? "inf" : "-inf") == 0;
    return json_is_number(value) && json_number_value(value) == number;
}

static bool hex_is(const json_t *value, double number)
{
    const double read = strtod(json_string_value(value), NULL);
    return read == number || (isnan(read) && isnan(number));
}

/* Whether the run holds the statistics, counts and histogram of all series. */
static bool json_holds(const json_t *run, const struct results *expected)
{
    bool same = true;
    for (size_t i = 0; i < expected->series_count; i++) {
        const struct series *one = &expected->series[i];
        const json_t *object = json_array_get(json_object_get(run, "series"), i);
        const json_t *histogram = json_object_get(object, "histogram");
        for (int m = 0; m < METRICS; m++) {
            const json_t *statistics = json_object_get(json_object_get(object, "statistics"), metric_table[m].id);
            same = same && (statistics != NULL) == (metric_table[m].summarised != 0);
            if (!statistics)
                continue;
            same = same && json_is(json_object_get(statistics, "max"), one->statistics[m].max) &&
                   json_is(json_object_get(statistics, "p50"), one->statistics[m].p50) &&
                   json_is(json_object_get(statistics, "mean"), one->statistics[m].mean) &&
                   hex_is(json_object_get(json_object_get(statistics, "hex"), "p99"), one->statistics[m].p99);
        }
        uint64_t total = 0;
        size_t index;
        const json_t *bin;
        json_array_foreach(json_object_get(histogram, "bins"), index, bin) total +=
            (uint64_t)json_integer_value(json_object_get(bin, "count"));
        for (int a = 0; a < 4; a++)
            total += (uint64_t)json_integer_value(
                json_object_get(histogram, ((const char *[]){"exact", "no_digit", "nonfinite", "undefined"})[a]));
        same = same && total == one->count &&
               json_integer_value(json_object_get(histogram, "total")) == (json_int_t)one->count;
    }
    return same;
}

static void json_reads_back_the_same_numbers(void **state)
{
    (void)state;
    char *text = written("json");
    json_t *run = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(run);
    assert_string_equal(json_string_value(json_object_get(run, "schema")), "ulpscope-run/2");
    assert_true(json_holds(run, &results));
    series[3].statistics[METRIC_ulp_error].p50 = nextafter(0.1, 1); /* the twin: one bit is noticed */
    assert_false(json_holds(run, &results));
    json_decref(run);
    free(text);
}

/* ---- HTML and SVG ---- */

static void html_is_well_formed_and_says_the_title(void **state)
{
    (void)state;
    char *text = written("html"), *clean = clean_text(NASTY);
    xmlDocPtr document = parsed(text);
    assert_non_null(document);
    char *title = xpath_text(document, "string(//*[local-name()='title'])");
    assert_string_equal(title, clean);
    assert_true(strncmp(text, "<!DOCTYPE html>\n<html ", 22) == 0);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "<td/>")); /* to HTML an opening tag */
    text[strlen(text) - 20] = '\0';     /* the twin: the parser does notice */
    assert_null(parsed(text));
    xmlFree(title);
    xmlFreeDoc(document);
    free(clean);
    free(text);
}

static void html_ids_are_unique(void **state)
{
    (void)state;
    char *text = written("html");
    xmlDocPtr document = parsed(text);
    assert_true(xpath_number(document, "count(//@id)") >= 3);
    assert_true(xpath_number(document, "count(//*[@id = preceding::*/@id or @id = ancestor::*/@id])") == 0);
    xmlFreeDoc(document);
    free(text);
}

/* Pictures are seen and printed without a click; what explains them opens, or is printed where a browser can by style.
 */
static void html_opens_with_a_sentence_the_picture_and_the_ranked_table(void **state)
{
    (void)state;
    char *text = written("html"), *print = strstr(text, "@media print");
    const char *const first[] = {"<h1>",
                                 "<p class=\"answer\">",
                                 "<picture>",
                                 ">Methods ranked<",
                                 "<table",
                                 ">Which method on which data?<",
                                 "<details class=\"part\"",
                                 NULL};
    const char *at = strstr(text, "<body>");
    for (size_t i = 0; first[i]; i++) {
        const char *found = strstr(text, first[i]);
        assert_true(found && found > at);
        at = found;
    }
    xmlDocPtr document = parsed(text);
    const char of_open[] = "count(//*[local-name()='details'][@open]//*[local-name()='figure'])",
               of_others[] = "count(//*[local-name()='section'][.//@id = 'made']/*[local-name()='details'][@open])";
    assert_true(xpath_number(document, of_open) == 2);
    assert_true(xpath_number(document, of_others) == 0); /* the twin */
    assert_non_null(strstr(print, "main > section > .part::details-content { content-visibility: visible;"));
    assert_non_null(strstr(text, "#unfold:checked) details::details-content { content-visibility: visible;"));
    assert_true(xpath_number(document, "count(//*[@id = 'unfold'][@type = 'checkbox'])") == 1);
    xmlFreeDoc(document);
    free(text);
}

static double html_count(xmlDocPtr document, const char *line)
{
    char expression[256];
    snprintf(expression, sizeof expression,
             "number(//*[@id='data-2']//*[local-name()='tr'][*[local-name()='th'] = '%s']/*[local-name()='td'][1])",
             line);
    return xpath_number(document, expression);
}

static void html_shows_the_four_counts_apart(void **state)
{
    (void)state;
    char *text = written("html");
    xmlDocPtr document = parsed(text);
    assert_true(html_count(document, "exact") == 1);
    assert_true(html_count(document, "no correct digit") == 4);
    assert_true(html_count(document, "not finite") == 3);
    assert_true(html_count(document, "undefined") == 2);
    assert_true(html_count(document, "all") == 10);
    xmlFreeDoc(document);
    free(text);
}

static void svg_is_well_formed_and_byte_stable(void **state)
{
    (void)state;
    assert_int_equal(report_find("svg")->write(&report, in_folder("svg")), OK);
    char *first = slurp(in_folder("svg/histogram-1-uniform.svg"));
    assert_int_equal(entries_of(in_folder("svg")), 4); /* two histograms, each as CSV, too */
    assert_int_equal(report_find("svg")->write(&report, in_folder("svg")), OK);
    char *second = slurp(in_folder("svg/histogram-1-uniform.svg"));
    assert_string_equal(first, second);
    struct dirent **files;
    char path[512];
    const int count = scandir(in_folder("svg"), &files, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const bool histogram = strncmp(files[i]->d_name, "histogram", 9) == 0;
        if (strcmp(strrchr(files[i]->d_name, '.'), ".svg") == 0) {
            snprintf(path, sizeof path, "%s/svg/%s", folder, files[i]->d_name);
            char *text = slurp(path);
            xmlDocPtr document = parsed(text);
            assert_non_null(document);
            for (int a = 0; histogram && a < 4; a++)
                assert_non_null(strstr(text, ((const char *[]){"exact", "no correct", "not finite", "undefined"})[a]));
            xmlFreeDoc(document);
            free(text);
        }
        free(files[i]);
    }
    free(files);
    free(first);
    free(second);
}

static void svg_of_several_runs_has_the_pictures_of_each(void **state)
{
    (void)state;
    const struct results runs[] = {report.runs[0], report.runs[0]};
    const char *const both[] = {"one", "other"};
    const struct report several = {runs, both, 2, {0}, 0};
    assert_int_equal(report_find("svg")->write(&several, in_folder("several")), OK);
    assert_int_equal(entries_of(in_folder("several")), 8); /* twice what one run has */
    char *first = slurp(in_folder("several/a-histogram-1-uniform.svg"));
    char *second = slurp(in_folder("several/b-histogram-1-uniform.svg"));
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void svg_of(const char *folder_name, const char *file, const char *words)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder_name, file);
    char *text = slurp(in_folder(path));
    assert_non_null(strstr(text, words));
    assert_non_null(strstr(text, "10 sums"));
    assert_null(strstr(text, "20 sums"));
    free(text);
}

static void svg_names_launch_and_backend_where_they_differ(void **state)
{
    (void)state;
    series[2].launch = series[3].launch = (struct launch){1, 512};
    assert_int_equal(report_find("svg")->write(&report, in_folder("launches")), OK);
    svg_of("launches", "histogram-1-uniform-120x256.svg", "120 blocks of 256 threads; sums");
    svg_of("launches", "histogram-1-uniform-1x512.svg", "1 block of 512 threads; sums");
    assert_int_equal(entries_of(in_folder("launches")), 2 * 3); /* one per launch; that of the other entry as ever */
    series[2].backend = series[3].backend = BACKEND_OF(cuda);
    assert_int_equal(report_find("svg")->write(&report, in_folder("both")), OK);
    svg_of("both", "histogram-1-uniform-120x256-replay.svg", "replay, 120 blocks of 256 threads; sums");
    svg_of("both", "histogram-1-uniform-1x512-cuda.svg", "cuda, 1 block of 512 threads; sums");
    series[2].launch = series[3].launch = series[0].launch;
    assert_int_equal(report_find("svg")->write(&report, in_folder("backends")), OK);
    svg_of("backends", "histogram-1-uniform-replay.svg", "replay; sums");
    svg_of("backends", "histogram-1-uniform-cuda.svg", "cuda; sums");
}

static void html_has_a_picture_a_launch(void **state)
{
    (void)state;
    for (int launch_count = 1; launch_count <= 2; launch_count++) {
        series[2].launch = series[3].launch = (struct launch){120, 256u * (unsigned)launch_count};
        char *text = written("html");
        xmlDocPtr document = parsed(text);
        assert_true(xpath_number(document, "count(//*[@id='data-1']//*[local-name()='figure'])") == launch_count);
        xmlFreeDoc(document);
        free(text);
    }
}

static void svg_shows_any_name_as_it_is(void **state)
{
    (void)state;
    static char file[] = "/data/a<b&\"c\"]]>.npy", ticks[] = "`touch x` it's {_1} &#0; \\n";
    char *before = entries[1].text, *names[] = {file, ticks};
    for (int i = 0; i < 2; i++) {
        entries[1].text = names[i];
        assert_int_equal(report_find("svg")->write(&report, in_folder("names")), OK);
        char *text = slurp(in_folder("names/histogram-2-file.svg")); /* whose own name does not come from data */
        xmlDocPtr document = parsed(text);
        char *label = xpath_text(document, "string((//*[local-name()='text'])[1])");
        assert_string_equal(label, names[i]);
        xmlFree(label);
        xmlFreeDoc(document);
        free(text);
    }
    entries[1].text = before;
}

/* Where nothing else is to be found, and no file can be made beside the report. */
static void pictures_need_no_other_program_and_no_temporary_file(void **state)
{
    (void)state;
    char *before = strdup(getenv("PATH")), *here = written("html");
    setenv("PATH", "/nowhere", 1);
    setenv("TMPDIR", "/nowhere", 1);
    char *there = written("html");
    setenv("PATH", before, 1);
    unsetenv("TMPDIR");
    xmlDocPtr document = parsed(there);
    assert_true(xpath_number(document, "count(//*[local-name()='img'])") ==
                3); /* that of the top is in its section, too */
    assert_true(xpath_number(document, "count(//*[local-name()='figure'][not(.//*[local-name()='img'])])") == 0);
    assert_string_equal(here, there);
    xmlFreeDoc(document);
    free(before);
    free(here);
    free(there);
}

/* ---- tables ---- */

static void table_is_narrow_and_says_words(void **state)
{
    (void)state;
    char *text = written("table");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(text_width(line) <= 100 || strstr(line, "a<b"));
        assert_true(line[0] == '\0' || line[strlen(line) - 1] != ' ');
    }
    free(text);
    text = written("table");
    assert_non_null(strstr(text, "overflow: 3 of 10"));
    assert_non_null(strstr(text, "plain/serial  kahan/tree_two_pass\n")); /* as in the study */
    assert_non_null(strstr(text, "4.50"));
    assert_null(strchr(text, '\033'));
    assert_null(strstr(text, "distinct bits"));
    free(text);
    series[1].distinct_bits = 2;
    text = written("table");
    assert_non_null(strstr(text, "distinct bits"));
    free(text);
}

/* What a format writes of a run that lacks a data set, and of several runs of which the second does. */
static char *written_of_part(const char *format, size_t runs)
{
    struct results pair[2] = {results, results};
    const char *const names[] = {"whole", "part"};
    const struct report some = {pair, names, runs, {0}, 0};
    pair[runs - 1].cases = 29;
    assert_int_equal(report_find(format)->write(&some, in_folder(format)), OK);
    return slurp(in_folder(format));
}

/* The first line that a reader sees, or the first that a program reads. */
static void a_partial_run_says_so_in_its_first_line(void **state)
{
    (void)state;
    static const struct {
        const char *format, *before, *one, *several;
    } firsts[] = {
        {"table", "", "Incomplete: 29 of 30 data sets were summed.\n",
         "Incomplete: 29 of 30 data sets of B were summed.\n"},
        {"html", "</label>\n", "<p class=\"missing\">Incomplete: 29 of 30 data sets were summed.",
         "<p class=\"missing\">Incomplete: 29 of 30 data sets of B were summed."},
        {"json", "{\n", " \"all_measured\": false,\n", " \"all_measured\": false,\n"},
        {"summary", ",worst_j", ",incomplete\n", ",run,incomplete\n"},
    };
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (size_t runs = 1; runs <= 2; runs++) {
            const char *expected = runs == 1 ? firsts[i].one : firsts[i].several;
            char *text = written_of_part(firsts[i].format, runs);
            const char *before = strstr(text, firsts[i].before);
            if (!before || strstr(text, expected) != before + strlen(firsts[i].before))
                fail_msg("%s of %zu runs: %.300s", firsts[i].format, runs, text);
            free(text);
        }
}

static void a_whole_run_is_not_called_incomplete(void **state)
{
    (void)state;
    static const char *const formats[] = {"table", "html", "json", "summary"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = written(formats[i]);
        assert_null(strstr(text, "ncomplete"));
        assert_null(strstr(text, "\"all_measured\": false"));
        free(text);
    }
}

/* A row of a CSV says it too, "29 of 30". */
static void rows_of_a_partial_run_say_how_much_there_is(void **state)
{
    (void)state;
    char *text = written_of_part("summary", 2);
    assert_non_null(strstr(text, ",whole,\n"));
    assert_non_null(strstr(text, ",part,29 of 30\n"));
    assert_null(strstr(text, ",whole,2"));
    free(text);
}

/* A sweep of two specs and so many methods, "plain/order_a" ..., whose condition varies. */
static char *sweep_of_methods(size_t count, const char *format)
{
    static char ids[16][16];
    struct method_record many[16];
    struct series lines[32];
    struct results swept = results;
    const struct report swept_report = {&swept, &run_name, 1, {0}, 0};
    for (size_t i = 0; i < 2 * count; i++) {
        snprintf(ids[i / 2], sizeof *ids, "plain/order_%c", (char)('a' + i / 2));
        many[i / 2] = methods[0];
        many[i / 2].id = ids[i / 2];
        lines[i] = ordinary(0, 0, sweep_specs[i % 2].text);
        lines[i].method = ids[i / 2];
        lines[i].median_condition = i % 2 ? 1e6 : 100;
    }
    swept.study.methods = many;
    swept.study.method_count = count;
    swept.series = lines;
    swept.series_count = 2 * count;
    char *path = in_folder(format);
    assert_int_equal(report_find(format)->write(&swept_report, path), OK);
    return slurp(path);
}

static void many_methods_are_lines_and_few_are_columns(void **state)
{
    (void)state;
    char *text = sweep_of_methods(8, "table");
    assert_non_null(strstr(text, "   n  condition  "));
    free(text);
    text = sweep_of_methods(9, "table");
    assert_non_null(strstr(text, "  method            n=1Ki    n=32Ki   of bound  worst result\n"
                                 "  condition      1.00e+02  1.00e+06          -  -\n"
                                 "  plain/order_a      4.50      4.50  < 0.001 %  "));
    assert_non_null(strstr(text, "\n  plain/order_i      4.50"));
    free(text);
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* The same data 40 times over: more tables than anyone reads on a terminal. */
static char *many_entries(const char *format)
{
    static struct entry_record many[40];
    static struct series lines[80];
    struct results large = results;
    const struct report large_report = {&large, &run_name, 1, {0}, 0};
    for (size_t i = 0; i < 80; i++) {
        many[i / 2] = entries[0];
        lines[i] = ordinary(i / 2, i % 2, small_text);
    }
    large.study.entries = many;
    large.study.entry_count = 40;
    large.series = lines;
    large.series_count = 80;
    assert_int_equal(report_find(format)->write(&large_report, in_folder(format)), OK);
    return slurp(in_folder(format));
}

static void table_ends_with_the_verdict_and_leaves_out_what_nobody_reads(void **state)
{
    (void)state;
    char *text = written("table");
    const char *verdict = strstr(text, "\nNo method stays within 4 ulp");
    assert_true(verdict && verdict > strstr(text, "worst result"));
    assert_null(strstr(text, "not shown"));
    free(text);
    text = many_entries("table");
    assert_non_null(strstr(text, "lines of tables are not shown; -o DIR"));
    assert_non_null(strstr(text, "\nNo method stays within 4 ulp"));
    assert_non_null(strstr(text, "breaks first on")); /* the methods ranked, in place of the tables */
    assert_null(strstr(text, "worst result"));
    assert_true(lines_of(text) < 20);
    free(text);
}

static void legends_are_of_what_is_on_the_screen(void **state)
{
    (void)state;
    static char map[] = "a";
    series[0].histogram.no_digit = 1;
    char *text = written("table");
    assert_non_null(strstr(text, "no digit: a relative error of 1 or more"));
    assert_null(strstr(text, "u |A||B|: "));
    free(text);
    for (size_t i = 0; i < results.series_count; i++) {
        series[i].map = map;
        series[i].operation = OPERATION_matmul;
    }
    text = written("table"); /* of matrix products, of which such an element is no trouble */
    assert_non_null(strstr(text, "u |A||B|: error over the sum of the |a b| of its element"));
    assert_null(strstr(text, "no digit"));
    free(text);
    for (size_t i = 0; i < results.series_count; i++) {
        series[i].map = NULL;
        series[i].operation = OPERATION_sum;
    }
    series[0].histogram.no_digit = 0;
    text = written("table"); /* the twin */
    assert_null(strstr(text, "no digit: "));
    free(text);
}

/* A method that was refused, or a black box where there is no GPU, has no series. */
static void html_tells_methods_chosen_from_methods_measured(void **state)
{
    (void)state;
    char *text = written("html");
    assert_non_null(strstr(text, ">2 methods on 2 kinds of data"));
    free(text);
    struct method_record three[] = {methods[0], methods[1], methods[1]};
    static char refused[] = "cub/device_reduce";
    three[2].id = refused;
    results.study.methods = three;
    results.study.method_count = 3;
    text = written("html");
    results.study.methods = methods;
    results.study.method_count = 2;
    assert_non_null(strstr(text, ">2 of 3 methods on 2 kinds of data"));
    free(text);
}

static double long_tables(const char *html)
{
    xmlDocPtr document = parsed(html);
    const double count = xpath_number(document, "count(//*[local-name()='table'][@class='long'])");
    xmlFreeDoc(document);
    return count;
}

/* The style sheet breaks long ones on a telephone, where they would cover the columns that scroll beneath. */
static void html_marks_tables_with_long_labels(void **state)
{
    (void)state;
    char *text = sweep_of_methods(9, "html");
    assert_true(long_tables(text) == 0);
    free(text);
    text = written("html"); /* NASTY data have a long name, in a table of the verdict */
    assert_true(long_tables(text) == 1);
    free(text);
}

static double html_number(const char *html, const char *expression)
{
    xmlDocPtr document = parsed(html);
    assert_non_null(document);
    const double number = xpath_number(document, expression);
    xmlFreeDoc(document);
    return number;
}

static void html_tables_have_names_and_scopes(void **state)
{
    (void)state;
    char *text = written("html");
    assert_true(html_number(text, "count(//*[local-name()='table'])") >= 6);
    assert_true(html_number(text, "count(//*[local-name()='table'][not(@aria-label)])") == 0);
    assert_true(html_number(text, "count(//*[local-name()='th'])") > 20);
    assert_true(html_number(text, "count(//*[local-name()='th'][not(@scope)])") == 0);
    assert_true(html_number(text, "count(//*[local-name()='tr'][not(*[local-name()='th'])])") == 0);
    free(text);
}

/* What is rounded for people has the whole number beside it: the text begins with its three digits. */
static void html_numbers_read_back(void **state)
{
    (void)state;
    char *text = written("html");
    size_t numbers = 0, of_the_maximum = 0;
    for (const char *at = text; (at = strstr(at, "<data value=\"")); at++, numbers++) {
        char number[64], rounded[NUMBER_TEXT], error[NUMBER_TEXT];
        double value;
        const char *quoted = at + strlen("<data value=\""), *shown = strchr(quoted, '>') + 1;
        snprintf(number, sizeof number, "%.*s", (int)strcspn(quoted, "\""), quoted);
        assert_null(read_double(number, &value));
        write_rounded(value, rounded);
        write_error(value, error);
        const bool whole = value == trunc(value) && fabs(value) < 0x1p53; /* counts are written in full */
        if (strncmp(shown, rounded, strlen(rounded)) != 0 && strncmp(shown, error, strlen(error)) != 0 && !whole)
            fail_msg("%s is shown as %.20s", number, shown);
        of_the_maximum += value == 4.5;
    }
    assert_true(numbers >= 30 && of_the_maximum >= 4);
    free(text);
}

/* No heading is more than one level below the one before it. */
static size_t skipped_headings(const char *html)
{
    int before = 0;
    size_t skipped = 0;
    for (const char *at = html; (at = strstr(at, "<h")); at++) {
        const int level = at[2] - '0';
        if (level < 1 || level > 6)
            continue;
        skipped += level > before + 1;
        before = level;
    }
    return skipped;
}

static void html_headings_are_in_order(void **state)
{
    (void)state;
    char *text = written("html");
    assert_int_equal(skipped_headings(text), 0);
    assert_int_equal(skipped_headings("<h1></h1><h3></h3>"), 1); /* the twin */
    free(text);
}

/* The HTML of a run in which plain/serial was repeated on 50 data sets, and 12 differed. */
static char *html_of_repeats(enum determinism claim)
{
    struct reproducibility found[] = {
        {.method = methods[0].id, .backend = BACKEND_OF(replay), .repeats = {50, 12, 7}},
        {.method = methods[1].id, .backend = BACKEND_OF(replay), .repeats = {300, 0, 1}},
    };
    results.reproducibility = found;
    results.reproducibility_count = 2;
    methods[0].determinism = claim;
    char *text = written("html");
    methods[0].determinism = DETERMINISTIC;
    results.reproducibility = NULL;
    results.reproducibility_count = 0;
    return text;
}

static void html_names_a_broken_claim(void **state)
{
    (void)state;
    char *text = html_of_repeats(DETERMINISTIC);
    assert_non_null(strstr(text, "<td class=\"bad left\">12 of 50 differ, up to 7 results: CLAIM BROKEN</td>"));
    assert_non_null(strstr(text, "<td class=\"good left\">0 of 300 differ</td>"));
    assert_non_null(strstr(text, "Other launches were not tried: --blocks"));
    assert_null(strstr(text, "Repeats were not tried"));
    free(text);
    text = html_of_repeats(ORDER_OF_ARRIVAL);
    assert_non_null(strstr(text, "<td class=\"left\">12 of 50 differ, up to 7 results</td>"));
    assert_null(strstr(text, "CLAIM BROKEN"));
    free(text);
}

static void html_says_how_to_try_what_was_not(void **state)
{
    (void)state;
    char *text = written("html");
    assert_non_null(strstr(text, "Repeats were not tried: on a GPU --repeats 100"));
    assert_non_null(strstr(text, "Permutations were not tried"));
    free(text);
}

static void html_holds_the_whole_study(void **state)
{
    (void)state;
    static char study[] = "schema: x\n  - a<b\n";
    results.study.text = study;
    char *text = written("html");
    results.study.text = (char *)NASTY;
    assert_non_null(strstr(text, ">schema: x\n  - a&lt;b\n</pre>"));
    free(text);
}

static bool has_heads(const struct grid *grid, size_t columns, const char *const *texts, const char *sides)
{
    bool same = grid->columns == columns && grid->rows == 1;
    for (size_t c = 0; same && c < columns; c++)
        same = strcmp(grid_text(grid, 0, c), texts[c]) == 0 && grid_cell(grid, 0, c)->left == (sides[c] == 'l');
    return same;
}

static void heads_of_one_text_are_columns_with_a_side_each(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "n > 1", "a|b", "of its bound"};
    FREED_BY(grid_free) struct grid grid = grid_headed(2, " | n > 1 | > a|b | > of its bound");
    FREED_BY(grid_free)
    struct grid one = grid_headed(1, "> n"), twin = grid_headed(2, " | n > 1 | a|b | > of its bound");
    assert_int_equal(grid.labels, 2);
    assert_true(has_heads(&grid, 4, texts, "llrr"));
    assert_true(has_heads(&one, 1, (const char *const[]){"n"}, "r"));
    assert_false(has_heads(&twin, 4, texts, "llrr")); /* a side is another */
}

static void an_object_has_the_fields_of_its_rows(void **state)
{
    (void)state;
    json_auto_t *object = json_of({"n", json_count(3)}, json_both("error", 0.5));
    json_auto_t *expected = json_pack("{s:i, s:f, s:s}", "n", 3, "error", 0.5, "error_hex", "0x1p-1");
    json_auto_t *twin = json_pack("{s:i, s:f}", "n", 3, "error", 0.5);
    assert_true(json_equal(object, expected));
    assert_false(json_equal(object, twin));
    json_add(object, {"n", json_count(4)}, {"m", json_count(5)}); /* the later one stays */
    assert_int_equal(json_object_size(object), 4);
    assert_int_equal(json_integer_value(json_object_get(object, "n")), 4);
}

static void a_page_leaves_out_what_makes_it_too_long(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    struct page page;
    struct grid grid = grid_of(4, 1), small = grid_of(1, 1);
    for (size_t r = 0; r < ROWS; r++) {
        grid_row(&grid);
        for (size_t c = 0; c < 4; c++)
            grid_set(&grid, c, TONE_PLAIN, "0123456789");
    }
    grid_row(&small);
    grid_set(&small, 0, TONE_PLAIN, "small");
    page_begin(&page, "t");
    page_allow(&page, 1000000);
    page_named_grid(&page, &grid, "large");
    page_folded_grid(&page, &grid, "folded", "folded");
    page_named_grid(&page, &small, "small");
    page_say_left_out(&page);
    page_say_left_out(&page); /* says nothing more */
    assert_int_equal(page_end(&page, OK, in_folder("long")), OK);
    char *text = slurp(in_folder("long"));
    const char *said = strstr(text, "2 tables were omitted; summary.csv, which -o DIR writes, has the "
                                    "numbers.");
    assert_non_null(said);
    assert_null(strstr(said + strlen("2 tables were omitted"), "omitted"));
    assert_null(strstr(text, "<details"));
    assert_null(strstr(text, "0123456789"));
    assert_non_null(strstr(text, "<table aria-label=\"small\""));
    free(text);
    grid_free(&grid);
    grid_free(&small);
}

/* A grid of so many data columns, with a footer, as a page. */
static char *page_of_columns(size_t columns, int times)
{
    struct page page;
    struct grid grid = grid_of(1 + columns, 1);
    for (int r = 0; r < 3; r++) {
        r < 2 ? grid_row(&grid) : grid_footer(&grid);
        for (size_t c = 0; c <= columns; c++)
            grid_set(&grid, c, TONE_PLAIN, "%s%zu", r == 0 ? "head" : "cell", c);
    }
    page_begin(&page, "t");
    page_allow(&page, 1000000);
    for (int i = 0; i < times; i++)
        page_named_grid(&page, &grid, "errors");
    assert_int_equal(page_end(&page, OK, in_folder("columns")), OK);
    grid_free(&grid);
    return slurp(in_folder("columns"));
}

static double counted(const char *text, const char *what)
{
    xmlDocPtr document = parsed(text);
    const double count = xpath_number(document, what);
    xmlFreeDoc(document);
    return count;
}

/* A grid of five rows and a footer, of which two rows are seen at once. */
static struct grid grid_with_a_top(size_t top)
{
    struct grid grid = grid_of(2, 1);
    for (int r = 0; r < 7; r++) {
        r < 6 ? grid_row(&grid) : grid_footer(&grid);
        grid_set(&grid, 0, TONE_PLAIN, r == 0 ? "name" : r == 6 ? "all" : "row%d", r);
        grid_set(&grid, 1, TONE_PLAIN, r == 0 ? "value" : "cell%d", r);
    }
    grid.top = top;
    return grid;
}

static char *grid_as(void (*write)(FILE *file, const struct grid *grid), size_t top)
{
    char *text;
    size_t length;
    struct grid grid = grid_with_a_top(top);
    FILE *file = open_memstream(&text, &length);
    write(file, &grid);
    fclose(file);
    grid_free(&grid);
    return text;
}

static void on_terminal(FILE *file, const struct grid *grid)
{
    const struct terminal narrow = {file, false, 80};
    terminal_grid(&narrow, grid);
}

static void on_page(FILE *file, const struct grid *grid)
{
    struct page page;
    page_begin(&page, "t");
    page_allow(&page, 100000);
    page_named_grid(&page, grid, "values");
    assert_int_equal(page_end(&page, OK, in_folder("top")), OK);
    char *text = slurp(in_folder("top"));
    fputs(text, file);
    free(text);
}

/* On a terminal the others are counted; on a page and on GitHub they are folded, and the footer is seen. */
static void only_the_top_of_a_table_is_seen_at_once(void **state)
{
    (void)state;
    char *text = grid_as(on_terminal, 2);
    assert_non_null(strstr(text, "row2  cell2\n  all   cell6\n  (3 more; --top 0 prints all)\n"));
    assert_null(strstr(text, "row3"));
    free(text);
    text = grid_as(markdown_grid, 2);
    assert_true(strstr(text, "row2") < strstr(text, "cell6") && strstr(text, "cell6") < strstr(text, "<details>"));
    assert_true(strstr(text, "<summary>3 more</summary>") < strstr(text, "row3"));
    free(text);
    text = grid_as(on_page, 2);
    assert_true(strstr(text, "cell6") < strstr(text, "<details>"));
    assert_true(strstr(text, "<summary>3 more</summary>") < strstr(text, "row3"));
    assert_true(counted(text, "count(//*[.='name'])") == 2); /* what is folded has the heads again */
    free(text);
}

/* How often the heads of the labels, of a column and a row's labels stand on a terminal of so many columns. */
static size_t heads_at(size_t width)
{
    struct grid grid = grid_of(6, 2);
    char *text;
    size_t length, heads = 0, rows = 0;
    for (int r = 0; r < 2; r++) {
        grid_row(&grid);
        for (size_t c = 0; c < 6; c++)
            grid_set(&grid, c, TONE_PLAIN, "%s%zu_of_twenty_letters", r == 0 ? "head" : "cell", c);
    }
    FILE *file = open_memstream(&text, &length);
    terminal_grid(&(struct terminal){file, false, width}, &grid);
    fclose(file);
    for (const char *at = text; (at = strstr(at, "head0_of_twenty_letters  head1_of_twenty_letters  head")); at++)
        heads++;
    for (const char *at = text; (at = strstr(at, "cell0_of_twenty_letters  cell1_of_twenty_letters  cell")); at++)
        rows++;
    assert_int_equal(heads, rows);
    free(text);
    grid_free(&grid);
    return heads;
}

/* The heads of a line, of columns of 10 letters of which three are spare. */
static char *line_at(size_t width)
{
    struct grid grid = grid_of(6, 1);
    char *text;
    size_t length;
    for (int r = 0; r < 2; r++) {
        grid_row(&grid);
        for (size_t c = 0; c < 6; c++) {
            grid_set(&grid, c, TONE_PLAIN, "%zu234567890", c);
            if (r == 0)
                grid_spare(&grid, c, c == 2 ? 2 : c >= 4 ? 1 : 0);
        }
    }
    FILE *file = open_memstream(&text, &length);
    terminal_grid_below(&(struct terminal){file, false, width}, &grid);
    fclose(file);
    grid_free(&grid);
    return text;
}

static void a_narrow_terminal_leaves_out_spare_columns_before_it_breaks_a_table(void **state)
{
    (void)state;
    static const struct {
        size_t width;
        const char *heads;
    } cases[] = {{72, "  0234567890  1234567890  2234567890  3234567890  4234567890  5234567890\n"},
                 {71, "  0234567890  1234567890  2234567890  3234567890\n"}, /* both of the first rank */
                 {48, "  0234567890  1234567890  2234567890  3234567890\n"},
                 {47, "  0234567890  1234567890  3234567890\n"},
                 {35, "  0234567890  1234567890\n"}}; /* broken */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = line_at(cases[i].width);
        assert_memory_equal(text, cases[i].heads, strlen(cases[i].heads));
        assert_int_equal(lines_of(text), i == 4 ? 5 : 2);
        free(text);
    }
}

static void a_table_broken_on_a_terminal_repeats_labels_and_heads(void **state)
{
    (void)state;
    assert_int_equal(heads_at(80), 4);
    assert_int_equal(heads_at(110), 2);
    assert_int_equal(heads_at(160), 1); /* the twin: whole */
}

static void a_table_that_fits_is_seen_whole(void **state)
{
    (void)state;
    void (*const all[])(FILE * file, const struct grid *grid) = {on_terminal, markdown_grid, on_page};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t top = 0; top <= 5; top += 5) { /* 0: all */
            char *text = grid_as(all[i], top);
            assert_null(strstr(text, " more"));
            assert_non_null(strstr(text, "row5"));
            free(text);
        }
}

/* 9 characters for each of the labels and of nine columns, 10 for the others: 17 columns are 170 wide. */
static void a_table_too_wide_for_the_page_is_several_with_all_labels(void **state)
{
    (void)state;
    char *text = page_of_columns(18, 1);
    assert_non_null(strstr(text, "aria-label=\"errors: head1 to head17\""));
    assert_non_null(strstr(text, "aria-label=\"errors: head18 to head18\""));
    assert_true(counted(text, "count(//*[local-name()='table'])") == 2);
    assert_true(counted(text, "count(//*[.='head0'])") == 2);
    assert_true(counted(text, "count(//*[.='cell0'])") == 4); /* a row and the footer of each */
    assert_true(counted(text, "count(//*[.='cell5'])") == 2);
    free(text);
    text = page_of_columns(17, 1);
    assert_true(counted(text, "count(//*[local-name()='table'])") == 1);
    free(text);
}

static void what_scrolls_has_a_name_of_its_own(void **state)
{
    (void)state;
    char *text = page_of_columns(2, 2);
    assert_true(counted(text, "count(//*[@role='region' and @aria-label='errors'])") == 1);
    assert_true(counted(text, "count(//*[@role='region' and @aria-label='errors (2)'])") == 1);
    free(text);
    text = written("html");
    assert_true(counted(text, "count(//*[@tabindex])") > 3);
    assert_true(counted(text, "count(//*[@tabindex and not(@role and @aria-label)])") == 0);
    assert_true(counted(text, "count(//*[@tabindex][@aria-label = preceding::*[@tabindex]/@aria-label])") == 0);
    assert_true(counted(text, "count(//*[local-name()='th' and not(node())])") == 0);
    free(text);
}

static void every_picture_has_a_caption(void **state)
{
    (void)state;
    char *text = written("html");
    assert_true(counted(text, "count(//*[local-name()='figure' and not(*[local-name()='figcaption'])])") == 0);
    const char *reading = strstr(text, "How often a relative error occurred");
    assert_true(!reading || !strstr(reading + 1, "How often a relative error occurred")); /* once */
    free(text);
}

static void colour_is_only_for_stdout_and_when_asked(void **state)
{
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        fflush(stdout);
        const int before = dup(STDOUT_FILENO);
        assert_non_null(freopen(in_folder("stdout"), "w", stdout));
        report_colour = asked;
        const enum status status = report_find("table")->write(&report, "-");
        fflush(stdout);
        dup2(before, STDOUT_FILENO);
        close(before);
        report_colour = true;
        char *text = slurp(in_folder("stdout")), *file = written("table");
        report_colour = false;
        assert_int_equal(status, OK);
        assert_int_equal(strchr(text, '\033') != NULL, asked);
        assert_null(strchr(file, '\033'));
        free(text);
        free(file);
    }
}

static void print_tones(FILE *file)
{
    static const enum tone tones[] = {TONE_PLAIN, TONE_BAD, TONE_NO_DIGIT};
    struct grid grid = grid_of(3, 0);
    for (int line = 0; line < 2; line++) {
        grid_row(&grid);
        for (size_t c = 0; c < 3; c++)
            grid_set(&grid, c, line > 0 ? tones[c] : TONE_PLAIN, "x");
    }
    markdown_grid(file, &grid);
    grid_free(&grid);
}

static void a_turned_table_keeps_words_tones_and_values(void **state)
{
    (void)state;
    struct cell heads[] = {{.text = (char *)"method"}, {.text = (char *)"n=1Ki"}};
    struct grid grid = grid_of(2, 0);
    grid_row(&grid);
    grid_set(&grid, 0, TONE_PLAIN, "plain");
    grid_set(&grid, 1, TONE_PLAIN, "kahan");
    grid_row(&grid);
    grid_number(&grid, 0, 0.125);
    grid_set(&grid, 1, TONE_BAD, "overflow");
    grid_word(&grid, 1, "here");
    struct grid turned = grid_turned(&grid, 0, heads);
    assert_string_equal(grid_text(&turned, 0, 1), "n=1Ki");
    assert_string_equal(grid_text(&turned, 2, 0), "kahan");
    assert_string_equal(grid_text(&turned, 2, 1), "overflow");
    assert_string_equal(grid_word_of(&turned, 2, 1), "here");
    assert_int_equal(grid_cell(&turned, 2, 1)->tone, TONE_BAD);
    assert_int_equal(grid_cell(&turned, 1, 1)->tone, TONE_PLAIN);
    assert_true(grid_cell(&turned, 1, 1)->rounded && grid_cell(&turned, 1, 1)->value == 0.125);
    assert_false(grid_cell(&turned, 2, 1)->rounded);
    grid_free(&turned);
    grid_free(&grid);
}

static void markdown_of_bad_cells_is_bold(void **state)
{
    (void)state;
    char *text = printed(print_tones);
    assert_string_equal(text, "| x | x | x |\n|--:|--:|--:|\n| x | **x** | **x** |\n");
    free(text);
}

/* A value that could not be made, as when memory is short: a child ends. */
static void json_that_lacks_a_value_ends_the_program(void **state)
{
    (void)state;
    json_t *values[] = {json_true(), NULL};
    for (int i = 0; i < 2; i++) {
        int status;
        const pid_t child = fork();
        if (child == 0) {
            json_put(json_object(), "key", values[i]);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), values[i] ? 0 : 3);
    }
}

static const char picture[] = "<svg>01234567</svg>";

static void a_picture_on_the_page_is_whole(void **state)
{
    (void)state;
    static const char before[] = "data:image/svg+xml;base64,";
    struct base64_decode_ctx decoder;
    struct page page;
    page_begin(&page, "a picture");
    page_svg(&page, picture, strlen(picture), "nothing");
    assert_int_equal(page_end(&page, OK, in_folder("picture")), OK);
    char *text = slurp(in_folder("picture"));
    uint8_t svg[64];
    size_t length = sizeof svg;
    assert_non_null(strstr(text, before));
    const char *encoded = strstr(text, before) + strlen(before);
    base64_decode_init(&decoder);
    assert_int_equal(base64_decode_update(&decoder, &length, svg, strcspn(encoded, "\""), encoded), 1);
    assert_int_equal(base64_decode_final(&decoder), 1);
    assert_int_equal(length, strlen(picture));
    assert_memory_equal(svg, picture, length);
    free(text);
}

static void reports_of_nothing_are_written(void **state)
{
    (void)state;
    const struct results nothing = {.study = results.study};
    const struct report of_nothing = {&nothing, &run_name, 1, {0}, 0};
    static const char *const formats[] = {"table", "summary", "json", "html"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        assert_int_equal(report_find(formats[i])->write(&of_nothing, in_folder("nothing")), OK);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char *line;
    if (asprintf(&line, "rm -r %s", folder) < 0)
        return -1;
    const int failed = system(line);
    free(line);
    xmlCleanupParser();
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_format_is_found_by_its_id, build),
        cmocka_unit_test_setup(what_acts_becomes_visible, build),
        cmocka_unit_test_setup(a_width_is_in_letters, build),
        cmocka_unit_test_setup(labels_name_only_what_varies, build),
        cmocka_unit_test_setup(a_verdict_says_the_worst, build),
        cmocka_unit_test_setup(a_share_tells_no_claim_from_no_sum, build),
        cmocka_unit_test_setup(a_tally_adds_up_specs, build),
        cmocka_unit_test_setup(a_tally_keeps_launches_apart, build),
        cmocka_unit_test_setup(a_tally_keeps_backends_apart, build),
        cmocka_unit_test_setup(csv_header_begins_with_the_contract, build),
        cmocka_unit_test_setup(csv_has_a_column_for_every_metric, build),
        cmocka_unit_test_setup(csv_quotes_only_what_it_must, build),
        cmocka_unit_test_setup(csv_row_is_written_in_full, build),
        cmocka_unit_test_setup(csv_rows_have_a_field_a_column, build),
        cmocka_unit_test_setup(summary_has_a_line_a_series_and_equal_fields, build),
        cmocka_unit_test_setup(json_reads_back_the_same_numbers, build),
        cmocka_unit_test_setup(html_is_well_formed_and_says_the_title, build),
        cmocka_unit_test_setup(html_ids_are_unique, build),
        cmocka_unit_test_setup(html_opens_with_a_sentence_the_picture_and_the_ranked_table, build),
        cmocka_unit_test_setup(html_shows_the_four_counts_apart, build),
        cmocka_unit_test_setup(svg_is_well_formed_and_byte_stable, build),
        cmocka_unit_test_setup(svg_of_several_runs_has_the_pictures_of_each, build),
        cmocka_unit_test_setup(svg_names_launch_and_backend_where_they_differ, build),
        cmocka_unit_test_setup(html_has_a_picture_a_launch, build),
        cmocka_unit_test_setup(svg_shows_any_name_as_it_is, build),
        cmocka_unit_test_setup(pictures_need_no_other_program_and_no_temporary_file, build),
        cmocka_unit_test_setup(table_is_narrow_and_says_words, build),
        cmocka_unit_test_setup(a_partial_run_says_so_in_its_first_line, build),
        cmocka_unit_test_setup(a_whole_run_is_not_called_incomplete, build),
        cmocka_unit_test_setup(rows_of_a_partial_run_say_how_much_there_is, build),
        cmocka_unit_test_setup(many_methods_are_lines_and_few_are_columns, build),
        cmocka_unit_test_setup(table_ends_with_the_verdict_and_leaves_out_what_nobody_reads, build),
        cmocka_unit_test_setup(html_tells_methods_chosen_from_methods_measured, build),
        cmocka_unit_test_setup(html_marks_tables_with_long_labels, build),
        cmocka_unit_test_setup(html_tables_have_names_and_scopes, build),
        cmocka_unit_test_setup(html_numbers_read_back, build),
        cmocka_unit_test_setup(html_headings_are_in_order, build),
        cmocka_unit_test_setup(html_names_a_broken_claim, build),
        cmocka_unit_test_setup(html_says_how_to_try_what_was_not, build),
        cmocka_unit_test_setup(html_holds_the_whole_study, build),
        cmocka_unit_test(heads_of_one_text_are_columns_with_a_side_each),
        cmocka_unit_test(an_object_has_the_fields_of_its_rows),
        cmocka_unit_test_setup(a_page_leaves_out_what_makes_it_too_long, build),
        cmocka_unit_test_setup(a_table_too_wide_for_the_page_is_several_with_all_labels, build),
        cmocka_unit_test_setup(only_the_top_of_a_table_is_seen_at_once, build),
        cmocka_unit_test_setup(a_table_that_fits_is_seen_whole, build),
        cmocka_unit_test_setup(a_narrow_terminal_leaves_out_spare_columns_before_it_breaks_a_table, build),
        cmocka_unit_test_setup(a_table_broken_on_a_terminal_repeats_labels_and_heads, build),
        cmocka_unit_test_setup(legends_are_of_what_is_on_the_screen, build),
        cmocka_unit_test_setup(what_scrolls_has_a_name_of_its_own, build),
        cmocka_unit_test_setup(every_picture_has_a_caption, build),
        cmocka_unit_test_setup(colour_is_only_for_stdout_and_when_asked, build),
        cmocka_unit_test_setup(a_turned_table_keeps_words_tones_and_values, build),
        cmocka_unit_test_setup(markdown_of_bad_cells_is_bold, build),
        cmocka_unit_test_setup(json_that_lacks_a_value_ends_the_program, build),
        cmocka_unit_test_setup(a_picture_on_the_page_is_whole, build),
        cmocka_unit_test_setup(reports_of_nothing_are_written, build),
    };
    return cmocka_run_group_tests_name("reports", tests, make_folder, remove_folder);
}
