/* All lessons, as they are told: golden text and the course's page, in any language and with any number of threads.
 *
 *   build/host/tests/tests_teach test_lessons --write     makes tests/golden/lessons/ and docs/lessons/course.html anew
 */
#include "tests/support/program.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#include <dirent.h>

#define GOLDEN SOURCE_DIRECTORY "/tests/golden/lessons"
#define PAGE SOURCE_DIRECTORY "/docs/lessons/course.html"

static const char *const course[] = {
#define LESSON(id, title) #id,
#include "src/teach/lessons.def"
};
static const char all_lessons[] = "$(\"$ULPSCOPE\" list lessons | cut -d ' ' -f 1)";

/* new/ID.txt of these lessons, with answers. */
static void tell(const char *lessons, const char *surroundings)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "mkdir new && for id in %s; do %s \"$ULPSCOPE\" lesson $id --answers --plain > new/$id.txt || exit 1; done",
        lessons, surroundings);
    run_fine(line);
}

/* ---- golden ---- */

static void assert_golden(const char *lessons)
{
    struct outcome outcome;
    char line[1024];
    snprintf(line, sizeof line, "for id in %s; do diff " GOLDEN "/$id.txt new/$id.txt || exit 1; done", lessons);
    run_line(line, &outcome);
    if (outcome.code != 0)
        fail_msg("lessons are others; if they should be: test_lessons --write\n%.4000s", outcome.out);
    outcome_free(&outcome);
}

/* All lessons are told once here and once, in German, for the page; in the other surroundings each of those that are
 * told in a tenth of a second is told once. */
static const struct surroundings {
    const char *fact, *variables;
    const char *locale; /* must be installed, or NULL */
    const char *lessons;
} surroundings[] = {
    {"lessons_are_the_golden_ones", "", NULL, all_lessons},
    {"lessons_in_german_with_one_thread_are_the_golden_ones", "LC_ALL=de_DE.UTF-8 ULPSCOPE_JOBS=1", "de_DE.UTF-8",
     "rounding trees kahan cancellation bounds exact"},
    {"lessons_in_turkish_with_seven_threads_are_the_golden_ones", "LC_ALL=tr_TR.UTF-8 ULPSCOPE_JOBS=7", "tr_TR.UTF-8",
     "atomics kahan_fails neumaier binary64 fma subnormals"},
};
enum { FACTS = 20, SURROUNDINGS = sizeof surroundings / sizeof *surroundings };

static void lessons_are_the_golden_ones(void **state)
{
    const struct surroundings *around = *state;
    skip_without_locale(around->locale);
    tell(around->lessons, around->variables);
    assert_golden(around->lessons);
}

/* No file of a lesson that is gone. */
static void golden_files_are_those_of_the_lessons(void **state)
{
    (void)state;
    run_fine("cd " GOLDEN " && ls *.txt > \"$OLDPWD/files\"");
    run_fine("\"$ULPSCOPE\" list lessons | cut -d ' ' -f 1 | sed 's/$/.txt/' | LC_ALL=C sort > ids");
    run_fine("LC_ALL=C sort files | cmp - ids");
    run_fine("! sed 1d files | LC_ALL=C sort | cmp -s - ids"); /* the twin */
}

static void another_number_is_noticed(void **state)
{
    (void)state;
    run_fine("mkdir new && cp " GOLDEN "/*.txt new && sed -i '0,/8,388,608/s//8,388,609/' new/rounding.txt");
    run_fine("! diff -r " GOLDEN " new > /dev/null");
}

/* ---- what every lesson has ---- */

static size_t words_of(const char *text)
{
    size_t words = 0;
    for (const char *c = text; *c; c++)
        words += *c != ' ' && *c != '\n' && (c == text || c[-1] == ' ' || c[-1] == '\n');
    return words;
}

/* Minutes: at 200 words each, tables and bits among them. */
static void assert_short(const char *id, const char *text)
{
    enum { MINUTES = 10, WORDS_A_MINUTE = 200 };
    const size_t words = words_of(text);
    if (words >= MINUTES * WORDS_A_MINUTE)
        fail_msg("lesson %s has %zu words, which are more than %d minutes", id, words, MINUTES);
}

static void assert_has_parts(const char *id, const char *text)
{
    static const char *const heads[] = {"\nQuestion\n", "\nYour prediction: ", "\nTheorem\n", "\nExercise",
                                        "\nAnswer\n"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (!strstr(text, heads[i]))
            fail_msg("lesson %s has no part %s", id, heads[i]);
}

static void every_lesson_asks_tells_and_ends_within_ten_minutes(void **state)
{
    (void)state;
    size_t lessons = 0;
    DIR *folder_of = opendir(GOLDEN);
    assert_non_null(folder_of);
    for (struct dirent *entry; (entry = readdir(folder_of));) {
        if (!strstr(entry->d_name, ".txt"))
            continue;
        char path[PATH_SIZE];
        snprintf(path, sizeof path, GOLDEN "/%s", entry->d_name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        char *text = take_stream(file);
        assert_has_parts(entry->d_name, text);
        assert_short(entry->d_name, text);
        free(text);
        lessons++;
    }
    closedir(folder_of);
    assert_true(lessons >= 3);
}

static void every_lesson_names_a_command_to_go_on_with(void **state)
{
    (void)state;
    run_fine("test -z \"$(grep -L '^Go on: ' " GOLDEN "/*.txt)\"");
    run_fine("sed '/^Go on: /d' " GOLDEN
             "/trees.txt > t.txt && test -n \"$(grep -L '^Go on: ' t.txt)\""); /* the twin */
    run_fine("test $(cat " GOLDEN "/*.txt | grep -c '^Go on: ') = $(\"$ULPSCOPE\" list lessons | wc -l)");
}

/* Those between backquotes, which may go over the end of a line; measuring speed and many sums takes too long here. */
static void every_command_of_a_lesson_runs(void **state)
{
    (void)state;
    static const char run_all[] = "ulpscope() { \"$ULPSCOPE\" \"$@\" > /dev/null 2>&1; }; set -e; . ./commands";
    run_fine("sed 's/^/ /' " GOLDEN "/*.txt | tr -d '\\n' | grep -o '`ulpscope [^`]*`' | tr -d '`' | LC_ALL=C sort -u |"
             " grep -E '^ulpscope [a-z]+ ' | grep -Ev '^ulpscope (lesson|bench|run) ' > commands");
    run_fine("test $(wc -l < commands) -ge 20");
    put_text("x.txt", "0.1\n0.2\n-0.3\n");
    run_fine(run_all);
    struct outcome outcome;
    run_fine("sed -i '2s/[^ ]*$/nothing_that_there_is/' commands"); /* the twin */
    run_line(run_all, &outcome);
    assert_int_not_equal(outcome.code, 0);
    outcome_free(&outcome);
}

static void plain_text_has_no_colour_and_goes_to_column_100(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" --color always lesson rounding order trees --plain > plain");
    run_fine("! grep -q \"$(printf '\\033')\" plain && awk 'length > 100 { exit 1 }' plain");
    run_fine("\"$ULPSCOPE\" --color always lesson rounding | grep -q \"$(printf '\\033')\""); /* the twin */
}

/* ---- the page ---- */

static void the_course_is_the_one_in_docs(void **state)
{
    (void)state;
    run_fine("LC_ALL=de_DE.UTF-8 \"$ULPSCOPE\" lesson --all --answers --html page.html && cmp page.html " PAGE);
}

static xmlDocPtr page_at(const char *path)
{
    xmlDocPtr page = xmlReadFile(path, NULL, XML_PARSE_NONET);
    assert_non_null(page);
    return page;
}

/* Made where no other program is to be found. */
static xmlDocPtr page_of(const char *arguments)
{
    char line[256];
    snprintf(line, sizeof line, "PATH=/nowhere \"$ULPSCOPE\" lesson %s --html page.html", arguments);
    run_fine(line);
    return page_at(in_folder("page.html").text);
}

static int count_nodes(xmlDocPtr page, const char *path)
{
    xmlXPathContextPtr context = xmlXPathNewContext(page);
    xmlXPathRegisterNs(context, BAD_CAST "h", BAD_CAST "http://www.w3.org/1999/xhtml");
    xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
    assert_non_null(found);
    const int count = found->nodesetval ? found->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return count;
}

static void the_course_is_well_formed_and_its_ids_are_unique(void **state)
{
    (void)state;
    xmlDocPtr page = page_at(PAGE);
    assert_true(count_nodes(page, "//@id") >= 4);
    assert_int_equal(count_nodes(page, "//*[@id = preceding::*/@id or @id = ancestor::*/@id]"), 0);
    assert_int_equal(count_nodes(page, "//h:nav//h:a"), count_nodes(page, "//h:section"));
    assert_int_equal(count_nodes(page, "//h:a[starts-with(@href, '#')][not(substring(@href, 2) = //@id)]"), 0);
    xmlFreeDoc(page);
}

static void every_lesson_of_the_course_has_a_picture_and_a_folded_answer(void **state)
{
    (void)state;
    static const char *const wanted[] = {".//h:figure//h:img", "h:details[starts-with(h:summary, 'The answer')]"};
    xmlDocPtr page = page_at(PAGE);
    for (size_t i = 0; i < sizeof course / sizeof *course; i++)
        for (int w = 0; w < 2; w++) {
            char path[256];
            snprintf(path, sizeof path, "//h:section[@id = '%s'][%s]", course[i], wanted[w]);
            if (count_nodes(page, path) != 1)
                fail_msg("lesson %s has no %s", course[i], w == 0 ? "picture" : "exercise with an answer");
        }
    assert_int_equal(count_nodes(page, "//*[contains(@class, 'missing')]"), 0);
    xmlFreeDoc(page);
}

static void a_page_needs_neither_network_nor_script(void **state)
{
    (void)state;
    xmlDocPtr page = page_at(PAGE);
    assert_int_equal(count_nodes(page, "//h:script | //h:link | //h:iframe"), 0);
    assert_int_equal(count_nodes(page, "//@src[not(starts-with(., 'data:'))]"), 0);
    assert_int_equal(count_nodes(page, "//@href[not(starts-with(., '#'))]"), 0);
    xmlFreeDoc(page);
}

static void a_page_has_answers_where_they_are_asked_for(void **state)
{
    (void)state;
    static const char answers[] = "//h:details[starts-with(h:summary, 'The answer')]";
    xmlDocPtr with = page_of("rounding --answers"), without = page_of("rounding");
    assert_int_equal(count_nodes(with, answers), count_nodes(with, "//h:div[contains(@class, 'exercise')]"));
    assert_true(count_nodes(with, answers) > 0);
    assert_int_equal(count_nodes(without, answers), 0);
    xmlFreeDoc(with);
    xmlFreeDoc(without);
}

static void a_page_draws_its_pictures_itself(void **state)
{
    (void)state;
    xmlDocPtr page = page_of("rounding");
    assert_int_equal(count_nodes(page, "//h:figure[.//h:img]"), count_nodes(page, "//h:figure"));
    assert_true(count_nodes(page, "//h:figure") > 0);
    assert_int_equal(count_nodes(page, "//*[contains(@class, 'missing')]"), 0);
    xmlFreeDoc(page);
}

/* ---- the command ---- */

static void a_lesson_has_a_name_and_a_number(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" lesson trees > a && \"$ULPSCOPE\" lesson 5 > b && cmp a b");
    run_fine("\"$ULPSCOPE\" lesson 1 5 1 | grep -c '^Lesson' > c && test $(cat c) = 2"); /* each once */
    run_fine("! \"$ULPSCOPE\" lesson 1 | grep -q '^Answer$'");
}

static void the_list_says_how_to_begin(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" lesson > list && grep -q '^Begin with `ulpscope lesson rounding`' list");
    run_fine("test $(\"$ULPSCOPE\" list lessons | wc -l) = $(ls " GOLDEN "/*.txt | wc -l)");
    run_fine("\"$ULPSCOPE\" help | grep -q 'ulpscope lesson rounding$'");
    run_fine("\"$ULPSCOPE\" lesson rounding | tail -1 | grep -q 'ulpscope lesson absorption'");
    run_fine(
        "last=$(\"$ULPSCOPE\" list lessons | tail -1 | cut -d' ' -f1) && ! \"$ULPSCOPE\" lesson $last | grep '^Next'");
}

static void what_is_no_lesson_is_refused(void **state)
{
    (void)state;
    assert_refused("\"$ULPSCOPE\" lesson absorbtion", 2, "did you mean \"absorption\"?");
    assert_refused("\"$ULPSCOPE\" lesson 0", 2, "unknown lesson \"0\"");
    assert_refused("\"$ULPSCOPE\" lesson 99", 2, "a number from 1 to ");
    assert_refused("\"$ULPSCOPE\" lesson 1x", 2, "unknown lesson \"1x\"");
    assert_refused("\"$ULPSCOPE\" lesson --all rounding", 2, "leave out the name");
    assert_refused("\"$ULPSCOPE\" lesson --html f.html", 2, "--html was found without a lesson");
    assert_refused("\"$ULPSCOPE\" lesson --exercises 1", 2, "--exercises was found without a lesson");
    assert_refused("\"$ULPSCOPE\" lesson 1 --exercises x", 2, "--exercises");
    assert_refused("\"$ULPSCOPE\" lesson 1 --exercises -1", 2, "--exercises");
    assert_refused("\"$ULPSCOPE\" lesson 1 --html /dev/null/f.html", 2, "/dev/null/f.html");
    assert_refused("\"$ULPSCOPE\" lesson 1 > /dev/full", 3, "standard output");
}

/* ---- what is asked ---- */

static void exercises_have_choices_and_answers_where_they_are_asked_for(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" lesson 3 --exercises 1 > shown && test $(grep -c '^Exercise' shown) = 3");
    run_fine("grep -q '^a) (a + b) + c alone' shown && ! grep -q '^Answer$' shown");
    run_fine("tail -1 shown | grep -q 'ulpscope lesson associativity --exercises 1 --answers`$'");
    run_fine("\"$ULPSCOPE\" lesson 3 --exercises 1 --answers | grep -c '^Answer$' | grep -qx 3");
    run_fine("\"$ULPSCOPE\" lesson 3 --exercises 2 | cmp -s - shown && exit 1 || \"$ULPSCOPE\" lesson 3 --exercises 1 "
             "| cmp - shown");
    xmlDocPtr page = page_of("associativity --exercises 1 --answers");
    assert_int_equal(count_nodes(page, "//h:div[contains(@class, 'exercise')]"), 3);
    assert_int_equal(count_nodes(page, "//h:details"), 3);
    assert_int_equal(count_nodes(page, "//h:div[contains(@class, 'exercise')]/h:p"), 3 + 8); /* and the choices */
    xmlFreeDoc(page);
}

/* Each piece stands in the course as it is, but for the alternatives of what scrolls, which are numbered there. */
static void pieces_are_those_of_the_course(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" lesson --all --json lessons.json && \"$ULPSCOPE\" lesson --all --answers --html page.html");
    run_fine("python3 - <<'END'\n"
             "import json, re\n"
             "plain = lambda text: re.sub(r'aria-label=\"[^\"]*\"', '', text)\n"
             "page = plain(open('page.html').read())\n"
             "lessons = json.load(open('lessons.json'))['lessons']\n"
             "assert len(lessons) >= 24\n"
             "for lesson in lessons:\n"
             "    kinds = [part['kind'] for part in lesson['parts']]\n"
             "    asks = [ask for part in lesson['parts'] for ask in part.get('asks', [])]\n"
             "    assert 1 <= len(asks) <= 3 and kinds.count('prediction') == 1, lesson['id']\n"
             "    for part in lesson['parts']:\n"
             "        assert plain(part['html']) in page, part\n"
             "assert plain(lessons[0]['parts'][0]['html']).replace('0.1f', '0.2f') not in page\n" /* the twin */
             "END");
}

/* On a terminal a formula is text. */
static void formulas_are_set_on_a_page(void **state)
{
    (void)state;
    xmlDocPtr page = page_at(PAGE);
    static const char math[] = "//*[local-name() = 'math'][namespace-uri() = 'http://www.w3.org/1998/Math/MathML']";
    assert_true(count_nodes(page, math) > 100);
    assert_int_equal(count_nodes(page, "//h:section//text()[contains(., '$')]"), 0);
    assert_true(count_nodes(page, "//*[local-name() = 'mfrac']/*[1][. = 'u']/following-sibling::*[. = '1+u']") > 3);
    assert_true(count_nodes(page, "//*[local-name() = 'msub']/*[. = 'x']/following-sibling::*[. = 'i']") > 10);
    assert_int_equal(
        count_nodes(page, "//*[local-name() = 'msup'][count(*) != 2] | //*[local-name() = 'msub'][count(*) != 2]"), 0);
    assert_int_equal(
        count_nodes(page, "//*[local-name() = 'msubsup'][count(*) != 3] | //*[local-name() = 'mfrac'][count(*) != 2]"),
        0);
    run_fine("! grep -r '[$]' " GOLDEN);
    xmlFreeDoc(page);
}

/* ---- both ways ---- */

static int write_golden(void)
{
    (void)make_folder(NULL);
    tell(all_lessons, "");
    run_fine("rm -rf " GOLDEN " && mv new " GOLDEN);
    run_fine("\"$ULPSCOPE\" lesson --all --answers --html " PAGE);
    return remove_folder(NULL);
}

static struct CMUnitTest tests[FACTS + SURROUNDINGS] = {
    FACT(another_number_is_noticed),
    FACT(golden_files_are_those_of_the_lessons),
    FACT(every_lesson_names_a_command_to_go_on_with),
    FACT(every_command_of_a_lesson_runs),
    FACT(every_lesson_asks_tells_and_ends_within_ten_minutes),
    FACT(plain_text_has_no_colour_and_goes_to_column_100),
    FACT(the_course_is_the_one_in_docs),
    FACT(the_course_is_well_formed_and_its_ids_are_unique),
    FACT(a_page_needs_neither_network_nor_script),
    FACT(every_lesson_of_the_course_has_a_picture_and_a_folded_answer),
    FACT(a_page_has_answers_where_they_are_asked_for),
    FACT(a_page_draws_its_pictures_itself),
    FACT(a_lesson_has_a_name_and_a_number),
    FACT(the_list_says_how_to_begin),
    FACT(what_is_no_lesson_is_refused),
    FACT(exercises_have_choices_and_answers_where_they_are_asked_for),
    FACT(pieces_are_those_of_the_course),
    FACT(formulas_are_set_on_a_page),
};

int main(int argc, char **argv)
{
    forget_variables();
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_golden();
    for (size_t i = 0; i < SURROUNDINGS; i++)
        tests[FACTS + i] = test_of_row(surroundings[i].fact, lessons_are_the_golden_ones, &surroundings[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
