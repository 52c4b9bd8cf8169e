/* junit: a test case per series, for the CI systems that read JUnit's XML.
 *
 * What is written is what Jenkins and GitLab read: tests/gate/junit.xsd.  GitLab shows the text of an element and not
 * its message, so the text has all of it; it takes the second of two cases of one name for the first, so that names are
 * apart (findings.h).  Nothing here took time, and no clock is asked: the same check gives the same bytes.
 */
#include "reports/xml.h"
#include "src/gate/findings/findings.h"

static void add_element(struct xml *xml, const char *element, const char *message, const char *type, struct text *lines)
{
    OWNED char *text = text_take(lines);
    xml_open(xml, element);
    if (message)
        xml_attribute(xml, "message", "%s", message);
    if (type)
        xml_attribute(xml, "type", "%s", type);
    xml_lines(xml, text);
    xml_close(xml);
}

struct suite {
    const char *name;
    size_t id, tests, failures, skipped;
};

static void add_properties(struct xml *xml, const struct checked *checked)
{
    const struct check *check = checked->check;
    const char *const properties[][2] = {{"run", checked->run},
                                         {"limits", check->limits->path},
                                         {"baseline", check->baseline ? check->baseline->path : ""}};
    xml_open(xml, "properties");
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        xml_open(xml, "property");
        xml_attribute(xml, "name", "%s", properties[i][0]);
        xml_attribute(xml, "value", "%s", properties[i][1]);
        xml_close(xml);
    }
    xml_close(xml);
}

/* The JUnit of Ant requires time, host and date: these are valid, and the same each time. */
static void open_suite(struct xml *xml, const struct checked *checked, const struct suite *suite)
{
    xml_open(xml, "testsuite");
    xml_attribute(xml, "name", "%s", suite->name);
    xml_attribute(xml, "package", "ulpscope");
    xml_attribute(xml, "id", "%zu", suite->id);
    xml_attribute(xml, "tests", "%zu", suite->tests);
    xml_attribute(xml, "failures", "%zu", suite->failures);
    xml_attribute(xml, "errors", "0");
    xml_attribute(xml, "skipped", "%zu", suite->skipped);
    xml_attribute(xml, "time", "0");
    xml_attribute(xml, "timestamp", "1970-01-01T00:00:00");
    xml_attribute(xml, "hostname", "localhost");
    add_properties(xml, checked);
}

static void close_suite(struct xml *xml, const char *said)
{
    struct text text = {0}, nothing = {0};
    text_append(&text, "%s", said);
    add_element(xml, "system-out", NULL, NULL, &text);
    add_element(xml, "system-err", NULL, NULL, &nothing);
    xml_close(xml);
}

/* `alike`: how many before it have the same name. */
static void open_case(struct xml *xml, const char *class, const char *name, size_t alike)
{
    struct text numbered = {0};
    text_append(&numbered, "%s", name);
    if (alike > 0)
        text_append(&numbered, " #%zu", alike + 1);
    OWNED char *full = text_take(&numbered);
    xml_open(xml, "testcase");
    xml_attribute(xml, "classname", "%s", class);
    xml_attribute(xml, "name", "%s", full);
    xml_attribute(xml, "time", "0");
}

/* "limits.yaml:4: ulp_error max 12.3 ulp, limit 1.5ulp", a line each finding of a verdict. */
static void say_findings(struct text *text, const struct checked *checked, const struct findings *findings,
                         const struct subject *subject, enum verdict verdict)
{
    for (size_t k = 0; k < subject->count; k++) {
        const struct told_finding *told = &subject->list[k];
        if (told->finding->verdict != verdict)
            continue;
        text_append(text, "%s: %s%s%s\n", findings_rule(checked, findings, told->finding)->place, told->said,
                    told->allowed ? "; allowed " : "", told->allowed ? told->allowed : "");
    }
}

static void add_failure(struct xml *xml, const struct checked *checked, const struct findings *findings,
                        const struct subject *subject)
{
    struct text text = {0};
    say_findings(&text, checked, findings, subject, VERDICT_FAILED);
    if (subject->cause)
        text_append(&text, "%s\n", subject->cause);
    if (subject->rerun)
        text_append(&text, "rerun: %s\n", subject->rerun);
    add_element(xml, "failure", subject->list[0].said, gate_metric_names[subject->list[0].finding->rule->metric],
                &text);
}

static void add_skipped(struct xml *xml, const struct checked *checked, const struct findings *findings,
                        const struct subject *subject)
{
    struct text text = {0};
    say_findings(&text, checked, findings, subject, VERDICT_SKIPPED);
    if (subject->count == 0)
        text_append(&text, "no rule covers it\n");
    add_element(xml, "skipped", subject->count > 0 ? subject->list[0].said : "no rule covers it", NULL, &text);
}

static void add_series(struct xml *xml, const struct checked *checked, const struct findings *findings,
                       const struct subject *subject)
{
    struct text allowed = {0};
    open_case(xml, subject->method, subject->name, 0);
    if (subject->verdict == VERDICT_FAILED)
        add_failure(xml, checked, findings, subject);
    if (subject->verdict == VERDICT_SKIPPED)
        add_skipped(xml, checked, findings, subject);
    say_findings(&allowed, checked, findings, subject, VERDICT_ALLOWED);
    if (allowed.length > 0)
        add_element(xml, "system-out", NULL, NULL, &allowed);
    xml_close(xml);
}

static void add_all_series(struct xml *xml, const struct checked *checked, const struct findings *findings)
{
    const struct suite suite = {"series", 0, findings->count, findings->by[VERDICT_FAILED],
                                findings->by[VERDICT_SKIPPED]};
    open_suite(xml, checked, &suite);
    for (size_t i = 0; i < findings->count; i++)
        add_series(xml, checked, findings, &findings->subjects[i]);
    close_suite(xml, findings->sentence);
}

static void add_gap(struct xml *xml, const struct told_gap *gap)
{
    struct text text = {0};
    open_case(xml, "not checked", gap->about, 0);
    text_append(&text, "%s\n", gap->said);
    add_element(xml, "failure", gap->said, "gap", &text);
    xml_close(xml);
}

/* How many of those before it are about the same. */
static size_t alike_before(const struct told_allowance *allowances, size_t index)
{
    size_t alike = 0;
    for (size_t i = 0; i < index; i++)
        alike += strcmp(allowances[i].about, allowances[index].about) == 0;
    return alike;
}

/* Its name has no line, so that it stays the same when the file grows. */
static void add_allowance(struct xml *xml, const struct told_allowance *told, size_t alike)
{
    struct text text = {0};
    open_case(xml, "limits", told->about, alike);
    text_append(&text, "%s: %s, %s\n", told->place, told->about, told->until);
    if (told->state == ALLOWANCE_EXPIRED)
        add_element(xml, "failure", "this allowance has expired", "allowance", &text);
    else
        add_element(xml, "system-out", NULL, NULL, &text);
    xml_close(xml);
}

static void add_limits(struct xml *xml, const struct checked *checked, const struct findings *findings)
{
    const size_t count = checked->check->limits->allowance_count, gaps = findings->gap_count;
    const struct suite suite = {"limits", 1, count + gaps, checked->check->expired + gaps, 0};
    if (count + gaps == 0)
        return;
    open_suite(xml, checked, &suite);
    for (size_t i = 0; i < gaps; i++)
        add_gap(xml, &findings->gaps[i]);
    for (size_t i = 0; i < count; i++)
        add_allowance(xml, &findings->allowances[i], alike_before(findings->allowances, i));
    close_suite(xml, findings->sentence);
}

static void add_all(struct xml *xml, const struct checked *checked, const struct findings *findings)
{
    xml_open(xml, "testsuites");
    xml_attribute(xml, "name", "ulpscope check");
    xml_attribute(xml, "tests", "%zu", findings->count + findings->gap_count + checked->check->limits->allowance_count);
    xml_attribute(xml, "failures", "%zu", findings->by[VERDICT_FAILED] + findings->gap_count + checked->check->expired);
    xml_attribute(xml, "errors", "0");
    xml_attribute(xml, "time", "0");
    add_all_series(xml, checked, findings);
    add_limits(xml, checked, findings);
    xml_close(xml);
}

static enum status junit_write(const struct checked *checked, const char *path)
{
    FREED_BY(findings_free) struct findings findings = {0};
    struct xml xml;
    findings_make(checked, &findings);
    xml_begin(&xml);
    xml_declare(&xml);
    add_all(&xml, checked, &findings);
    return xml_write(&xml, path);
}

const struct check_output check_output_junit = {
    .id = "junit",
    .option = "junit",
    .argument = "FILE",
    .summary = "a test case per series, for a CI system",
    .write = junit_write,
};
