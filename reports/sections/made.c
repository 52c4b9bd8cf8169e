/* made: how this was made: everything that is needed to make it again. */
#include "reports/page/page.h"

static void open_facts(struct page *page, const char *topic)
{
    page_heading(page, 3, "%s", topic);
    page_open_as(page, "dl", "facts");
}

static void fact(struct page *page, const char *name, const char *value)
{
    page_element(page, "dt", "%s", name);
    page_element(page, "dd", "%s", *value ? value : "-");
}

static void data_facts(struct page *page, const struct study_record *study)
{
    for (size_t i = 0; i < study->entry_count; i++) {
        page_element(page, "dt", "data");
        page_open(page, "dd");
        page_element(page, "code", "%s", study->entries[i].text);
        page_text(page, ", %" PRIu64 " %s%s", study->entries[i].trials, study->entries[i].permuted ? "order" : "trial",
                  plural(study->entries[i].trials));
        page_close(page);
    }
}

static void launch_facts(struct page *page, const struct study_record *study)
{
    char launch[LAUNCH_TEXT];
    page_element(page, "dt", "launch");
    page_open(page, "dd");
    for (size_t i = 0; i < study->launch_count; i++) {
        launch_text(study->launches[i], launch);
        page_text(page, "%s%s", i > 0 ? ", " : "", launch);
    }
    page_close(page);
}

static void study_facts(struct page *page, const struct results *results)
{
    const struct study_record *study = &results->study;
    open_facts(page, "Study");
    page_element(page, "dt", "data sets summed");
    page_element(page, "dd", "%" PRIu64 " of %" PRIu64 "%s", results->cases, study->cases,
                 results->cases < study->cases ? ": incomplete" : "");
    data_facts(page, study);
    launch_facts(page, study);
    page_element(page, "dt", "repeats on a device");
    page_element(page, "dd", "%" PRIu64, study->repeats);
    page_close(page);
}

static void methods(struct page *page, const struct study_record *study)
{
    page_open(page, "details");
    page_element(page, "summary", "What the %zu method%s claim%s", study->method_count, plural(study->method_count),
                 study->method_count == 1 ? "s" : "");
    page_open_as(page, "dl", "facts");
    for (size_t i = 0; i < study->method_count; i++) {
        const struct method_record *method = &study->methods[i];
        page_element(page, "dt", "%s", method->id);
        page_element(page, "dd", "%s; %s", method->accumulator_claim, method->order_claim);
    }
    page_close(page);
    page_close(page);
}

static void study_file(struct page *page, const struct study_record *study)
{
    if (!study->text || !*study->text)
        return;
    page_open(page, "details");
    page_element(page, "summary", "The study, whole");
    page_lines(page, "The study, whole", study->text);
    page_close(page);
}

/* From what was asked to where it ran; topics that are not named here come last. */
static const struct {
    const char *topic, *heading;
} topics[] = {
    {"run", "Run"},           {"conversion", "Converted data"},
    {"host", "Machine"},      {"device", "Device"},
    {"program", "Program"},   {"build", "Build"},
    {"library", "Libraries"}, {"label", "Labels"},
    {"skipped", "Skipped"},
};
enum { TOPICS = sizeof topics / sizeof *topics };

static bool is_named(const char *topic)
{
    for (size_t t = 0; t < TOPICS; t++)
        if (strcmp(topics[t].topic, topic) == 0)
            return true;
    return false;
}

/* Facts come sorted by topic. */
static void facts_of(struct page *page, const struct results *results, const char *topic, const char *heading)
{
    bool open = false;
    for (size_t i = 0; i < results->fact_count; i++) {
        if (strcmp(results->facts[i].topic, topic) != 0)
            continue;
        if (!open)
            open_facts(page, heading);
        open = true;
        fact(page, results->facts[i].name, results->facts[i].value);
    }
    if (open)
        page_close(page);
}

static void write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    facts_of(page, results, "run", topics[0].heading);
    study_facts(page, results);
    methods(page, &results->study);
    study_file(page, &results->study);
    for (size_t t = 1; t < TOPICS; t++)
        facts_of(page, results, topics[t].topic, topics[t].heading);
    for (size_t i = 0; i < results->fact_count; i++) {
        const char *topic = results->facts[i].topic;
        if (!is_named(topic) && (i == 0 || strcmp(topic, results->facts[i - 1].topic) != 0))
            facts_of(page, results, topic, topic);
    }
}

const struct section section_made = {.id = "made", .title = "How this was made", .share = 50, .write = write};
