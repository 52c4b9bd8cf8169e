/* made: how this was made: everything that is needed to make it again. */
#include "../group.h"
#include "../section.h"

#include <inttypes.h>
#include <string.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void open_facts(struct page *page, const char *topic)
{
    page_heading(page, 3, "%s", topic);
    page_open(page, "dl");
    page_attribute(page, "class", "facts");
}

static void study_facts(struct page *page, const struct study_record *study)
{
    char launch[LAUNCH_TEXT];
    open_facts(page, "Study");
    for (size_t i = 0; i < study->method_count; i++) {
        page_element(page, "dt", "%s", study->methods[i].id);
        page_element(page, "dd", "%s; %s", study->methods[i].accumulator_claim, study->methods[i].order_claim);
    }
    for (size_t i = 0; i < study->entry_count; i++) {
        page_element(page, "dt", "data");
        page_open(page, "dd");
        page_element(page, "code", "%s", study->entries[i].text);
        page_text(page, ", %" PRIu64 " trial%s", study->entries[i].trials, plural(study->entries[i].trials));
        page_close(page);
    }
    page_element(page, "dt", "launch");
    page_open(page, "dd");
    for (size_t i = 0; i < study->launch_count; i++) {
        launch_text(study->launches[i], launch);
        page_text(page, "%s%s", i > 0 ? ", " : "", launch);
    }
    page_close(page);
    page_element(page, "dt", "seed");
    page_element(page, "dd", "%" PRIu64, study->seed);
    page_element(page, "dt", "repeats on a device");
    page_element(page, "dd", "%" PRIu64, study->repeats);
    page_close(page);
}

/* Facts come sorted by topic. */
static enum status write(struct page *page, const struct report *report, const struct results *results)
{
    (void)report;
    study_facts(page, &results->study);
    for (size_t i = 0; i < results->fact_count; i++) {
        const struct provenance_fact *fact = &results->facts[i];
        const bool first = i == 0 || strcmp(fact->topic, results->facts[i - 1].topic) != 0;
        const bool last = i + 1 == results->fact_count || strcmp(fact->topic, results->facts[i + 1].topic) != 0;
        if (first)
            open_facts(page, fact->topic);
        page_element(page, "dt", "%s", fact->name);
        page_element(page, "dd", "%s", fact->value);
        if (last)
            page_close(page);
    }
    return OK;
}

const struct section section_made = {.id = "made", .title = "How this was made", .write = write};
