/* The JUnit file of a check is what tests/gate/junit.xsd says, its counts are right, and twins with a fault are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_check.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>

static xmlDocPtr parsed(const char *text)
{
    return xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
}

static void say_nothing(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

/* Whether a text is what tests/gate/junit.xsd says. */
static bool is_valid(const char *text)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(SOURCE_DIRECTORY "/tests/gate/junit.xsd");
    xmlSchemaPtr schema = xmlSchemaParse(parser);
    assert_non_null(schema);
    xmlSchemaValidCtxtPtr validator = xmlSchemaNewValidCtxt(schema);
    xmlSchemaSetValidErrors(validator, say_nothing, say_nothing, NULL);
    xmlDocPtr document = parsed(text);
    const bool valid = document && xmlSchemaValidateDoc(validator, document) == 0;
    xmlFreeDoc(document);
    xmlSchemaFreeValidCtxt(validator);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return valid;
}

static double xpath_number(xmlDocPtr document, const char *expression)
{
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEval(BAD_CAST expression, context);
    const double number = found ? xmlXPathCastToNumber(found) : NAN;
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return number;
}

/* The counts in attributes are those of the elements. */
static bool counts_are_right(xmlDocPtr document)
{
    static const char *const wrong[] = {
        "count(//testsuite[@tests != count(testcase)])",
        "count(//testsuite[@failures != count(testcase/failure)])",
        "count(//testsuite[@skipped != count(testcase/skipped)])",
        "count(//testsuite[@errors != count(testcase/error)])",
        "count(/testsuites[@tests != count(.//testcase)])",
        "count(/testsuites[@failures != count(.//failure)])",
        "count(/testsuites[@errors != count(.//error)])",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (xpath_number(document, wrong[i]) != 0)
            return false;
    return true;
}

static void assert_junit_is_fine(struct made *made)
{
    char *text = written("junit", made);
    xmlDocPtr document = parsed(text);
    assert_non_null(document);
    if (!is_valid(text))
        fail_msg("not what junit.xsd says:\n%.4000s", text);
    assert_true(counts_are_right(document));
    assert_clean(text);
    xmlFreeDoc(document);
    free(text);
    end(made);
}

static void junit_is_what_its_schema_says_and_counts_right(void **state)
{
    (void)state;
    assert_junit_is_fine(usual_check());
    assert_junit_is_fine(fine_check());
    assert_junit_is_fine(check_with_gaps());
    assert_junit_is_fine(nasty_check());
    assert_junit_is_fine(begin("limits.yaml"));
    assert_junit_is_fine(large_check(500, 3));
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *result;
    if (!at)
        fail_msg("\"%s\" is not in the file", from);
    assert_true(asprintf(&result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) >= 0);
    return result;
}

/* Twins of the file, each with one fault. */
static void junit_with_a_fault_is_refused(void **state)
{
    (void)state;
    static const char *const faults[][2] = {
        {"replay #2\"", "replay\""}, /* a second case of that name */
        {"classname=\"limits\" name=\"plain/serial on gone*\"", "classname=\"limits\" name=\"plain/serial on swamp*\""},
        {"<testsuite name=\"limits\"", "<testsuite name=\"series\""},
        {"id=\"1\"", "id=\"0\""},
        {" time=\"0\"", ""},
        {" time=\"0\"", " time=\"-1\""},
        {" time=\"0\"", " time=\"1e3\""},
        {" timestamp=\"1970-01-01T00:00:00\"", ""},
        {"1970-01-01T00:00:00", "1970-01-01T00:00:00Z"},
        {"1970-01-01T00:00:00", "1970-13-01T00:00:00"},
        {" hostname=\"localhost\"", ""},
        {" skipped=\"", " skips=\""},
        {" tests=\"", " tests=\"-"},
        {" failures=\"", " failures=\"x"},
        {" errors=\"0\"", ""},
        {" package=\"ulpscope\"", ""},
        {"<testcase classname=", "<testcase class="},
        {"<testcase classname=\"kahan/serial\" name=", "<testcase classname=\"kahan/serial\" title="},
        {"classname=\"kahan/serial\"", "classname=\"\""},
        {" message=", " text="},
        {" type=\"ulp_error\"", ""},
        {"</failure>", "</failure><failure message=\"m\" type=\"t\">two</failure>"},
        {"</failure>", "</failure><skipped message=\"m\">and skipped</skipped>"},
        {"<properties>", "<properties/><properties>"},
        {"<system-err></system-err>", ""},
        {"</testsuites>", "<more/></testsuites>"},
    };
    struct made *made = usual_check();
    char *text = written("junit", made);
    assert_true(is_valid(text));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *twin = replaced(text, faults[i][0], faults[i][1]);
        if (is_valid(twin))
            fail_msg("%s instead of %s is not refused", faults[i][1], faults[i][0]);
        free(twin);
    }
    static const char *const counts[][2] = {{" tests=\"9\"", " tests=\"8\""},
                                            {"tests=\"6\" failures=\"2\"", "tests=\"6\" failures=\"1\""},
                                            {"skipped=\"2\"", "skipped=\"1\""}};
    for (size_t i = 0; i < 3; i++) {
        char *twin = replaced(text, counts[i][0], counts[i][1]);
        xmlDocPtr document = parsed(twin);
        assert_false(counts_are_right(document));
        xmlFreeDoc(document);
        free(twin);
    }
    free(text);
    end(made);
}

static void junit_tells_why_in_its_text(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "count(//testcase[@classname='kahan/serial' and @name='uniform:n=1024, 120 x 256, replay']/failure["
        "contains(., 'limits.yaml:4: ulp_error max 12.3 ulp, limit 1.5ulp (Higham 4.8)') and contains(., "
        "'limits.yaml:5: bits: not those') and contains(., 'the compensation has no effect') and contains(., 'rerun: "
        "ulpscope run -m kahan/serial')])",
        "count(//testcase[@name='uniform:n=1024, 120 x 256, replay #2' and not(*)])",
        "count(//testcase[@name='lost:n=3, 120 x 256, replay']/failure[contains(., 'missing')])",
        "count(//testcase[@classname='plain/serial' and not(failure) and not(skipped)]/system-out[contains(., "
        "'allowed until 2027-03-01 (lesson 3 shows it)')])",
        "count(//testcase[@classname='neumaier/serial']/skipped[@message='no rule covers it'])",
        "count(//testcase[@classname='plain/tree_atomic']/skipped[contains(., 'the baseline has no such series')])",
        "count(//testsuite[@name='limits']/testcase[@classname='limits' and contains(@name, 'old*')]/failure["
        "contains(., 'limits.yaml:22')])",
    };
    struct made *made = usual_check();
    char *text = written("junit", made);
    xmlDocPtr document = parsed(text);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (xpath_number(document, expected[i]) != 1)
            fail_msg("%s\n%s", expected[i], text);
    xmlFreeDoc(document);
    free(text);
    end(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(junit_is_what_its_schema_says_and_counts_right),
        cmocka_unit_test(junit_with_a_fault_is_refused),
        cmocka_unit_test(junit_tells_why_in_its_text),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
